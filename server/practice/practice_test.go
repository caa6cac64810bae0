package practice

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/server/cluster"
)

// start runs the test binary as a program at fault.
func start(t *testing.T, how string, o Options) *Practice {
	t.Helper()
	t.Setenv(fakeEnv, how)
	t.Setenv("TMPDIR", t.TempDir())
	o.Binary = os.Args[0]
	p, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Stop(context.WithoutCancel(t.Context())) })
	return p
}

func ended(t *testing.T, p *Practice) Progress {
	t.Helper()
	select {
	case <-p.Done():
	case <-time.After(20 * time.Second):
		t.Fatal("it does not end")
	}
	return p.Progress()
}

func TestFailuresAreTold(t *testing.T) {
	for how, says := range map[string]string{
		"exits":            "the program ended unexpectedly (exit status 3): no space left on device",
		"leaves":           "the program ended by itself",
		"fails":            "the folder /x is in use by another practice cluster",
		"fails wordlessly": `the step "etcd" failed`,
	} {
		t.Run(how, func(t *testing.T) {
			p := start(t, how, Options{})
			g := ended(t, p)
			if g.Failed != says || !g.Ended || g.Ready || g.APIReady || !strings.Contains(g.Summary(), says) {
				t.Errorf("%+v", g)
			}
			if s := StateOf(g); s.Phase != cluster.Failed || s.Advice == "" {
				t.Errorf("%+v", s)
			}
			select {
			case <-p.APIReady():
				t.Error("the API is told to be ready")
			default:
			}
			if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) != 0 {
				t.Errorf("%s is left behind", left[0].Name())
			}
		})
	}
}

func TestItGetsTheEnvironmentWithoutTheLaunchToken(t *testing.T) {
	t.Setenv("FIELDMARK_TOKEN", "launch-token-for-tests")
	p := start(t, "tells its environment", Options{})
	ended(t, p)
	told := string(p.stderr.kept)
	if strings.Contains(told, "FIELDMARK_TOKEN") || !strings.Contains(told, fakeEnv) || !strings.Contains(told, "PATH") {
		t.Errorf("it gets %s", told)
	}
}

func TestGarbageIsBounded(t *testing.T) {
	p := start(t, "garbles", Options{})
	for deadline := time.Now().Add(10 * time.Second); p.Progress().Steps == nil || len(p.Progress().Steps) < maxSteps; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%+v", p.Progress())
		}
	}
	if err := p.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	g := p.Progress()
	if len(g.Steps) != maxSteps || g.Failed != "" || !g.Ended || len(p.stderr.kept) > maxStderr {
		t.Errorf("%d steps, failed %q, %d bytes of stderr", len(g.Steps), g.Failed, len(p.stderr.kept))
	}
	if g.Summary() != "the practice cluster was stopped" {
		t.Error(g.Summary())
	}
}

func TestTheDeafAreKilled(t *testing.T) {
	p := start(t, "is deaf", Options{Grace: 300 * time.Millisecond})
	began := time.Now()
	if err := p.Stop(t.Context()); err == nil || !strings.Contains(err.Error(), "was killed") {
		t.Errorf("got %v", err)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %s", took)
	}
	if err := p.Stop(t.Context()); err != nil {
		t.Errorf("a second Stop: %v", err)
	}
}

