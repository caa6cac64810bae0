// Package stage builds what the proof of the shared mode is played on: two issuers, an API server that trusts both, Fieldmarks, and a proxy in front of them.
package stage

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/fieldmark/fieldmark/dev/team/apiserver"
	"github.com/fieldmark/fieldmark/dev/team/certs"
	"github.com/fieldmark/fieldmark/dev/team/dex"
	"github.com/fieldmark/fieldmark/dev/team/replica"
	"github.com/fieldmark/fieldmark/dev/team/robin"
)

const (
	// Audience is the client of Fieldmark, whose tokens the API server accepts.
	Audience = "fieldmark"
	callback = "/-/sign-in/callback"
	// patience is how long a stage may take until all of it is ready.
	patience = 4 * time.Minute
)

// Stranger is a client of the same issuers whose tokens the API server doesn't accept.
var Stranger = dex.Client{ID: "another program", Secret: "another secret"}

// Options describe a stage.
type Options struct {
	// Fieldmark and Practice are the programs that are tested.
	Fieldmark, Practice string
	// Tokens is how long an id_token is valid.
	Tokens time.Duration
	// Joined makes the issuer of Frail one of the same Fieldmarks, for a second cluster with the name Second. Otherwise, Frail has a Fieldmark of its own.
	Joined bool
}

// Second is the name of the second cluster of a stage that has Joined. It is the same API server.
const Second = "second"

// Stage is an issuer with Fieldmarks whose people it signs in, and an API server that trusts it.
type Stage struct {
	Options

	// Dir is a temporary folder.
	Dir string
	// Public is where browsers find the proxy.
	Public string
	// Keys are files with session keys.
	Keys     []string
	Proxy    *robin.Proxy
	Replicas []*replica.Replica
	// Issuers is the file from which the API server knows whom to trust.
	Issuers string
	CA      *certs.Authority
	Client  dex.Client
	Dex     *dex.Dex
	API     *apiserver.Server
	// Frail has an issuer of its own, so that tests of the other one don't notice when it is down.
	Frail *Stage

	log      *slog.Logger
	listener net.Listener
	issuer   string // its URL
	named    string // as the settings of Fieldmark name the issuer
}

// New builds a stage. Clear ends it.
func New(ctx context.Context, o Options) (*Stage, error) {
	s, err := empty(o)
	if err != nil {
		return nil, err
	}
	if err := s.furnish(ctx); err != nil {
		return nil, errors.Join(err, s.Clear())
	}
	return s, nil
}

// empty is a stage with nothing but a folder.
func empty(o Options) (*Stage, error) {
	dir, err := os.MkdirTemp("", "fieldmark-team-")
	if err != nil {
		return nil, fmt.Errorf("making a folder: %w", err)
	}
	return &Stage{Options: o, Dir: dir, Issuers: filepath.Join(dir, "issuers.json"), log: slog.New(slog.DiscardHandler)}, nil
}

func (s *Stage) furnish(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var err error
	if s.CA, err = certs.New(s.Dir, "issuer"); err != nil {
		return err
	}
	s.Frail = &Stage{Options: s.Options, Dir: s.Dir, log: s.log, CA: s.CA}
	if err := s.startIssuer(ctx); err != nil {
		return err
	}
	if s.Joined {
		s.Frail.Public = s.Public
	}
	if err := s.Frail.startIssuer(ctx); err != nil {
		return err
	}
	if err := apiserver.Write(s.Issuers, s.Trusted(), s.Frail.Trusted()); err != nil {
		return err
	}
	if s.API, err = apiserver.Start(ctx, s.Practice, s.Dir, s.Issuers); err != nil {
		return err
	}
	s.Frail.API = s.API
	if err := errors.Join(s.rights(ctx), s.serve(ctx, 2)); err != nil || s.Joined {
		return err
	}
	return s.Frail.serve(ctx, 1)
}

// startIssuer starts an issuer, and takes the address at which its people will find Fieldmark, unless they have one.
func (s *Stage) startIssuer(ctx context.Context) error {
	secure, err := s.CA.Server()
	if err != nil {
		return err
	}
	if s.Public == "" {
		if s.listener, s.Public, err = robin.Listen(ctx); err != nil {
			return err
		}
	}
	s.Client = dex.Client{ID: Audience, Secret: "the secret of " + Audience, Redirects: []string{s.Public + callback}}
	s.Dex, err = dex.Start(ctx, dex.Options{
		TLS: secure, Clients: []dex.Client{s.Client, Stranger}, People: Everybody(), Tokens: s.Tokens, Log: s.log,
	})
	if err != nil {
		return err
	}
	s.issuer, s.named = s.Dex.URL, "dex"
	return nil
}

// serve starts Fieldmarks and the proxy in front of them.
func (s *Stage) serve(ctx context.Context, replicas int) error {
	secure, err := s.CA.Server()
	if err != nil {
		return err
	}
	key, err := replica.Key(s.Dir)
	if err != nil {
		return err
	}
	s.Keys = []string{key}
	for range replicas {
		r, err := s.Another(ctx)
		if err != nil {
			return err
		}
		s.Replicas = append(s.Replicas, r)
	}
	s.Proxy = robin.Serve(s.listener, secure, s.log, s.Addresses()...)
	return nil
}

// Addresses are those of the replicas.
func (s *Stage) Addresses() (all []string) {
	for _, r := range s.Replicas {
		all = append(all, r.Address)
	}
	return all
}

// Another starts one more Fieldmark, with the settings of now.
func (s *Stage) Another(ctx context.Context) (*replica.Replica, error) {
	dir, err := os.MkdirTemp(s.Dir, "replica-")
	if err != nil {
		return nil, fmt.Errorf("making a folder: %w", err)
	}
	return replica.Start(ctx, s.Fieldmark, dir, s.Config())
}

// Config are the settings of all replicas.
func (s *Stage) Config() replica.Config {
	c := replica.Config{
		Public: s.Public, Keys: s.Keys, Cluster: s.API.URL, ClusterCA: s.API.CAFile, Prefix: apiserver.Prefix,
		Sites: []replica.Site{s.site(replica.Slug, s.named)},
	}
	if s.Joined {
		c.Sites = append(c.Sites, s.Frail.site(Second, "frail"))
	}
	return c
}

// site is a cluster whose people the stage's issuer signs in.
func (s *Stage) site(slug, issuer string) replica.Site {
	return replica.Site{Slug: slug, Name: issuer, Issuer: s.issuer, IssuerCA: s.CA.File, Client: s.Client.ID, Secret: s.Client.Secret}
}

// Trusted is the issuer as the API server knows it.
func (s *Stage) Trusted() apiserver.Issuer {
	return apiserver.Issuer{URL: s.issuer, CAFile: s.CA.File, Audiences: []string{Audience}}
}

// Clear ends what was started. It fails if something didn't end by itself.
func (s *Stage) Clear() error {
	all := s.close()
	if s.Frail != nil {
		all = errors.Join(all, s.Frail.close())
	}
	if s.API != nil {
		all = errors.Join(all, s.API.Stop())
	}
	return errors.Join(all, os.RemoveAll(s.Dir))
}

// close ends the issuer, the proxy and the Fieldmarks.
func (s *Stage) close() (all error) {
	if s.Proxy != nil {
		all = s.Proxy.Stop()
	}
	for _, r := range s.Replicas {
		all = errors.Join(all, r.Stop())
	}
	if s.Dex != nil {
		all = errors.Join(all, s.Dex.Stop())
	}
	return all
}
