// Package dex runs dex, a real OpenID Connect issuer, in this process: TLS, storage in memory, two or more people with passwords, short tokens,
// and refresh tokens that are replaced at each use.
package dex

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/dexidp/dex/server"
	"github.com/dexidp/dex/server/signer"
	"github.com/dexidp/dex/storage"
	"github.com/dexidp/dex/storage/memory"
	"golang.org/x/crypto/bcrypt"
)

// Person is somebody who can sign in.
type Person struct {
	// Name is the claim preferred_username. The person signs in with the address of Email.
	Name   string
	Groups []string
}

// Email is what the person enters in the form.
func (p Person) Email() string { return p.Name + "@example.org" }

// Password is what the person enters in the form.
func (p Person) Password() string { return "the password of " + p.Name }

// Client is a program that people sign in to.
type Client struct {
	ID, Secret string
	// Redirects are the addresses that people may be sent back to.
	Redirects []string
}

// Options describe one issuer.
type Options struct {
	TLS     *tls.Config
	Clients []Client
	People  []Person
	// Tokens is how long an id_token is valid.
	Tokens time.Duration
	Log    *slog.Logger
}

// Dex is an issuer that runs.
type Dex struct {
	// URL is the issuer's.
	URL string

	store  storage.Storage
	signer signer.Signer
	http   *http.Server
	stop   context.CancelFunc

	ahead atomic.Int64 // how far the clock of the signing keys is ahead, in nanoseconds
	down  atomic.Bool
	slow  atomic.Int64 // how long each request waits, in nanoseconds
}

const (
	// local is dex's own connector for people with passwords.
	local = "local"
	// rotation is how often dex replaces its signing key: not during a test, unless the test says so.
	rotation = 24 * time.Hour
	// reuse is dex's own default: how long a refresh token can be used again after it was replaced.
	reuse = "3s"
)

// Start starts an issuer on a free port of this machine. Its name is localhost, so that browsers see another site than 127.0.0.1.
func Start(ctx context.Context, o Options) (*Dex, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listening for the issuer: %w", err)
	}
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		return nil, fmt.Errorf("finding the issuer's port: %w", err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	d := &Dex{URL: "https://localhost:" + port + "/dex", store: &roster{Storage: memory.New(o.Log), people: map[string]storage.Password{}}, stop: cancel}
	if err := d.fill(ctx, o); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	handler, err := d.handler(ctx, o)
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	d.http = &http.Server{Handler: d.faults(handler), TLSConfig: o.TLS, ReadHeaderTimeout: time.Minute, ErrorLog: slog.NewLogLogger(o.Log.Handler(), slog.LevelDebug)}
	go func() { _ = d.http.ServeTLS(listener, "", "") }()
	return d, nil
}

// Stop ends the issuer and its connections.
func (d *Dex) Stop() error {
	d.stop()
	if err := d.http.Close(); err != nil {
		return fmt.Errorf("stopping the issuer: %w", err)
	}
	return nil
}

// fill gives the issuer its clients and people.
func (d *Dex) fill(ctx context.Context, o Options) error {
	all := d.store.CreateConnector(ctx, storage.Connector{ID: local, Type: server.LocalConnector, Name: "Password"})
	for _, c := range o.Clients {
		all = errors.Join(all, d.store.CreateClient(ctx, storage.Client{ID: c.ID, Secret: c.Secret, RedirectURIs: c.Redirects, Name: c.ID}))
	}
	for _, p := range o.People {
		hash, err := bcrypt.GenerateFromPassword([]byte(p.Password()), bcrypt.DefaultCost)
		if err != nil {
			return fmt.Errorf("hashing a password: %w", err)
		}
		all = errors.Join(all, d.store.CreatePassword(ctx, storage.Password{
			Email: p.Email(), Hash: hash, Username: p.Name, PreferredUsername: p.Name, UserID: "id-of-" + p.Name, Groups: p.Groups,
		}))
	}
	return all
}

// handler is dex itself.
func (d *Dex) handler(ctx context.Context, o Options) (http.Handler, error) {
	config := signer.LocalConfig{KeysRotationPeriod: rotation.String()}
	keys, err := config.Open(ctx, d.store, rotation, d.now, o.Log)
	if err != nil {
		return nil, fmt.Errorf("making dex's keys: %w", err)
	}
	keys.Start(ctx)
	d.signer = keys
	policy, err := server.NewRefreshTokenPolicy(o.Log, false, "", "", reuse)
	if err != nil {
		return nil, fmt.Errorf("making dex's rule for refresh tokens: %w", err)
	}
	dex, err := server.NewServer(ctx, server.Config{
		Issuer: d.URL, Storage: d.store, Signer: keys, Logger: o.Log,
		SkipApprovalScreen: true, PasswordConnector: local,
		IDTokensValidFor: o.Tokens, RefreshTokenPolicy: policy,
	})
	if err != nil {
		return nil, fmt.Errorf("starting dex: %w", err)
	}
	return dex, nil
}

// now is the clock of the signing keys.
func (d *Dex) now() time.Time { return time.Now().Add(time.Duration(d.ahead.Load())) }
