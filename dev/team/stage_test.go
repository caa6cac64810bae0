package team

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/dev/team/dex"
	"github.com/fieldmark/fieldmark/dev/team/stage"
)

// patience is how long a test waits for a condition before it fails. Tokens may live for two minutes.
const patience = 4 * time.Minute

var (
	ada, ben, carol, dora, emil, fay, gil = stage.Ada, stage.Ben, stage.Carol, stage.Dora, stage.Emil, stage.Fay, stage.Gil

	stranger = stage.Stranger
)

// shortTokens is how long an id_token is valid: short, so that a test sees the next ones.
const shortTokens = 15 * time.Second

// scene is a stage as the tests use it.
type scene struct {
	*stage.Stage

	// lives is for how many lives of a token a page lives in a test.
	lives int
}

var shared struct {
	once  sync.Once
	scene *scene
	err   error
}

// onStage returns the stage, which is built by the first test that needs it. A test that changes it changes it back.
func onStage(t *testing.T) *scene {
	t.Helper()
	if os.Getenv("FIELDMARK_BIN") == "" || os.Getenv("FIELDMARK_PRACTICE_BIN") == "" {
		t.Skip("needs the programs that are tested: make test-team")
	}
	shared.once.Do(func() { shared.scene, shared.err = build(context.Background()) })
	if shared.err != nil {
		t.Fatalf("the stage: %v", shared.err)
	}
	return shared.scene
}

// frail is the stage with the issuer that a test may disturb.
func (s *scene) frail() *scene { return &scene{Stage: s.Frail, lives: s.lives} }

func TestMain(m *testing.M) {
	code := m.Run()
	if shared.scene != nil {
		if err := shared.scene.Clear(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

func build(ctx context.Context) (*scene, error) {
	tokens, lives, err := times()
	if err != nil {
		return nil, err
	}
	s, err := stage.New(ctx, stage.Options{Fieldmark: os.Getenv("FIELDMARK_BIN"), Practice: os.Getenv("FIELDMARK_PRACTICE_BIN"), Tokens: tokens})
	return &scene{Stage: s, lives: lives}, err
}

// times reads FIELDMARK_TEAM_TOKENS (such as 2m) and FIELDMARK_TEAM_LIVES, with which a page lives longer than in the usual run.
func times() (tokens time.Duration, lives int, err error) {
	tokens, lives = shortTokens, 2
	if text := os.Getenv("FIELDMARK_TEAM_TOKENS"); text != "" {
		tokens, err = time.ParseDuration(text)
	}
	if text := os.Getenv("FIELDMARK_TEAM_LIVES"); text != "" && err == nil {
		lives, err = strconv.Atoi(text)
	}
	return tokens, lives, err
}

// token is a new id_token for a person.
func (s *scene) token(t *testing.T, p dex.Person) string {
	t.Helper()
	return s.grant(t, s.Client, p, dex.Scopes).ID
}

func (s *scene) grant(t *testing.T, c dex.Client, p dex.Person, scopes string) dex.Tokens {
	t.Helper()
	got, err := s.Dex.Grant(t.Context(), s.CA.Pool, c, p, scopes)
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
