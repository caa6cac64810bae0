// Package zitadel runs a second OpenID Connect issuer in this process. Its protocol is zitadel/oidc, a certified library; its people, clients and
// tokens are in memory here. Unlike dex, it signs people out and revokes refresh tokens.
package zitadel

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/zitadel/oidc/v3/pkg/op"

	"github.com/fieldmark/fieldmark/dev/team/dex"
)

// Options describe one issuer.
type Options struct {
	TLS    *tls.Config
	People []dex.Person
	// Client is the only client. LeadsBack are the addresses to which a person may be led after signing out.
	Client    dex.Client
	LeadsBack []string
	// Tokens is how long an id_token is valid.
	Tokens time.Duration
	Log    *slog.Logger
}

// Issuer is an issuer that runs.
type Issuer struct {
	// URL is the issuer's.
	URL string

	store *store
	http  *http.Server
}

// Start starts an issuer on a free port of this machine. Its name is localhost, so that browsers see another site than 127.0.0.1.
func Start(ctx context.Context, o Options) (*Issuer, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listening for the issuer: %w", err)
	}
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		return nil, fmt.Errorf("finding the issuer's port: %w", err)
	}
	i := &Issuer{URL: "https://localhost:" + port}
	if i.store, err = newStore(o); err != nil {
		return nil, err
	}
	handler, err := i.handler()
	if err != nil {
		return nil, err
	}
	i.http = &http.Server{
		Handler: handler, TLSConfig: o.TLS, ReadHeaderTimeout: time.Minute, ErrorLog: slog.NewLogLogger(o.Log.Handler(), slog.LevelDebug),
	}
	go func() { _ = i.http.ServeTLS(listener, "", "") }()
	return i, nil
}

// Stop ends the issuer and its connections.
func (i *Issuer) Stop() error {
	if err := i.http.Close(); err != nil {
		return fmt.Errorf("stopping the issuer: %w", err)
	}
	return nil
}

// handler is the library's provider, with the pages that it leaves to others.
func (i *Issuer) handler() (http.Handler, error) {
	config := &op.Config{CodeMethodS256: true, GrantTypeRefreshToken: true, DefaultLogoutRedirectURI: i.URL + "/signed-out"}
	if _, err := rand.Read(config.CryptoKey[:]); err != nil {
		return nil, fmt.Errorf("making a key: %w", err)
	}
	provider, err := op.NewProvider(config, i.store, op.StaticIssuer(i.URL))
	if err != nil {
		return nil, fmt.Errorf("making the issuer: %w", err)
	}
	p := &pages{store: i.store, back: op.AuthCallbackURL(provider)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /login", op.NewIssuerInterceptor(provider.IssuerFromRequest).HandlerFunc(p.form))
	mux.HandleFunc("POST /login", op.NewIssuerInterceptor(provider.IssuerFromRequest).HandlerFunc(p.login))
	mux.Handle("/", provider)
	return p.known(mux), nil
}

// Refreshes is how many refresh tokens of a person work.
func (i *Issuer) Refreshes(p dex.Person) int {
	i.store.mu.Lock()
	defer i.store.mu.Unlock()
	found := 0
	for _, g := range i.store.refreshes {
		if g.user == p.Name {
			found++
		}
	}
	return found
}

// Renewals is how often tokens were renewed.
func (i *Issuer) Renewals() int {
	i.store.mu.Lock()
	defer i.store.mu.Unlock()
	return i.store.renewals
}

// Forget makes the issuer forget its client, or know it again.
func (i *Issuer) Forget(forgotten bool) {
	i.store.mu.Lock()
	defer i.store.mu.Unlock()
	i.store.forgotten = forgotten
}

// LeadBack replaces the addresses to which the issuer leads people back after signing out.
func (i *Issuer) LeadBack(addresses ...string) {
	i.store.mu.Lock()
	defer i.store.mu.Unlock()
	changed := *i.store.client
	changed.leadsBack = addresses
	i.store.client = &changed
}
