// Package issuertest is an OpenID Connect issuer for tests: small, with real signatures, and with faults on demand. It checks what a real
// issuer checks: the client, the redirect address, PKCE, and that codes and refresh tokens work once.
package issuertest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc/oidctest"
)

// Behaviour is how an issuer responds. Zero values are an issuer without faults.
type Behaviour struct {
	// Claims are added to each id_token, over those that the issuer makes itself. A nil value deletes a claim.
	Claims map[string]any
	// Subject is who signs in; default ada.
	Subject string
	// Life of tokens; default an hour.
	Life time.Duration
	// Ahead is how much the issuer's clock is ahead of Now.
	Ahead time.Duration
	// Discovered replaces values of the discovery document.
	Discovered map[string]any
	// Status is the status code of every response, if it isn't 0.
	Status int
	// TokenError is the error of the token endpoint, with status 400.
	TokenError string
	// NoIDTokenOnRenewal leaves the id_token out when tokens are renewed.
	NoIDTokenOnRenewal bool
	// KeepRefresh sends no new refresh token when tokens are renewed.
	KeepRefresh bool
	// ForeignSignature signs with a key that the issuer doesn't publish.
	ForeignSignature bool
	// RevocationStatus is the status code with which a revocation fails, if it isn't 0.
	RevocationStatus int
	// Hold blocks the token endpoint until it is closed.
	Hold chan struct{}
}

// Issuer is a running issuer.
type Issuer struct {
	URL, ClientID, Secret string
	// CAFile has its certificate; SecretFile the secret of its client.
	CAFile, SecretFile string
	// Now is the time; default time.Now.
	Now func() time.Time

	mu        sync.Mutex
	behaviour Behaviour
	codes     map[string]grant
	refreshes map[string]grant
	key       *ecdsa.PrivateKey
	serial    int
	calls     map[string]int
	tokens    []string
}

// grant is what a code or a refresh token stands for.
type grant struct {
	subject, nonce, challenge, redirect string
}

// New starts an issuer with TLS, which ends with the test.
func New(t testing.TB) *Issuer {
	t.Helper()
	i := &Issuer{ClientID: "fieldmark", Secret: "secret-of-the-client", codes: map[string]grant{}, refreshes: map[string]grant{}, calls: map[string]int{}, Now: time.Now}
	i.RotateKey(t)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", i.discovery)
	mux.HandleFunc("GET /keys", i.keys)
	mux.HandleFunc("GET /authorize", i.authorize)
	mux.HandleFunc("POST /token", i.token)
	mux.HandleFunc("POST /revoke", i.revoke)
	server := httptest.NewTLSServer(i.counted(mux))
	t.Cleanup(server.Close)
	i.URL = server.URL
	i.CAFile = writeTempFile(t, "ca.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}))
	i.SecretFile = writeTempFile(t, "secret", []byte(i.Secret))
	return i
}

func writeTempFile(t testing.TB, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Set changes how the issuer responds.
func (i *Issuer) Set(change func(*Behaviour)) {
	i.mu.Lock()
	defer i.mu.Unlock()
	change(&i.behaviour)
}

// RotateKey makes the issuer sign with a new key. It publishes only that one.
func (i *Issuer) RotateKey(t testing.TB) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.key = key
	i.serial++
}

// Revoke makes all refresh tokens useless.
func (i *Issuer) Revoke() {
	i.mu.Lock()
	defer i.mu.Unlock()
	clear(i.refreshes)
}

// Calls is how often a path was requested; empty: any.
func (i *Issuer) Calls(path string) int {
	i.mu.Lock()
	defer i.mu.Unlock()
	if path != "" {
		return i.calls[path]
	}
	sum := 0
	for _, n := range i.calls {
		sum += n
	}
	return sum
}

// Secrets are all credentials that the issuer gave out or knows, so that a test can look for them where they must not be.
func (i *Issuer) Secrets() []string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return append([]string{i.Secret}, i.tokens...)
}

