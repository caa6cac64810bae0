package errand

import (
	"context"
	"errors"
	"testing"
	"time"
)

// job is work that runs until its context ends.
type job struct{ ended chan struct{} }

func newSet(o Options) *Set[*job] {
	o.One, o.Many = "a walk", "walks"
	o.Bounds = Bounds{Running: 4, RunningSession: 2, KeptSession: 2}
	return NewSet[*job](o)
}

func start(s *Set[*job], session, cluster string) error {
	return s.Start(session, cluster, func(<-chan struct{}) *job { return &job{make(chan struct{})} }, func(ctx context.Context, j *job) {
		<-ctx.Done()
		close(j.ended)
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestExhaustion_WhatRunsAtOnce(t *testing.T) {
	s := newSet(Options{Owner: func(session string) string { return session[:1] }})
	t.Cleanup(s.Close)
	must(t, start(s, "a1", "one"))
	if err := start(s, "a1", "one"); !errors.Is(err, ErrRuns) || err.Error() != "a walk of this cluster is already running; stop it first" {
		t.Error(err)
	}
	must(t, start(s, "a2", "one"))
	if err := start(s, "a3", "one"); !errors.Is(err, ErrPerson) {
		t.Error(err)
	}
	must(t, start(s, "b1", "one"))
	must(t, start(s, "b1", "two"))
	if err := start(s, "b1", "three"); !errors.Is(err, ErrBusy) || err.Error() != "this session already runs 2 walks, which is the maximum; stop one first" {
		t.Error(err)
	}
	if err := start(s, "c1", "one"); !errors.Is(err, ErrFull) {
		t.Error(err)
	}
	s.Stop("a1", "one")
	if _, ok := s.Find("a1", "one"); !ok {
		t.Error("what has ended isn't kept")
	}
	if _, ok := s.Find("b1", "none"); ok {
		t.Error("something was found")
	}
	must(t, start(s, "a1", "one"))
	s.Close()
	if err := start(s, "d1", "one"); !errors.Is(err, ErrOver) {
		t.Error(err)
	}
}

func TestTheOldestThatHasEndedIsForgotten(t *testing.T) {
	now := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	s := newSet(Options{Now: func() time.Time { now = now.Add(time.Second); return now }})
	t.Cleanup(s.Close)
	for _, cluster := range []string{"one", "two", "three"} {
		must(t, start(s, "a", cluster))
		s.Stop("a", cluster)
	}
	if _, ok := s.Find("a", "one"); ok {
		t.Error("three are kept")
	}
	if _, ok := s.Find("a", "two"); !ok {
		t.Error("only one is kept")
	}
}

func TestWorkEndsWithItsLoginAndItsSession(t *testing.T) {
	over := make(chan struct{})
	s := newSet(Options{Login: func(_, cluster string) <-chan struct{} { return map[string]chan struct{}{"one": over}[cluster] }})
	t.Cleanup(s.Close)
	must(t, start(s, "a", "one"))
	must(t, start(s, "a", "two"))
	j, _ := s.Find("a", "one")
	close(over)
	<-j.ended
	if _, ok := s.Find("a", "one"); ok {
		t.Error("another login sees it")
	}
	other, ok := s.Find("a", "two")
	if !ok {
		t.Fatal("the other cluster's work has ended, too")
	}
	s.EndSession("a")
	<-other.ended
	if _, ok := s.Find("a", "two"); ok {
		t.Error("it outlives its session")
	}
}
