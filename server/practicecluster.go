package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/server/practice"
)

// wantsPractice tells whether the practice cluster should run.
func (a *app) wantsPractice() bool {
	if a.config.Practice != "auto" {
		return a.config.Practice == "on"
	}
	for _, c := range a.clusters.List() {
		if _, err := c.Target(); err == nil {
			return false
		}
	}
	return true
}

func (a *app) startPractice(ctx context.Context) error {
	if !a.wantsPractice() {
		return nil
	}
	reporter := newReporter(a.log)
	p, err := practice.Start(context.WithoutCancel(ctx), practice.Options{Build: a.config.PracticeBuild, Dir: a.config.PracticeDir, OnProgress: reporter.report, Log: a.log})
	if err != nil && a.config.Practice == "on" {
		return fmt.Errorf("the practice cluster can't start: %w", err)
	}
	if err != nil {
		a.log.Warn("no practice cluster", "err", err)
		a.trouble = append(a.trouble, components.Notice{Tone: components.Warn, Title: "There is no practice cluster", Words: err.Error()})
		return nil
	}
	a.practice = p
	practice.Announce(p, a.clusters)
	go func() {
		if err := practice.Register(ctx, p, a.clusters); err != nil && ctx.Err() == nil {
			a.log.Error("the practice cluster's contexts are not known", "err", err)
		}
	}()
	return nil
}

func (a *app) stopPractice() {
	if a.practice == nil {
		return
	}
	if err := a.practice.Stop(context.Background()); err != nil {
		a.log.Warn("the practice cluster did not stop by itself", "err", err)
	}
}

// awaitPractice waits until the practice cluster responds, if it should run. If it fails, that is an error only with --practice on. It doesn't
// wait for a compilation: pages show how far it is, and why it failed.
func (a *app) awaitPractice(ctx context.Context) error {
	if a.practice == nil {
		return nil
	}
	select {
	case <-ctx.Done():
	case <-a.practice.APIReady():
	case <-a.practice.Compiling():
	case <-a.practice.Done():
		select {
		case <-a.practice.Compiling(): // the build has failed: its pages say why
			return nil
		default:
		}
		words := a.practice.Progress().Summary()
		if a.config.Practice == "on" && ctx.Err() == nil {
			return errors.New(words)
		}
	}
	return nil
}

// ready tells whether Fieldmark and its practice cluster are ready; the text says what is missing.
func (a *app) ready() (ok bool, words string) {
	switch {
	case a.draining.Load():
		return false, "Fieldmark is stopping"
	case a.practice == nil:
		return true, "ready"
	}
	progress := a.practice.Progress()
	if _, interrupted := progress.Interrupted(); progress.APIReady && !progress.Ended && !interrupted {
		return true, "ready"
	}
	return false, "the practice cluster is not ready" // no details, because this needs no session
}

// reporter tells the terminal about the practice cluster, each piece of news once.
type reporter struct {
	log   *slog.Logger
	told  map[string]string // by step, the state that was told last
	built string            // the step of the build that was told last, and how many tenths of it
}

func newReporter(log *slog.Logger) *reporter {
	return &reporter{log: log, told: map[string]string{}}
}

// report is called after each change, one call at a time.
func (r *reporter) report(g practice.Progress) {
	if g.Build != nil {
		r.build(*g.Build)
	}
	for _, s := range g.Steps {
		if r.told[s.Name] == s.State+s.Message {
			continue
		}
		r.told[s.Name] = s.State + s.Message
		level := slog.LevelInfo
		switch s.State {
		case practice.Failed:
			level = slog.LevelError
		case practice.Restarting:
			level = slog.LevelWarn
		}
		after := (time.Duration(s.ElapsedMs) * time.Millisecond).Round(100 * time.Millisecond)
		r.log.Log(context.Background(), level, "practice cluster", "step", s.Name, "state", s.State, "after", after.String(), "message", s.Message)
	}
}

// build tells each step of the build, and each tenth of its packages.
func (r *reporter) build(b practice.Build) {
	tenth := 0
	if b.Total > 0 {
		tenth = 10 * b.Done / b.Total
	}
	news := fmt.Sprint(b.Step, tenth, b.Failed)
	if news == r.built || b.Over && !b.Failed {
		return
	}
	r.built = news
	if b.Failed {
		r.log.Error("the practice cluster can't be compiled", "log", strings.Join(b.Log, "\n"))
		return
	}
	r.log.Info("practice cluster", "step", b.Step, "done", b.Done, "total", b.Total)
}