// Authorize visits the address for signing in as a browser does, and returns the address that the issuer leads back to.
func (i *Issuer) Authorize(t testing.TB, address string) *url.URL {
	t.Helper()
	w := httptest.NewRecorder()
	i.authorize(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, address, nil))
	back, err := url.Parse(w.Header().Get("Location"))
	if err != nil || w.Code != http.StatusFound {
		t.Fatalf("the issuer responds with %d: %s", w.Code, w.Body)
	}
	return back
}

func (i *Issuer) counted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i.mu.Lock()
		i.calls[r.URL.Path]++
		status := i.behaviour.Status
		i.mu.Unlock()
		if status != 0 {
			w.WriteHeader(status)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (i *Issuer) discovery(w http.ResponseWriter, _ *http.Request) {
	document := map[string]any{
		"issuer": i.URL, "authorization_endpoint": i.URL + "/authorize", "token_endpoint": i.URL + "/token", "jwks_uri": i.URL + "/keys",
		"end_session_endpoint": i.URL + "/logout", "revocation_endpoint": i.URL + "/revoke", "id_token_signing_alg_values_supported": []string{"ES256"},
		"authorization_response_iss_parameter_supported": true,
	}
	i.mu.Lock()
	maps.Copy(document, i.behaviour.Discovered)
	i.mu.Unlock()
	respond(w, http.StatusOK, document)
}

func (i *Issuer) keys(w http.ResponseWriter, _ *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	raw, err := i.key.PublicKey.Bytes() // 4, x, y
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	encode := base64.RawURLEncoding.EncodeToString
	respond(w, http.StatusOK, map[string]any{"keys": []any{map[string]any{
		"kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "kid": i.kid(), "x": encode(raw[1:33]), "y": encode(raw[33:]),
	}}})
}

func (i *Issuer) kid() string { return "key-" + strconv.Itoa(i.serial) }

func (i *Issuer) authorize(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	i.mu.Lock()
	defer i.mu.Unlock()
	if query.Get("client_id") != i.ClientID || query.Get("response_type") != "code" || query.Get("code_challenge_method") != "S256" {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	back, err := url.Parse(query.Get("redirect_uri"))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	code := i.random("code")
	i.codes[code] = grant{i.subject(), query.Get("nonce"), query.Get("code_challenge"), query.Get("redirect_uri")}
	back.RawQuery = url.Values{"code": {code}, "state": {query.Get("state")}, "iss": {i.URL}}.Encode()
	w.Header().Set("Location", back.String())
	w.WriteHeader(http.StatusFound)
}

func (i *Issuer) subject() string {
	if i.behaviour.Subject == "" {
		return "ada"
	}
	return i.behaviour.Subject
}

// random makes a value that is remembered as a credential.
func (i *Issuer) random(kind string) string {
	value := kind + "-" + rand.Text()
	i.tokens = append(i.tokens, value)
	return value
}

func respond(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// sign makes an id_token.
func (i *Issuer) sign(g grant) string {
	now := i.Now().Add(i.behaviour.Ahead)
	claims := map[string]any{
		"iss": i.URL, "aud": i.ClientID, "sub": g.subject, "iat": now.Unix(), "exp": now.Add(i.life()).Unix(), "groups": []string{"team-" + g.subject},
	}
	if g.nonce != "" {
		claims["nonce"] = g.nonce
	}
	maps.Copy(claims, i.behaviour.Claims)
	maps.DeleteFunc(claims, func(_ string, v any) bool { return v == nil })
	text, err := json.Marshal(claims)
	if err != nil {
		panic(err)
	}
	key := i.key
	if i.behaviour.ForeignSignature {
		if key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
			panic(err)
		}
	}
	token := oidctest.SignIDToken(key, i.kid(), "ES256", string(text))
	i.tokens = append(i.tokens, token)
	return token
}

func (i *Issuer) life() time.Duration {
	if i.behaviour.Life == 0 {
		return time.Hour
	}
	return i.behaviour.Life
}
