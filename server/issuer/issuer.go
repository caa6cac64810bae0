// Package issuer signs people in at one OpenID Connect issuer: the address to send a browser to, the exchange of the code, verified claims,
// renewal, and signing out. It calls the issuer only for these, never while a token is valid.
package issuer

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
	"golang.org/x/sync/singleflight"

	"github.com/fieldmark/fieldmark/server/private"
)

// Send is which token of the issuer goes to the API server.
type Send string

// The tokens that can be sent.
const (
	SendID     Send = "id_token"
	SendAccess Send = "access_token"
)

// Config is one issuer. Errors name its fields as issuers.NAME.field, with the names that are given here.
type Config struct {
	// Name is how clusters refer to it. Two issuers may have one URL, if their clients differ.
	Name string
	// Title is its name for people; default the host of the URL.
	Title string
	// URL is the issuer's identity, exactly as in its discovery document (url). It is https, or http on loopback.
	URL string
	// ClientID is Fieldmark's name at the issuer (clientID).
	ClientID string
	// SecretFile has the client's secret (clientSecretFile); empty for a public client.
	SecretFile string
	// CAFile has the certificates that the issuer's certificate is checked with (caFile); empty: those of the system.
	CAFile string
	// Scopes are asked for (scopes); default openid, profile, email, groups and offline_access.
	Scopes []string
	// Parameters are added to the address for signing in (parameters), such as audience or resource.
	Parameters map[string]string
	// UserClaim and GroupsClaim are the claims with the name and the groups (userClaim, groupsClaim); default sub and groups.
	UserClaim, GroupsClaim string
	// UserPrefix and GroupsPrefix are put before them (userPrefix, groupsPrefix), as the API server does.
	UserPrefix, GroupsPrefix string
	// Send is the token for the API server (send); default SendID.
	Send Send
	// Flags are the names of fields in errors, instead of issuers.NAME.field, if they were set by flags.
	Flags map[string]string
	// Redirect is the address of our callback, from the public URL.
	Redirect string

	Now func() time.Time
}

// Issuer is one issuer. It is safe for concurrent use.
type Issuer struct {
	config    Config
	mark      string
	secret    string
	client    *http.Client
	found     atomic.Pointer[found]
	discovery singleflight.Group
}

// found is what the discovery document says.
type found struct {
	provider   *oidc.Provider
	verifier   *oidc.IDTokenVerifier
	endpoint   oauth2.Endpoint
	endSession string
	revocation string
	saysIssuer bool // it adds iss to its responses (RFC 9207)
}

// skew is how much the issuer's clock may differ from ours.
const skew = time.Minute

// callTime bounds one request to the issuer.
const callTime = 10 * time.Second

// New checks the settings and reads the files. It makes no request: an issuer that is down is no reason not to start.
func New(c Config) (*Issuer, error) {
	c.setDefaults()
	if err := c.check(); err != nil {
		return nil, err
	}
	i := &Issuer{config: c, mark: c.mark()}
	if c.SecretFile != "" {
		secret, err := private.Read(c.setting("clientSecretFile"), c.SecretFile)
		if err != nil {
			return nil, err
		}
		i.secret = string(secret)
	}
	roots, err := c.roots()
	if err != nil {
		return nil, err
	}
	i.client = newClient(roots)
	return i, nil
}

func (c *Config) setDefaults() {
	if len(c.Scopes) == 0 {
		c.Scopes = []string{oidc.ScopeOpenID, "profile", "email", "groups", oidc.ScopeOfflineAccess}
	}
	if c.UserClaim == "" {
		c.UserClaim = "sub"
	}
	if c.GroupsClaim == "" {
		c.GroupsClaim = "groups"
	}
	if c.Send == "" {
		c.Send = SendID
	}
	if c.Now == nil {
		c.Now = time.Now
	}
}

