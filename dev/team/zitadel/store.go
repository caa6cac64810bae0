package zitadel

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"sync"
	"time"

	jose "github.com/go-jose/go-jose/v4"
	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"

	"github.com/fieldmark/fieldmark/dev/team/dex"
)

// store is everything that the issuer remembers. It implements op.Storage.
type store struct {
	people map[string]dex.Person // by name
	key    signingKey
	tokens time.Duration

	mu        sync.Mutex
	client    *client
	forgotten bool              // the client isn't known
	renewals  int               // how often tokens were renewed
	sessions  map[string]string // people, by the session of their browser
	requests  map[string]*grant // sign-ins that have begun
	codes     map[string]*grant
	refreshes map[string]*grant
}

var errUnknown = errors.New("there is no such thing")

func newStore(o Options) (*store, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("making a key: %w", err)
	}
	s := &store{
		client: &client{Client: o.Client, leadsBack: o.LeadsBack, tokens: o.Tokens}, tokens: o.Tokens, key: signingKey{rand.Text(), key}, people: map[string]dex.Person{},
		sessions: map[string]string{}, requests: map[string]*grant{}, codes: map[string]*grant{}, refreshes: map[string]*grant{},
	}
	for _, p := range o.People {
		s.people[p.Name] = p
	}
	return s, nil
}

// check is the name of the person with an address and a password; empty: there is none.
func (s *store) check(email, password string) string {
	for _, p := range s.people {
		if p.Email() == email && p.Password() == password {
			return p.Name
		}
	}
	return ""
}

// openSession begins a browser's session.
func (s *store) openSession(session, user string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sessions[session] = user
}

// userOf is whose session a browser has; empty: nobody's.
func (s *store) userOf(session string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sessions[session]
}

// done notes who a sign-in is for.
func (s *store) done(id, user string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.requests[id]
	if g == nil {
		return false
	}
	g.user, g.at = user, time.Now()
	return true
}

func (s *store) CreateAuthRequest(_ context.Context, asked *oidc.AuthRequest, _ string) (op.AuthRequest, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := &grant{id: rand.Text(), client: s.client.ID, scopes: asked.Scopes, asked: asked}
	s.requests[g.id] = g
	return g, nil
}

func (s *store) AuthRequestByID(_ context.Context, id string) (op.AuthRequest, error) {
	return s.found(s.requests, id)
}

func (s *store) AuthRequestByCode(_ context.Context, code string) (op.AuthRequest, error) {
	return s.found(s.codes, code)
}

func (s *store) found(in map[string]*grant, id string) (*grant, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := in[id]
	if g == nil {
		return nil, errUnknown
	}
	return g, nil
}

func (s *store) SaveAuthCode(_ context.Context, id, code string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.codes[code] = s.requests[id]
	return nil
}

func (s *store) DeleteAuthRequest(_ context.Context, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.requests, id)
	for code, g := range s.codes {
		if g.id == id {
			delete(s.codes, code)
		}
	}
	return nil
}

func (s *store) CreateAccessToken(context.Context, op.TokenRequest) (string, time.Time, error) {
	return rand.Text(), time.Now().Add(s.tokens), nil
}

// CreateAccessAndRefreshTokens replaces the refresh token at each use.
func (s *store) CreateAccessAndRefreshTokens(_ context.Context, request op.TokenRequest, current string) (string, string, time.Time, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g, ok := request.(*grant)
	if !ok || current != "" && s.refreshes[current] == nil {
		return "", "", time.Time{}, oidc.ErrInvalidGrant() //nolint:wrapcheck // the library reads this very error
	}
	if current != "" {
		delete(s.refreshes, current)
		s.renewals++
	}
	refresh := rand.Text()
	s.refreshes[refresh] = g
	return rand.Text(), refresh, time.Now().Add(s.tokens), nil
}

func (s *store) TokenRequestByRefreshToken(_ context.Context, refresh string) (op.RefreshTokenRequest, error) {
	g, err := s.found(s.refreshes, refresh)
	if err != nil {
		return nil, op.ErrInvalidRefreshToken
	}
	return g, nil
}

// TerminateSessionFromRequest ends the browser's session, and everything that the person was given. Without an id_token_hint, the browser's cookie
// says who it is.
func (s *store) TerminateSessionFromRequest(ctx context.Context, request *op.EndSessionRequest) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	session := sessionOf(ctx)
	user := s.sessions[session]
	delete(s.sessions, session)
	for refresh, g := range s.refreshes {
		if user != "" && g.user == user && g.client == request.ClientID {
			delete(s.refreshes, refresh)
		}
	}
	return request.RedirectURI, nil
}

// TerminateSession is never called, because there is TerminateSessionFromRequest.
func (s *store) TerminateSession(context.Context, string, string) error { return errUnknown }

func (s *store) RevokeToken(_ context.Context, token, _, _ string) *oidc.Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.refreshes, token)
	return nil
}

func (s *store) GetRefreshTokenInfo(_ context.Context, _, token string) (user, id string, err error) {
	g, err := s.found(s.refreshes, token)
	if err != nil {
		return "", "", op.ErrInvalidRefreshToken
	}
	return g.user, token, nil
}

func (s *store) GetClientByClientID(_ context.Context, id string) (op.Client, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.forgotten || id != s.client.ID {
		return nil, errUnknown
	}
	return s.client, nil
}

func (s *store) AuthorizeClientIDSecret(ctx context.Context, id, secret string) error {
	found, err := s.GetClientByClientID(ctx, id)
	if err != nil {
		return err
	}
	if c, ok := found.(*client); !ok || subtle.ConstantTimeCompare([]byte(secret), []byte(c.Secret)) != 1 {
		return errUnknown
	}
	return nil
}

// SetUserinfoFromRequest adds the claims of a person to an id_token.
func (s *store) SetUserinfoFromRequest(_ context.Context, info *oidc.UserInfo, request op.IDTokenRequest, _ []string) error {
	p, ok := s.people[request.GetSubject()]
	if !ok {
		return errUnknown
	}
	info.Subject, info.PreferredUsername = p.Name, p.Name
	info.AppendClaims("groups", p.Groups)
	return nil
}

func (s *store) SigningKey(context.Context) (op.SigningKey, error) { return s.key, nil }

func (s *store) SignatureAlgorithms(context.Context) ([]jose.SignatureAlgorithm, error) {
	return []jose.SignatureAlgorithm{jose.ES256}, nil
}

func (s *store) KeySet(context.Context) ([]op.Key, error) { return []op.Key{publicKey{s.key}}, nil }

// The rest is for what Fieldmark doesn't use: userinfo, introspection, and clients with keys.

func (s *store) SetUserinfoFromScopes(context.Context, *oidc.UserInfo, string, string, []string) error {
	return nil
}

func (s *store) SetUserinfoFromToken(context.Context, *oidc.UserInfo, string, string, string) error {
	return errUnknown
}

func (s *store) SetIntrospectionFromToken(context.Context, *oidc.IntrospectionResponse, string, string, string) error {
	return errUnknown
}

func (s *store) GetPrivateClaimsFromScopes(context.Context, string, string, []string) (map[string]any, error) {
	return nil, nil
}

func (s *store) GetKeyByIDAndClientID(context.Context, string, string) (*jose.JSONWebKey, error) {
	return nil, errUnknown
}

func (s *store) ValidateJWTProfileScopes(context.Context, string, []string) ([]string, error) {
	return nil, errUnknown
}

func (s *store) Health(context.Context) error { return nil }
