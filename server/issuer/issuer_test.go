package issuer_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/server/issuer"
	"github.com/fieldmark/fieldmark/server/issuer/issuertest"
)

const callback = "https://fieldmark.example/-/sign-in/callback"

// config is that of a client of the test's issuer.
func config(of *issuertest.Issuer) issuer.Config {
	return issuer.Config{
		Name: "dex", Title: "Example login", URL: of.URL, ClientID: of.ClientID, SecretFile: of.SecretFile, CAFile: of.CAFile,
		UserPrefix: "oidc:", GroupsPrefix: "oidc:", Redirect: callback,
	}
}

func open(t *testing.T, c issuer.Config) *issuer.Issuer {
	t.Helper()
	i, err := issuer.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

// signIn signs a person in, as far as the issuer's response.
func signIn(t *testing.T, i *issuer.Issuer, at *issuertest.Issuer) (issuer.Tokens, error) {
	t.Helper()
	attempt, err := issuer.NewAttempt(nil)
	if err != nil {
		t.Fatal(err)
	}
	address, err := i.SignIn(t.Context(), attempt)
	if err != nil {
		return issuer.Tokens{}, err
	}
	back := at.Authorize(t, address)
	if back.Query().Get("state") != attempt.State {
		t.Error("the state doesn't come back")
	}
	return i.Exchange(t.Context(), back.Query().Get("code"), attempt)
}

func TestSigningInGivesVerifiedTokens(t *testing.T) {
	at := issuertest.New(t)
	i := open(t, config(at))
	tokens, err := signIn(t, i, at)
	if err != nil {
		t.Fatal(err)
	}
	if tokens.Name != "oidc:ada" || !slices.Equal(tokens.Groups, []string{"oidc:team-ada"}) || tokens.Subject != "ada" || tokens.Refresh == "" {
		t.Errorf("%q of %q", tokens.Name, tokens.Groups)
	}
	if life := tokens.Expires.Sub(tokens.Issued); life != time.Hour || strings.Count(tokens.Token, ".") != 2 {
		t.Errorf("a token of %d bytes for %v", len(tokens.Token), life)
	}
	if n := at.Calls("/.well-known/openid-configuration"); n != 1 {
		t.Errorf("%d requests for the discovery document", n)
	}
}

func TestAddressForSigningIn(t *testing.T) {
	at := issuertest.New(t)
	c := config(at)
	c.Parameters = map[string]string{"audience": "cluster"}
	address, err := open(t, c).SignIn(t.Context(), issuer.Attempt{State: "the-state", Nonce: "the-nonce", Verifier: "the-verifier"})
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"response_type": "code", "client_id": "fieldmark", "state": "the-state", "nonce": "the-nonce", "code_challenge_method": "S256",
		"redirect_uri": callback, "scope": "openid profile email groups offline_access", "audience": "cluster",
	} {
		if got := u.Query().Get(name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	if strings.Contains(address, "the-verifier") || strings.Contains(address, at.Secret) {
		t.Error("the address has the verifier or the secret")
	}
}

func TestFaultsOfAnIssuerHaveWords(t *testing.T) {
	for name, c := range map[string]struct {
		behave issuertest.Behaviour
		kind   issuer.Kind
		words  string
	}{
		"the document of another issuer": {issuertest.Behaviour{Discovered: map[string]any{"issuer": "https://other.example"}}, issuer.OtherIssuer, "issuers.dex.url"},
		"no discovery document":          {issuertest.Behaviour{Status: 404}, issuer.NotIssuer, "/.well-known/openid-configuration"},
		"endpoints without TLS":          {issuertest.Behaviour{Discovered: map[string]any{"token_endpoint": "http://login.example/token"}}, issuer.NotIssuer, "isn't https"},
		"keys without TLS":               {issuertest.Behaviour{Discovered: map[string]any{"jwks_uri": "http://login.example/keys"}}, issuer.NotIssuer, "isn't https"},
		"the client is refused":          {issuertest.Behaviour{TokenError: "invalid_client"}, issuer.WrongClient, "issuers.dex.clientSecretFile"},
		"a scope is refused":             {issuertest.Behaviour{TokenError: "invalid_scope"}, issuer.WrongClient, "issuers.dex.scopes"},
		"the code is refused":            {issuertest.Behaviour{TokenError: "invalid_grant"}, issuer.Ended, "Sign in again"},
		"another audience":               {issuertest.Behaviour{Claims: map[string]any{"aud": "other"}}, issuer.WrongToken, `is for "other", and issuers.dex.clientID is "fieldmark"`},
		"made for another client":        {issuertest.Behaviour{Claims: map[string]any{"aud": []string{"fieldmark", "other"}, "azp": "other"}}, issuer.WrongToken, `client "other"`},
		"a token of another issuer":      {issuertest.Behaviour{Claims: map[string]any{"iss": "https://other.example"}}, issuer.WrongToken, "no valid signature"},
		"a signature with another key":   {issuertest.Behaviour{ForeignSignature: true}, issuer.WrongToken, "no valid signature"},
		"another nonce":                  {issuertest.Behaviour{Claims: map[string]any{"nonce": "old"}}, issuer.WrongToken, "another sign-in"},
		"no nonce":                       {issuertest.Behaviour{Claims: map[string]any{"nonce": nil}}, issuer.WrongToken, "another sign-in"},
		"a clock an hour ahead":          {issuertest.Behaviour{Ahead: time.Hour}, issuer.WrongClock, "60 minutes ahead"},
		"a clock an hour behind":         {issuertest.Behaviour{Ahead: -time.Hour, Life: 5 * time.Minute}, issuer.WrongClock, "expired 55 minutes ago"},
		"a clock half a minute ahead":    {issuertest.Behaviour{Ahead: 30 * time.Second}, "", ""},
		"expired half a minute ago":      {issuertest.Behaviour{Ahead: -90 * time.Second, Life: time.Minute}, "", ""},
		"not yet valid":                  {issuertest.Behaviour{Claims: map[string]any{"nbf": time.Now().Add(time.Hour).Unix()}}, issuer.WrongClock, "60 minutes ahead"},
		"no name":                        {issuertest.Behaviour{Claims: map[string]any{"sub": ""}}, issuer.MissingClaim, "issuers.dex.userClaim"},
		"groups that aren't a list":      {issuertest.Behaviour{Claims: map[string]any{"groups": 7}}, issuer.MissingClaim, "issuers.dex.groupsClaim"},
	} {
		t.Run(name, func(t *testing.T) {
			at := issuertest.New(t)
			at.Set(func(b *issuertest.Behaviour) { *b = c.behave })
			_, err := signIn(t, open(t, config(at)), at)
			checkFault(t, at, err, c.kind, c.words)
		})
	}
}

// checkFault compares an error, and looks for credentials in it.
func checkFault(t *testing.T, at *issuertest.Issuer, err error, kind issuer.Kind, words string) {
	t.Helper()
	if kind == "" {
		if err != nil {
			t.Error(err)
		}
		return
	}
	if issuer.KindOf(err) != kind || !strings.Contains(err.Error(), words) {
		t.Fatalf("%q: %v, want %q with %q", issuer.KindOf(err), err, kind, words)
	}
	if !strings.HasPrefix(err.Error(), "Signing in at Example login doesn't work: ") || !strings.HasSuffix(err.Error(), ".") {
		t.Errorf("not a sentence: %v", err)
	}
	for _, secret := range at.Secrets() {
		if strings.Contains(err.Error(), secret) {
			t.Errorf("the error has a credential: %v", err)
		}
	}
}

func TestClaimsForNameAndGroups(t *testing.T) {
	for name, c := range map[string]struct {
		claims map[string]any
		user   string
		groups []string
		none   bool
		fails  bool
	}{
		"the defaults of this client": {map[string]any{"email": "ada@example.com", "roles": []string{"a", "b"}}, "oidc:ada@example.com", []string{"oidc:a", "oidc:b"}, false, false},
		"one group as text":           {map[string]any{"email": "ada@example.com", "roles": "a"}, "oidc:ada@example.com", []string{"oidc:a"}, false, false},
		"an empty list":               {map[string]any{"email": "ada@example.com", "roles": []string{}}, "oidc:ada@example.com", nil, false, false},
		"no groups":                   {map[string]any{"email": "ada@example.com"}, "oidc:ada@example.com", nil, true, false},
		"a verified address":          {map[string]any{"email": "ada@example.com", "email_verified": true}, "oidc:ada@example.com", nil, true, false},
		"an address not verified":     {map[string]any{"email": "ada@example.com", "email_verified": false}, "", nil, false, true},
		"a name that isn't text":      {map[string]any{"email": 7}, "", nil, false, true},
	} {
		at := issuertest.New(t)
		at.Set(func(b *issuertest.Behaviour) { b.Claims = c.claims })
		with := config(at)
		with.UserClaim, with.GroupsClaim = "email", "roles"
		tokens, err := signIn(t, open(t, with), at)
		if c.fails {
			checkFault(t, at, err, issuer.MissingClaim, "issuers.dex.userClaim")
			continue
		}
		if err != nil || tokens.Name != c.user || !slices.Equal(tokens.Groups, c.groups) || tokens.NoGroups != c.none {
			t.Errorf("%s: %q of %q (none: %v), %v", name, tokens.Name, tokens.Groups, tokens.NoGroups, err)
		}
	}
}

func TestIssuerThatIsDownAtStartIsFoundLater(t *testing.T) {
	at := issuertest.New(t)
	at.Set(func(b *issuertest.Behaviour) { b.Status = http.StatusServiceUnavailable })
	i := open(t, config(at))
	if n := at.Calls(""); n != 0 {
		t.Errorf("%d requests at start", n)
	}
	if _, err := signIn(t, i, at); err == nil {
		t.Error("signed in at an issuer that is down")
	}
	at.Set(func(b *issuertest.Behaviour) { b.Status = 0 })
	if _, err := signIn(t, i, at); err != nil {
		t.Error(err)
	}
}

func TestIssuerThatCanNotBeReached(t *testing.T) {
	at := issuertest.New(t)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	foreign := config(at)
	foreign.CAFile = ""
	away := config(at)
	away.URL = gone.URL
	for name, c := range map[string]struct {
		config issuer.Config
		kind   issuer.Kind
		words  string
	}{
		"a foreign authority": {foreign, issuer.ForeignCA, "issuers.dex.caFile"},
		"nobody listens":      {away, issuer.Unreachable, "issuers.dex.url"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := open(t, c.config).SignIn(t.Context(), issuer.Attempt{})
			checkFault(t, at, err, c.kind, c.words)
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := open(t, config(at)).SignIn(ctx, issuer.Attempt{})
	checkFault(t, at, err, issuer.Unreachable, "can't be reached")
}

// An issuer that accepts the connection and never responds is slow. It isn't said to be out of reach.
func TestAnIssuerThatIsSlow(t *testing.T) {
	at := issuertest.New(t)
	held := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-held }))
	defer slow.Close()
	defer close(held)
	c := config(at)
	c.URL = slow.URL
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := open(t, c).SignIn(ctx, issuer.Attempt{})
	checkFault(t, at, err, issuer.Unreachable, "it doesn't respond within 10 s")
	if strings.Contains(err.Error(), "can't be reached") {
		t.Error(err)
	}
}

func TestNewKeysOfTheIssuerAreFound(t *testing.T) {
	at := issuertest.New(t)
	i := open(t, config(at))
	for round := range 3 {
		if _, err := signIn(t, i, at); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		at.RotateKey(t)
	}
	if n := at.Calls("/keys"); n != 3 {
		t.Errorf("%d requests for keys, want one for each key", n)
	}
}

func TestRenewal(t *testing.T) {
	for name, c := range map[string]struct {
		behave issuertest.Behaviour
		send   issuer.Send
		kind   issuer.Kind
		same   bool // the refresh token stays
	}{
		"a new refresh token":               {issuertest.Behaviour{}, issuer.SendID, "", false},
		"the refresh token stays":           {issuertest.Behaviour{KeepRefresh: true}, issuer.SendID, "", true},
		"no id_token":                       {issuertest.Behaviour{NoIDTokenOnRenewal: true}, issuer.SendID, issuer.NoToken, false},
		"no id_token where none is needed":  {issuertest.Behaviour{NoIDTokenOnRenewal: true}, issuer.SendAccess, "", false},
		"an access token with an id_token":  {issuertest.Behaviour{}, issuer.SendAccess, "", false},
		"another person":                    {issuertest.Behaviour{Claims: map[string]any{"sub": "ben"}}, issuer.SendID, issuer.WrongToken, false},
		"revoked":                           {issuertest.Behaviour{TokenError: "invalid_grant"}, issuer.SendID, issuer.Ended, true},
		"the issuer is down":                {issuertest.Behaviour{Status: 503}, issuer.SendID, issuer.Unreachable, true},
		"the issuer says to wait":           {issuertest.Behaviour{Status: 429}, issuer.SendID, issuer.Unreachable, true},
		"the response isn't the issuer's":   {issuertest.Behaviour{Status: 204}, issuer.SendID, issuer.NotIssuer, true},
		"a token that has expired already":  {issuertest.Behaviour{Ahead: -3 * time.Hour}, issuer.SendID, issuer.WrongClock, false},
		"a signature of somebody else's":    {issuertest.Behaviour{ForeignSignature: true}, issuer.SendID, issuer.WrongToken, false},
		"groups that changed are taken on":  {issuertest.Behaviour{Claims: map[string]any{"groups": []string{"other"}}}, issuer.SendID, "", false},
		"an access token that isn't hashed": {issuertest.Behaviour{Claims: map[string]any{"at_hash": "no"}}, issuer.SendAccess, issuer.WrongToken, false},
	} {
		t.Run(name, func(t *testing.T) {
			at := issuertest.New(t)
			with := config(at)
			with.Send = c.send
			i := open(t, with)
			old, err := signIn(t, i, at)
			if err != nil {
				t.Fatal(err)
			}
			at.Set(func(b *issuertest.Behaviour) { *b = c.behave })
			fresh, err := i.Renew(t.Context(), old)
			checkFault(t, at, err, c.kind, "")
			if err == nil && (fresh.Token == "" || fresh.Token == old.Token || fresh.Name != old.Name || !fresh.Expires.After(time.Now())) {
				t.Errorf("%q until %v", fresh.Name, fresh.Expires)
			}
			if fresh.Refresh != "" && (fresh.Refresh == old.Refresh) != c.same {
				t.Errorf("the refresh token stays: %v", fresh.Refresh == old.Refresh)
			}
		})
	}
}

func TestIssuerMixUp_ResponsesNameTheirIssuer(t *testing.T) {
	for name, c := range map[string]struct {
		promises bool
		iss      string
		good     bool
	}{
		"the same":               {true, "SELF", true},
		"another":                {true, "https://evil.example", false},
		"another, not promised":  {false, "https://evil.example", false},
		"none":                   {false, "", true},
		"none, but promised":     {true, "", false},
		"the same, with a slash": {true, "SELF/", false},
	} {
		at := issuertest.New(t)
		at.Set(func(b *issuertest.Behaviour) {
			b.Discovered = map[string]any{"authorization_response_iss_parameter_supported": c.promises}
		})
		err := open(t, config(at)).CheckIssuer(t.Context(), strings.Replace(c.iss, "SELF", at.URL, 1))
		if (err == nil) != c.good || err != nil && issuer.KindOf(err) != issuer.MixedUp {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSignOutAddressHasNoToken(t *testing.T) {
	at := issuertest.New(t)
	i := open(t, config(at))
	if got, want := i.SignOut(t.Context(), "https://fieldmark.example/", "s"), at.URL+"/logout?client_id=fieldmark&post_logout_redirect_uri=https%3A%2F%2Ffieldmark.example%2F&state=s"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, none := range []any{nil, "", "javascript:alert(1)"} {
		at.Set(func(b *issuertest.Behaviour) { b.Discovered = map[string]any{"end_session_endpoint": none} })
		if got := open(t, config(at)).SignOut(t.Context(), "/", "s"); got != "" {
			t.Errorf("%v: %s", none, got)
		}
	}
}

func TestRevokedTokensCanNotBeRenewed(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*issuertest.Behaviour)
		kind   issuer.Kind
		words  string
		ends   bool
	}{
		"an issuer that revokes":   {func(*issuertest.Behaviour) {}, "", "", true},
		"the secret in the form":   {discovered("token_endpoint_auth_methods_supported", []string{"client_secret_post"}), "", "", true},
		"an issuer that can't":     {discovered("revocation_endpoint", nil), issuer.NoRevocation, "revocation_endpoint", false},
		"an issuer that refuses":   {func(b *issuertest.Behaviour) { b.RevocationStatus = 400 }, issuer.WrongClient, "status code 400", false},
		"an issuer with a trouble": {func(b *issuertest.Behaviour) { b.RevocationStatus = 503 }, issuer.Unreachable, "status code 503", false},
		"an address without TLS":   {discovered("revocation_endpoint", "http://login.example/revoke"), issuer.NotIssuer, "can't be reached", false},
	} {
		at := issuertest.New(t)
		good := open(t, config(at))
		tokens, err := signIn(t, good, at)
		if err != nil {
			t.Fatal(err)
		}
		at.Set(c.change)
		err = open(t, config(at)).Revoke(t.Context(), tokens)
		if issuer.KindOf(err) != c.kind || c.words != "" && !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := good.Renew(t.Context(), tokens); (issuer.KindOf(err) == issuer.Ended) != c.ends {
			t.Errorf("%s: renewing: %v", name, err)
		}
		if err := good.Revoke(t.Context(), issuer.Tokens{}); err != nil {
			t.Errorf("without a refresh token: %v", err)
		}
	}
}

// discovered changes a value of the discovery document.
func discovered(name string, value any) func(*issuertest.Behaviour) {
	return func(b *issuertest.Behaviour) { b.Discovered = map[string]any{name: value} }
}

func TestSettingsThatCanNotWork(t *testing.T) {
	at := issuertest.New(t)
	open644 := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(open644, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open644, 0o644); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change func(*issuer.Config)
		words  string
	}{
		"no URL":               {func(c *issuer.Config) { c.URL = "" }, "issuers.dex.url is missing"},
		"not a URL":            {func(c *issuer.Config) { c.URL = "login" }, "issuers.dex.url"},
		"without TLS":          {func(c *issuer.Config) { c.URL = "http://login.example" }, "must begin with https://"},
		"a password in it":     {func(c *issuer.Config) { c.URL = "https://a:b@login.example" }, "issuers.dex.url"},
		"no client":            {func(c *issuer.Config) { c.ClientID = "" }, "issuers.dex.clientID is missing"},
		"no secret file":       {func(c *issuer.Config) { c.SecretFile = "/none" }, "issuers.dex.clientSecretFile: the file /none"},
		"a secret for all":     {func(c *issuer.Config) { c.SecretFile = open644 }, "mode 0644"},
		"no CA file":           {func(c *issuer.Config) { c.CAFile = "/none" }, "issuers.dex.caFile"},
		"a CA that is none":    {func(c *issuer.Config) { c.CAFile = at.SecretFile }, "no certificate in PEM"},
		"another kind of send": {func(c *issuer.Config) { c.Send = "cookie" }, "issuers.dex.send"},
		"without openid":       {func(c *issuer.Config) { c.Scopes = []string{"email"} }, "issuers.dex.scopes"},
		"no public URL":        {func(c *issuer.Config) { c.Redirect = "" }, "public URL"},
	} {
		with := config(at)
		c.change(&with)
		if _, err := issuer.New(with); err == nil || !strings.Contains(err.Error(), c.words) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
