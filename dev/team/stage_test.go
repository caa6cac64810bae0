package team

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/dev/team/apiserver"
	"github.com/fieldmark/fieldmark/dev/team/certs"
	"github.com/fieldmark/fieldmark/dev/team/dex"
	"github.com/fieldmark/fieldmark/dev/team/replica"
	"github.com/fieldmark/fieldmark/dev/team/robin"
)

// patience is how long a test waits for a condition before it fails. Tokens may live for two minutes.
const patience = 4 * time.Minute

var (
	ada = dex.Person{Name: "ada", Groups: []string{"team-a"}}
	ben = dex.Person{Name: "ben", Groups: []string{"team-b"}}
	// carol has no rights.
	carol = dex.Person{Name: "carol"}
	// The others are in the team of ada. Each test that waits has a person of its own, because dex keeps one refresh token for each person and client.
	dora = dex.Person{Name: "dora", Groups: ada.Groups}
	emil = dex.Person{Name: "emil", Groups: ada.Groups}
	fay  = dex.Person{Name: "fay", Groups: ada.Groups}
	gil  = dex.Person{Name: "gil", Groups: ada.Groups}

	everybody = []dex.Person{ada, ben, carol, dora, emil, fay, gil}
)

const (
	// shortTokens is how long an id_token is valid: short, so that a test sees the next ones.
	shortTokens = 15 * time.Second
	// audience is the client of Fieldmark, whose tokens the API server accepts.
	audience = "fieldmark"
	callback = "/-/sign-in/callback"
)

// stranger is a client of the same issuer whose tokens the API server doesn't accept.
var stranger = dex.Client{ID: "another program", Secret: "another secret"}

// stage is what all tests share: an issuer, and an API server that trusts it.
type stage struct {
	dir string
	log *slog.Logger
	// tokens is how long an id_token is valid, and lives for how many of these times a page lives in a test.
	tokens   time.Duration
	lives    int
	public   string   // where browsers find the proxy
	keys     []string // files with session keys
	listener net.Listener
	proxy    *robin.Proxy
	// frail has an issuer and a Fieldmark of its own, so that the other tests don't notice when that issuer is down.
	frail    *stage
	replicas []*replica.Replica
	// issuers is the file from which the API server knows whom to trust.
	issuers string
	ca      *certs.Authority
	client  dex.Client
	dex     *dex.Dex
	api     *apiserver.Server
}

var shared struct {
	once  sync.Once
	stage *stage
	err   error
}

// onStage returns the stage, which is built by the first test that needs it. A test that changes it changes it back.
func onStage(t *testing.T) *stage {
	t.Helper()
	if os.Getenv("FIELDMARK_BIN") == "" || os.Getenv("FIELDMARK_PRACTICE_BIN") == "" {
		t.Skip("needs the programs that are tested: make test-team")
	}
	shared.once.Do(func() { shared.stage, shared.err = build(context.Background()) })
	if shared.err != nil {
		t.Fatalf("the stage: %v", shared.err)
	}
	return shared.stage
}