func TestStopsWithItsContext(t *testing.T) {
	t.Setenv(fakeEnv, "garbles")
	ctx, cancel := context.WithCancel(t.Context())
	p, err := Start(ctx, Options{Binary: os.Args[0], Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if g := ended(t, p); g.Failed != "" {
		t.Errorf("%+v", g)
	}
}

func TestRegisterTellsWhatHappens(t *testing.T) {
	p := start(t, "dies later", Options{})
	r := cluster.New(cluster.Options{})
	if err := os.WriteFile(p.KubeconfigPath, []byte(`{"contexts":[{"name":"practice","context":{"cluster":"x"}}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Register(t.Context(), p, r); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{cluster.Practice, cluster.PracticeViewer} {
		c, ok := r.Get(name)
		if !ok {
			t.Fatalf("no %s", name)
		}
		if s := c.State(t.Context(), nil); s.Phase != cluster.Failed || !strings.Contains(s.Text, "panic: gone") {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

func TestStartSaysWhatToDo(t *testing.T) {
	_, err := Start(t.Context(), Options{Binary: filepath.Join(t.TempDir(), "none")})
	if !errors.Is(err, ErrNotBuilt) || !strings.Contains(err.Error(), "make build") || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v", err)
	}
	if _, err := Start(t.Context(), Options{}); !errors.Is(err, ErrNotBuilt) {
		t.Errorf("beside the test binary: %v", err)
	}
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Start(t.Context(), Options{Binary: text}); err == nil || !strings.Contains(err.Error(), "permission denied") {
		t.Errorf("got %v", err)
	}
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	if _, err := Start(t.Context(), Options{Binary: os.Args[0]}); err == nil || !strings.Contains(err.Error(), "TMPDIR") {
		t.Errorf("got %v", err)
	}
}

func TestProgressWithStepsAtTheSameTime(t *testing.T) {
	var g Progress
	current := func(name, state, want string) {
		t.Helper()
		if g = g.with(Step{Name: name, State: state}); g.Current != want {
			t.Errorf("after %s %s: %q", name, state, g.Current)
		}
	}
	current("apiserver", Started, "apiserver")
	if s := StateOf(g); s.Phase != cluster.Starting || s.Text != "the practice cluster is starting: apiserver (step 4 of 9)" {
		t.Errorf("%+v", s)
	}
	current("apiserver", Done, "")
	current("content", Started, "content")
	current("nodes", Started, "nodes")
	current("nodes", Done, "content")
	current("content", Done, "")
	if g.Ready || !g.APIReady {
		t.Errorf("%+v", g)
	}
	current("ready", Done, "")
	if !g.Ready || g.Summary() != "the practice cluster is ready" {
		t.Errorf("%+v", g)
	}
	names := slices.Collect(func(yield func(string) bool) {
		for _, s := range g.Steps {
			if !yield(s.Name) {
				return
			}
		}
	})
	if !slices.Equal(names, []string{"apiserver", "content", "nodes", "ready"}) {
		t.Errorf("%q", names)
	}
}

func TestProgressOfARestart(t *testing.T) {
	const died = "kube-apiserver stopped by itself (signal: killed) and starts again"
	var g Progress
	for _, s := range []Step{{Name: "apiserver", State: Done}, {Name: "controllers", State: Done}, {Name: "ready", State: Done}} {
		g = g.with(s)
	}
	if _, yes := g.Interrupted(); yes || len(g.Restarting()) != 0 {
		t.Errorf("before: %+v", g)
	}
	for _, c := range []struct {
		step                   Step
		restarting             int
		interrupted, stillOpen bool
		summary                string
	}{
		{Step{Name: "controllers", State: Restarting, Message: "kube-scheduler stopped"}, 1, false, true, "a part of the practice cluster is starting again: kube-scheduler stopped"},
		{Step{Name: "apiserver", State: Restarting, Message: died}, 2, true, true, "a part of the practice cluster is starting again: " + died},
		{Step{Name: "controllers", State: Done}, 1, true, true, "a part of the practice cluster is starting again: " + died},
		{Step{Name: "apiserver", State: Done}, 0, false, true, "the practice cluster is ready"},
		{Step{Name: "apiserver", State: Failed, Message: "it stopped 5 times"}, 0, false, true, "the practice cluster failed: it stopped 5 times"},
	} {
		g = g.with(c.step)
		state, interrupted := interruption(g)
		if len(g.Restarting()) != c.restarting || interrupted != c.interrupted || g.Ready != c.stillOpen || g.Summary() != c.summary {
			t.Errorf("after %+v: %+v, %q", c.step, g, g.Summary())
		}
		if interrupted && (state.Phase != cluster.Starting || state.Text != died || state.Advice == "") {
			t.Errorf("after %+v: %+v", c.step, state)
		}
	}
}

// TestAnInterruptionIsTold lets the API server of a program be away for a moment.
func TestAnInterruptionIsTold(t *testing.T) {
	p := start(t, "is interrupted", Options{})
	r := cluster.New(cluster.Options{})
	config := `{"clusters":[{"name":"x","cluster":{"server":"https://127.0.0.1:1"}}],"contexts":[{"name":"practice","context":{"cluster":"x"}}]}`
	if err := os.WriteFile(p.KubeconfigPath, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	go func() { _ = Register(t.Context(), p, r) }()
	wantState(t, r, cluster.Practice, cluster.Starting)
	c, _ := r.Get(cluster.Practice)
	var problem *cluster.Problem
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		c, _ = r.Get(cluster.Practice)
		if _, err := c.Target(); errors.As(err, &problem) && strings.Contains(problem.Text, "stopped by itself") {
			break
		}
	}
	if problem == nil || !strings.Contains(problem.Text, "stopped by itself") {
		t.Fatalf("%+v", problem)
	}
	if s := c.State(t.Context(), nil); s.Phase != cluster.Starting || s.Text != problem.Text {
		t.Errorf("%+v", s)
	}
	p.news([]byte(`{"step":"apiserver","state":"done"}`))
	if _, err := c.Target(); err != nil {
		t.Errorf("back again: %v", err)
	}
}
