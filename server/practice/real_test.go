package practice

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/server/cluster"
)

// realProgram is the program that make build makes.
func realProgram(t *testing.T) string {
	t.Helper()
	binary, err := filepath.Abs(filepath.Join("..", "..", "bin", BinaryName))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(binary); err != nil {
		t.Skipf("SKIPPED, NOT TESTED: %s is not built; make build builds it", binary)
	}
	return binary
}

// TestRealPracticeCluster starts the real program, uses both contexts, and stops it without a trace.
func TestRealPracticeCluster(t *testing.T) {
	binary := realProgram(t)
	t.Setenv("TMPDIR", t.TempDir())
	var mu sync.Mutex
	var told []Progress
	// It must end by itself. On a busy machine, the kernel takes long to free the memory of what was killed.
	p, err := Start(t.Context(), Options{Binary: binary, Grace: 30 * time.Second, OnProgress: func(g Progress) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, g)
	}})
	if err != nil {
		t.Fatal(err)
	}
	r := cluster.New(cluster.Options{})
	registered := make(chan error, 1)
	go func() { registered <- Register(t.Context(), p, r) }()
	wantState(t, r, cluster.Practice, cluster.Starting)
	select {
	case <-p.APIReady():
	case <-p.Done():
		t.Fatalf("%+v", p.Progress())
	case <-time.After(2 * time.Minute):
		t.Fatalf("the API server is not ready: %+v", p.Progress())
	}
	wantState(t, r, cluster.Practice, cluster.Ready)
	wantState(t, r, cluster.PracticeViewer, cluster.Ready)
	if err := p.Stop(context.WithoutCancel(t.Context())); err != nil {
		t.Error(err)
	}
	if err := <-registered; err != nil {
		t.Error(err)
	}
	wantState(t, r, cluster.Practice, cluster.Unreachable)
	if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) != 0 {
		t.Errorf("%s is left behind", left[0].Name())
	}
	mu.Lock()
	defer mu.Unlock()
	if last := told[len(told)-1]; len(told) < 5 || !last.Ended || last.Failed != "" {
		t.Errorf("%d news, the last %+v", len(told), last)
	}
}

// wantState waits until the context's state is the one wanted.
func wantState(t *testing.T, r *cluster.Registry, name string, want cluster.Phase) {
	t.Helper()
	var got cluster.State
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if c, ok := r.Get(name); ok {
			if got = c.State(t.Context(), nil); got.Phase == want {
				return
			}
		}
	}
	t.Errorf("%s is %+v instead of %s", name, got, want)
}

// TestARealPracticeClusterBesideAnother has contexts of its own, and a version of its own. A version that doesn't exist is told with those that do.
func TestARealPracticeClusterBesideAnother(t *testing.T) {
	binary := realProgram(t)
	t.Setenv("TMPDIR", t.TempDir())
	r := cluster.New(cluster.Options{})
	const name = "practice-1.37"
	p, err := Start(t.Context(), Options{Binary: binary, Context: name, Kubernetes: "1.37"})
	if err != nil {
		t.Fatal(err)
	}
	registered := make(chan error, 1)
	go func() { registered <- Register(t.Context(), p, r) }()
	select {
	case <-p.APIReady():
	case <-p.Done():
		t.Fatalf("%+v", p.Progress())
	case <-time.After(2 * time.Minute):
		t.Fatalf("the API server is not ready: %+v", p.Progress())
	}
	wantState(t, r, name, cluster.Ready)
	wantState(t, r, cluster.ViewerOf(name), cluster.Ready)
	for slug, administers := range map[string]bool{name: true, cluster.ViewerOf(name): false} {
		if c, _ := r.Get(slug); c.Administers() != administers {
			t.Errorf("%s administers: %t", slug, !administers)
		}
	}
	if _, ok := r.Get(cluster.Practice); ok {
		t.Error("it has the other cluster's name, too")
	}
	if err := p.Stop(context.WithoutCancel(t.Context())); err != nil {
		t.Error(err)
	}
	if err := <-registered; err != nil {
		t.Error(err)
	}

	unknown, err := Start(t.Context(), Options{Binary: binary, Kubernetes: "1.30"})
	if err != nil {
		t.Fatal(err)
	}
	<-unknown.Done()
	if said := unknown.Progress().Failed; !strings.Contains(said, `no control plane of Kubernetes "1.30"`) || !strings.Contains(said, "1.37") {
		t.Errorf("an unknown version: %q", said)
	}
}
