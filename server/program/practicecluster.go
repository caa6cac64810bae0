package program

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/practice"
)

// practices are the practice clusters that were started: the first one, and those of other versions beside it. It is safe for concurrent use.
type practices struct {
	mu  sync.Mutex
	all []*practice.Practice
}

func (p *practices) add(one *practice.Practice) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = append(p.all, one)
}

func (p *practices) list() []*practice.Practice {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.all)
}

// first is the cluster that is called practice; nil: there is none.
func (p *practices) first() *practice.Practice {
	if all := p.list(); len(all) > 0 {
		return all[0]
	}
	return nil
}

// progress is that of the cluster with this slug. A cluster that waits for the first one has made none.
func (p *practices) progress(slug string) practice.Progress {
	for _, one := range p.list() {
		if slices.Contains(one.Contexts(), slug) {
			return one.Progress()
		}
	}
	return practice.Progress{}
}

// wantsPractice tells whether the practice cluster should run.
func (a *app) wantsPractice() bool {
	if a.config.Practice != "auto" {
		return a.config.Practice == "on"
	}
	if len(a.config.PracticeVersions) > 0 {
		return true
	}
	for _, c := range a.clusters.List() {
		if _, err := c.Target(); err == nil {
			return false
		}
	}
	return true
}

// needsPractice tells whether Fieldmark stops if the practice cluster can't run.
func (a *app) needsPractice() bool {
	return a.config.Practice == "on" || len(a.config.PracticeVersions) > 0
}

// practiceOptions are those of the cluster that has this context.
func (a *app) practiceOptions(context, version string) practice.Options {
	return practice.Options{Context: context, Kubernetes: version, Log: a.log, OnProgress: newReporter(a.log.With("context", context)).report}
}

func (a *app) startPractice(ctx context.Context) error {
	if !a.wantsPractice() {
		return nil
	}
	versions := append(slices.Clone(a.config.PracticeVersions), "")
	options := a.practiceOptions(cluster.Practice, versions[0])
	options.Build, options.Dir = a.config.PracticeBuild, a.config.PracticeDir
	p, err := practice.Start(context.WithoutCancel(ctx), options)
	if err != nil && a.needsPractice() {
		return fmt.Errorf("the practice cluster can't start: %w", err)
	}
	if err != nil {
		a.log.Warn("no practice cluster", "err", err)
		a.trouble = append(a.trouble, components.Notice{Tone: components.Warn, Title: "There is no practice cluster", Words: err.Error()})
		return nil
	}
	a.follow(ctx, p)
	for _, version := range a.config.PracticeVersions[min(1, len(a.config.PracticeVersions)):] {
		a.startBeside(ctx, p, version)
	}
	return nil
}

// follow adds a practice cluster that was started, and its contexts.
func (a *app) follow(ctx context.Context, p *practice.Practice) {
	a.practices.add(p)
	practice.Announce(p, a.clusters)
	go func() {
		if err := practice.Register(ctx, p, a.clusters); err != nil && ctx.Err() == nil {
			a.log.Error("the practice cluster's contexts are not known", "contexts", p.Contexts(), "err", err)
		}
	}()
}

// startBeside starts one more practice cluster after the first one, whose program may have to be compiled before, and needs the processors.
func (a *app) startBeside(ctx context.Context, first *practice.Practice, version string) {
	name := cluster.Practice + "-" + version
	say := func(state cluster.State) {
		for _, one := range []string{name, cluster.ViewerOf(name)} {
			a.clusters.Put(a.clusters.Waiting(one, cluster.FromPractice, func() cluster.State { return state }))
		}
	}
	say(cluster.State{Phase: cluster.Starting, Text: "the practice cluster of Kubernetes " + version + " starts after the first one", Advice: "The start takes some seconds."})
	options := a.practiceOptions(name, version)
	if a.config.PracticeDir != "" {
		options.Dir = a.config.PracticeDir + "-" + version
	}
	go func() {
		select {
		case <-first.APIReady():
		case <-first.Done():
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			return
		}
		p, err := practice.Start(context.WithoutCancel(ctx), options)
		if err != nil {
			a.log.Error("the practice cluster can't start", "context", name, "err", err)
			say(cluster.State{Phase: cluster.Failed, Text: err.Error(), Advice: "Correct the cause, then start Fieldmark again."})
			return
		}
		a.follow(ctx, p)
	}()
}

func (a *app) stopPractice() {
	var stopped sync.WaitGroup
	for _, p := range a.practices.list() {
		stopped.Go(func() {
			if err := p.Stop(context.Background()); err != nil {
				a.log.Warn("the practice cluster did not stop by itself", "contexts", p.Contexts(), "err", err)
			}
		})
	}
	stopped.Wait()
}

// awaitPractice waits until the practice cluster responds, if it should run. If it fails, that is an error only with --practice on. It doesn't
// wait for a compilation: pages show how far it is, and why it failed.
func (a *app) awaitPractice(ctx context.Context) error {
	first := a.practices.first()
	if first == nil {
		return nil
	}
	select {
	case <-ctx.Done():
	case <-first.APIReady():
	case <-first.Compiling():
	case <-first.Done():
		select {
		case <-first.Compiling(): // the build has failed: its pages say why
			return nil
		default:
		}
		words := first.Progress().Summary()
		if a.needsPractice() && ctx.Err() == nil {
			return errors.New(words)
		}
	}
	return nil
}

// ready tells whether Fieldmark and its practice clusters are ready; the text says what is missing.
func (a *app) ready() (ok bool, words string) {
	if a.draining.Load() {
		return false, "Fieldmark is stopping"
	}
	for _, p := range a.practices.list() {
		progress := p.Progress()
		if _, interrupted := progress.Interrupted(); interrupted || !progress.APIReady || progress.Ended {
			return false, "the practice cluster is not ready" // no details, because this needs no session
		}
	}
	return true, "ready"
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
