package zitadel

import (
	"crypto/ecdsa"
	"time"

	jose "github.com/go-jose/go-jose/v4"
	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"

	"github.com/fieldmark/fieldmark/dev/team/dex"
)

// client is the client as the library reads it. It has a secret, which it sends in the header Authorization.
type client struct {
	dex.Client

	leadsBack []string
	tokens    time.Duration
}

func (c *client) GetID() string                       { return c.ID }
func (c *client) RedirectURIs() []string              { return c.Redirects }
func (c *client) PostLogoutRedirectURIs() []string    { return c.leadsBack }
func (c *client) ApplicationType() op.ApplicationType { return op.ApplicationTypeWeb }
func (c *client) AuthMethod() oidc.AuthMethod         { return oidc.AuthMethodBasic }
func (c *client) ResponseTypes() []oidc.ResponseType {
	return []oidc.ResponseType{oidc.ResponseTypeCode}
}

func (c *client) GrantTypes() []oidc.GrantType {
	return []oidc.GrantType{oidc.GrantTypeCode, oidc.GrantTypeRefreshToken}
}

func (c *client) LoginURL(id string) string { return "/login?id=" + id }

func (c *client) AccessTokenType() op.AccessTokenType                          { return op.AccessTokenTypeBearer }
func (c *client) IDTokenLifetime() time.Duration                               { return c.tokens }
func (c *client) DevMode() bool                                                { return false }
func (c *client) IsScopeAllowed(scope string) bool                             { return scope == "groups" }
func (c *client) IDTokenUserinfoClaimsAssertion() bool                         { return true }
func (c *client) ClockSkew() time.Duration                                     { return 0 }
func (c *client) RestrictAdditionalIdTokenScopes() func([]string) []string     { return same } //nolint:staticcheck // the library's name
func (c *client) RestrictAdditionalAccessTokenScopes() func([]string) []string { return same }

func same(scopes []string) []string { return scopes }

// grant is a sign-in, and what a code or a refresh token stands for.
type grant struct {
	id, client, user string
	at               time.Time
	scopes           []string
	asked            *oidc.AuthRequest
}

func (g *grant) GetID() string                      { return g.id }
func (g *grant) GetACR() string                     { return "" }
func (g *grant) GetAMR() []string                   { return []string{"pwd"} }
func (g *grant) GetAudience() []string              { return []string{g.client} }
func (g *grant) GetAuthTime() time.Time             { return g.at }
func (g *grant) GetClientID() string                { return g.client }
func (g *grant) GetNonce() string                   { return g.asked.Nonce }
func (g *grant) GetRedirectURI() string             { return g.asked.RedirectURI }
func (g *grant) GetResponseType() oidc.ResponseType { return g.asked.ResponseType }
func (g *grant) GetResponseMode() oidc.ResponseMode { return g.asked.ResponseMode }
func (g *grant) GetScopes() []string                { return g.scopes }
func (g *grant) GetState() string                   { return g.asked.State }
func (g *grant) GetSubject() string                 { return g.user }
func (g *grant) Done() bool                         { return g.user != "" }
func (g *grant) SetCurrentScopes(scopes []string)   { g.scopes = scopes }

func (g *grant) GetCodeChallenge() *oidc.CodeChallenge {
	if g.asked.CodeChallenge == "" {
		return nil
	}
	return &oidc.CodeChallenge{Challenge: g.asked.CodeChallenge, Method: g.asked.CodeChallengeMethod}
}

// signingKey signs tokens.
type signingKey struct {
	id  string
	key *ecdsa.PrivateKey
}

func (k signingKey) SignatureAlgorithm() jose.SignatureAlgorithm { return jose.ES256 }
func (k signingKey) Key() any                                    { return k.key }
func (k signingKey) ID() string                                  { return k.id }

// publicKey is what the issuer publishes of it.
type publicKey struct{ signingKey }

func (k publicKey) Algorithm() jose.SignatureAlgorithm { return jose.ES256 }
func (k publicKey) Use() string                        { return "sig" }
func (k publicKey) Key() any                           { return &k.key.PublicKey }