func TestMain(m *testing.M) {
	code := m.Run()
	if shared.stage != nil {
		if err := shared.stage.clear(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

func build(ctx context.Context) (*stage, error) {
	dir, err := os.MkdirTemp("", "fieldmark-team-")
	if err != nil {
		return nil, err
	}
	s := &stage{dir: dir, issuers: filepath.Join(dir, "issuers.json"), log: slog.New(slog.DiscardHandler), tokens: shortTokens, lives: 2}
	if err := s.times(); err != nil {
		return nil, errors.Join(err, s.clear())
	}
	if err := s.furnish(ctx); err != nil {
		return nil, errors.Join(err, s.clear())
	}
	return s, nil
}

// times reads FIELDMARK_TEAM_TOKENS (such as 2m) and FIELDMARK_TEAM_LIVES, with which a page lives longer than in the usual run.
func (s *stage) times() (err error) {
	if text := os.Getenv("FIELDMARK_TEAM_TOKENS"); text != "" {
		s.tokens, err = time.ParseDuration(text)
	}
	if text := os.Getenv("FIELDMARK_TEAM_LIVES"); text != "" && err == nil {
		s.lives, err = strconv.Atoi(text)
	}
	return err
}

func (s *stage) furnish(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var err error
	if s.ca, err = certs.New(s.dir, "issuer"); err != nil {
		return err
	}
	s.frail = &stage{dir: s.dir, log: s.log, ca: s.ca, tokens: s.tokens}
	if err := errors.Join(s.open(ctx), s.frail.open(ctx)); err != nil {
		return err
	}
	if err := apiserver.Write(s.issuers, s.trusted(), s.frail.trusted()); err != nil {
		return err
	}
	if s.api, err = apiserver.Start(ctx, os.Getenv("FIELDMARK_PRACTICE_BIN"), s.dir, s.issuers); err != nil {
		return err
	}
	s.frail.api = s.api
	return errors.Join(s.rights(ctx), s.serve(ctx, 2), s.frail.serve(ctx, 1))
}

// open starts an issuer, and takes the address at which its people will find Fieldmark.
func (s *stage) open(ctx context.Context) error {
	secure, err := s.ca.Server()
	if err != nil {
		return err
	}
	if s.listener, s.public, err = robin.Listen(ctx); err != nil {
		return err
	}
	s.client = dex.Client{ID: audience, Secret: "the secret of " + audience, Redirects: []string{s.public + callback}}
	s.dex, err = dex.Start(ctx, dex.Options{
		TLS: secure, Clients: []dex.Client{s.client, stranger}, People: everybody, Tokens: s.tokens, Log: s.log,
	})
	return err
}

// serve starts Fieldmarks and the proxy in front of them.
func (s *stage) serve(ctx context.Context, replicas int) error {
	secure, err := s.ca.Server()
	if err != nil {
		return err
	}
	key, err := replica.Key(s.dir)
	if err != nil {
		return err
	}
	s.keys = []string{key}
	for range replicas {
		r, err := s.start(ctx)
		if err != nil {
			return err
		}
		s.replicas = append(s.replicas, r)
	}
	s.proxy = robin.Serve(s.listener, secure, s.log, s.addresses()...)
	return nil
}

// addresses are those of the replicas.
func (s *stage) addresses() (all []string) {
	for _, r := range s.replicas {
		all = append(all, r.Address)
	}
	return all
}

// start starts one more Fieldmark, with the settings of now.
func (s *stage) start(ctx context.Context) (*replica.Replica, error) {
	dir, err := os.MkdirTemp(s.dir, "replica-")
	if err != nil {
		return nil, err
	}
	return replica.Start(ctx, os.Getenv("FIELDMARK_BIN"), dir, s.config())
}

// config are the settings of all replicas.
func (s *stage) config() replica.Config {
	return replica.Config{
		Public: s.public, Keys: s.keys, Cluster: s.api.URL, ClusterCA: s.api.CAFile,
		Issuer: s.dex.URL, IssuerCA: s.ca.File, Client: s.client.ID, Secret: s.client.Secret, Prefix: apiserver.Prefix,
	}
}

// trusted is the issuer as the API server knows it.
func (s *stage) trusted() apiserver.Issuer {
	return apiserver.Issuer{URL: s.dex.URL, CAFile: s.ca.File, Audiences: []string{audience}}
}

// rights are those that the comment of the package names.
func (s *stage) rights(ctx context.Context) error {
	return errors.Join(
		s.api.Namespace(ctx, "team-a", []string{"*"}, "team-a"),
		s.api.Namespace(ctx, "team-b", []string{"get", "list", "watch"}, "team-b"),
		s.api.Cluster(ctx, "team-namespaces", map[string]any{
			"apiGroups": []string{""}, "resources": []string{"namespaces"}, "verbs": []string{"get", "list", "watch"},
		}, "team-a"),
	)
}

// clear ends what was started. It fails if something didn't end by itself.
func (s *stage) clear() error {
	all := s.close()
	if s.frail != nil {
		all = errors.Join(all, s.frail.close())
	}
	if s.api != nil {
		all = errors.Join(all, s.api.Stop())
	}
	return errors.Join(all, os.RemoveAll(s.dir))
}

// close ends the issuer, the proxy and the Fieldmarks.
func (s *stage) close() (all error) {
	if s.proxy != nil {
		all = s.proxy.Stop()
	}
	for _, r := range s.replicas {
		all = errors.Join(all, r.Stop())
	}
	if s.dex != nil {
		all = errors.Join(all, s.dex.Stop())
	}
	return all
}

// token is a new id_token for a person.
func (s *stage) token(t *testing.T, p dex.Person) string {
	t.Helper()
	return s.grant(t, s.client, p, dex.Scopes).ID
}

func (s *stage) grant(t *testing.T, c dex.Client, p dex.Person, scopes string) dex.Tokens {
	t.Helper()
	got, err := s.dex.Grant(t.Context(), s.ca.Pool, c, p, scopes)
	if err != nil || got.ID == "" {
		t.Fatalf("no token for %s: %v, %q", p.Name, err, got.Fault)
	}
	return got
}

// eventually waits until check has nothing to complain about.
func eventually(t *testing.T, what string, check func() error) {
	t.Helper()
	var err error
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if err = check(); err == nil {
			return
		}
	}
	t.Fatalf("%s: not within %s: %v", what, patience, err)
}