func (c *Config) check() error {
	u, err := url.Parse(c.URL)
	switch {
	case c.URL == "":
		return fmt.Errorf("%s is missing: it is the issuer's URL, such as https://login.example.com", c.setting("url"))
	case err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return fmt.Errorf("%s: %q isn't the URL of an issuer", c.setting("url"), c.URL)
	case u.Scheme != "https" && (u.Scheme != "http" || !Loopback(u.Hostname())):
		return fmt.Errorf("%s: %q must begin with https://. Only an issuer on loopback may use http", c.setting("url"), c.URL)
	case c.ClientID == "":
		return fmt.Errorf("%s is missing: it is the name under which the issuer knows Fieldmark", c.setting("clientID"))
	case c.Send != SendID && c.Send != SendAccess:
		return fmt.Errorf("%s: %q is neither %s nor %s", c.setting("send"), c.Send, SendID, SendAccess)
	case !slices.Contains(c.Scopes, oidc.ScopeOpenID):
		return fmt.Errorf("%s: the scope openid is missing", c.setting("scopes"))
	case c.Redirect == "":
		return errors.New("an issuer needs a public URL, so that it can send browsers back")
	}
	if c.Title == "" {
		c.Title = u.Host
	}
	return nil
}

// setting is the full name of one of the issuer's settings.
func (c *Config) setting(field string) string {
	return cmp.Or(c.Flags[field], "issuers."+c.Name+"."+field)
}

// Loopback tells whether a host is this machine itself.
func Loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Name is the name in the configuration, Title the one for people, and URL the identity.
func (i *Issuer) Name() string { return i.config.Name }

// Title is the issuer's name for people.
func (i *Issuer) Title() string { return i.config.Title }

// URL is the issuer's identity.
func (i *Issuer) URL() string { return i.config.URL }

// ClientID is Fieldmark's name at the issuer.
func (i *Issuer) ClientID() string { return i.config.ClientID }

// Mark differs between two issuers, and between two settings of one issuer with which the same person could have another name or other
// groups. It tells nothing about them.
func (i *Issuer) Mark() string { return i.mark }

func (c *Config) mark() string {
	sum := sha256.New()
	for _, text := range []string{c.URL, c.ClientID, c.UserClaim, c.GroupsClaim, c.UserPrefix, c.GroupsPrefix, string(c.Send)} {
		one := sha256.Sum256([]byte(text)) // of each, so that no two lists have the same text
		_, _ = sum.Write(one[:])
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// discover reads the discovery document, once it could be read. Until then, each call tries again.
func (i *Issuer) discover(ctx context.Context) (*found, error) {
	if f := i.found.Load(); f != nil {
		return f, nil
	}
	type result struct {
		f   *found
		err error
	}
	done := i.discovery.DoChan("", func() (any, error) {
		f, err := i.readDiscovery(context.WithoutCancel(ctx)) // others wait for it, too
		if err == nil {
			i.found.Store(f)
		}
		return result{f, err}, nil
	})
	select {
	case <-ctx.Done():
		return nil, i.unreachable(ctx.Err())
	case r := <-done:
		got, _ := r.Val.(result)
		return got.f, got.err
	}
}

func (i *Issuer) readDiscovery(ctx context.Context) (*found, error) {
	ctx, cancel := context.WithTimeout(i.with(ctx), callTime)
	defer cancel()
	provider, err := oidc.NewProvider(ctx, i.config.URL)
	if err != nil {
		return nil, i.discoveryError(err)
	}
	var more struct {
		EndSession string   `json:"end_session_endpoint"`
		Revocation string   `json:"revocation_endpoint"`
		SaysIssuer bool     `json:"authorization_response_iss_parameter_supported"`
		Keys       string   `json:"jwks_uri"`
		Methods    []string `json:"token_endpoint_auth_methods_supported"`
	}
	if err := provider.Claims(&more); err != nil {
		return nil, i.fault(NotIssuer, "its discovery document can't be read. Check %s", err, i.config.setting("url"))
	}
	f := &found{
		provider: provider, endpoint: provider.Endpoint(), endSession: more.EndSession, revocation: more.Revocation, saysIssuer: more.SaysIssuer,
	}
	needed := []string{f.endpoint.AuthURL, f.endpoint.TokenURL, more.Keys}
	if f.revocation != "" {
		needed = append(needed, f.revocation)
	}
	if !i.sane(needed...) {
		return nil, i.fault(NotIssuer, "its discovery document has an endpoint that isn't https, or that is on the machine of Fieldmark. Check %s", nil, i.config.setting("url"))
	}
	f.endpoint.AuthStyle = i.style(more.Methods)
	f.verifier = provider.VerifierContext(i.with(context.Background()), &oidc.Config{
		ClientID: i.config.ClientID, SkipExpiryCheck: true, // times checks them, with words
	})
	return f, nil
}

// sane refuses endpoints to which credentials would go without encryption, or from which keys would come so. Only an issuer on loopback may
// name others there: no server elsewhere makes Fieldmark send requests to programs beside it (threat: hostile issuer).
func (i *Issuer) sane(endpoints ...string) bool {
	for _, endpoint := range endpoints {
		u, err := url.Parse(endpoint)
		if err != nil || u.Host == "" || u.User != nil {
			return false
		}
		here := Loopback(u.Hostname())
		if here && !i.here() || u.Scheme != "https" && (u.Scheme != "http" || !here) {
			return false
		}
	}
	return true
}

// here tells whether the issuer is on this machine.
func (i *Issuer) here() bool {
	u, err := url.Parse(i.config.URL)
	return err == nil && Loopback(u.Hostname())
}

// style is how the secret is sent. It isn't tried out, because a code can be used only once.
func (i *Issuer) style(methods []string) oauth2.AuthStyle {
	if i.secret == "" || len(methods) > 0 && !slices.Contains(methods, "client_secret_basic") {
		return oauth2.AuthStyleInParams
	}
	return oauth2.AuthStyleInHeader
}

func (i *Issuer) with(ctx context.Context) context.Context { return oidc.ClientContext(ctx, i.client) }

func (i *Issuer) oauth(f *found) *oauth2.Config {
	return &oauth2.Config{
		ClientID: i.config.ClientID, ClientSecret: i.secret, Endpoint: f.endpoint, RedirectURL: i.config.Redirect, Scopes: i.config.Scopes,
	}
}

// Attempt is what ties the response of the issuer to the browser that signs in. Its values are random; see NewAttempt.
type Attempt struct {
	State    string `json:"s"`
	Nonce    string `json:"n"`
	Verifier string `json:"v"` // of the code (PKCE)
}

// SignIn is the address of the issuer at which a person signs in.
func (i *Issuer) SignIn(ctx context.Context, a Attempt) (string, error) {
	f, err := i.discover(ctx)
	if err != nil {
		return "", err
	}
	options := []oauth2.AuthCodeOption{oidc.Nonce(a.Nonce), oauth2.S256ChallengeOption(a.Verifier)}
	for _, name := range slices.Sorted(maps.Keys(i.config.Parameters)) {
		options = append(options, oauth2.SetAuthURLParam(name, i.config.Parameters[name]))
	}
	return i.oauth(f).AuthCodeURL(a.State, options...), nil
}

// CheckIssuer compares the iss parameter of a response with the issuer that the person was sent to (threat: issuer mix-up). An issuer that
// promises the parameter must send it.
func (i *Issuer) CheckIssuer(ctx context.Context, iss string) error {
	f, err := i.discover(ctx)
	if err != nil {
		return err
	}
	if iss == i.config.URL || iss == "" && !f.saysIssuer {
		return nil
	}
	return i.fault(MixedUp, "the response comes from another issuer. Sign in again", nil)
}

// faultText joins a sentence that begins with the issuer.
func (i *Issuer) faultText(format string, args ...any) string {
	return fmt.Sprintf("Signing in at %s doesn't work: ", i.config.Title) + strings.TrimSuffix(fmt.Sprintf(format, args...), ".") + "."
}
