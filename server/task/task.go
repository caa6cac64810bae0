// Package task runs tasks of the guide. It begins a task in a namespace of its own, judges it while its learner works, and removes what it made. A task is
// state of this server: the learner acts on any page, in kubectl or elsewhere, and the judge sees it all from one place.
//
//	Start ─▶ namespace, Scenario, requests of the start, watches ─▶ judge ──┬─▶ Show: how each goal stands
//	                          requests of the learner (wire log) ──▶ again ─┤
//	                          events of the watches, every second ─▶ again ─┘
//
// The judge's own reads aren't in the wire log, which shows what the learner does. What it writes is.
package task

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/fieldmark/fieldmark/kube/release"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/lessons/standing"
	"github.com/fieldmark/fieldmark/server/errand"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/server/wiretap"
)

// Bounds of how many tasks run, and are kept.
const (
	maxRunning        = 200
	maxRunningSession = 6
	maxKeptSession    = 6
)

// longest is how long a task stays although nobody looks at it.
const longest = time.Hour

// ErrVersion is why a task doesn't begin on a server that can't do it. Users see the text. The other reasons are those of package errand.
var ErrVersion = errors.New("this task needs another version of Kubernetes")

// Options are what Tasks are made from.
type Options struct {
	// Resolve finds the way to a cluster by its slug, for the context's session.
	Resolve func(ctx context.Context, slug string) (*upstream.Target, error)
	// Login returns a channel that is closed when a session's login to a cluster ends; nil: they never change. Tasks then end.
	Login func(session, slug string) <-chan struct{}
	// Owner returns whose session it is; nil: each session has its own owner.
	Owner func(session string) string
	// Tap has the requests of learners, and records what tasks write.
	Tap *wiretap.Log
	Now func() time.Time
	Log *slog.Logger
}

// Tasks are all tasks of the server: at most one of a session in a cluster that practises a lesson. It is safe for concurrent use.
type Tasks struct {
	opt Options
	set *errand.Set[*run]

	mu     sync.Mutex
	newest map[string]Place // by session: the task that began last
	exams  map[string]*sitting
}

// Place is where a task is: in a cluster, and the lesson that it practises.
type Place struct{ Cluster, Task string }

// key is the place for the set of errands, which knows clusters only.
func (p Place) key() string { return p.Cluster + " " + p.Task }

func clusterOf(key string) string {
	cluster, _, _ := strings.Cut(key, " ")
	return cluster
}

// New makes an empty set of tasks.
func New(o Options) *Tasks {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	e := errand.Options{
		One: "this task", Many: "tasks", Owner: o.Owner, Now: o.Now,
		Bounds: errand.Bounds{Running: maxRunning, RunningSession: maxRunningSession, KeptSession: maxKeptSession},
	}
	if o.Login != nil {
		e.Login = func(session, key string) <-chan struct{} { return o.Login(session, clusterOf(key)) }
	}
	return &Tasks{opt: o, set: errand.NewSet[*run](e), newest: map[string]Place{}, exams: map[string]*sitting{}}
}

// Start begins a task for a session in a cluster whose API server has a version. If the task runs already, it begins anew. Users may see its errors.
func (t *Tasks) Start(session, cluster string, of lesson.Task, on release.Version) error {
	if !of.Range.Holds(on) {
		return fmt.Errorf("%w: %s", ErrVersion, of.Range.Words())
	}
	at := Place{cluster, of.ID}
	t.set.Stop(session, at.key())
	t.mu.Lock()
	t.newest[session] = at
	t.mu.Unlock()
	return t.set.Start(session, at.key(),
		func(login <-chan struct{}) *run { return newRun(t.opt, session, cluster, of, login) },
		func(ctx context.Context, r *run) { r.run(ctx) },
	)
}

// Stop ends a task of a session, and removes what it made.
func (t *Tasks) Stop(session string, at Place) { t.set.Stop(session, at.key()) }

// Newest is the task that a session began last, if it still runs.
func (t *Tasks) Newest(session string) (at Place, ok bool) {
	t.mu.Lock()
	at, ok = t.newest[session]
	t.mu.Unlock()
	if !ok {
		return at, false
	}
	r, ok := t.set.Find(session, at.key())
	return at, ok && r.phase() != standing.Over
}

// Answer takes the learner's answer to a question: the goal at a place of the task.
func (t *Tasks) Answer(session string, at Place, goal int, text string) {
	if r, ok := t.set.Find(session, at.key()); ok {
		r.answer(goal, text)
	}
}

// Show returns how a task of a session stands; ok is false if there is none. If the standing has this revision, it waits for the next one until the context
// ends.
func (t *Tasks) Show(ctx context.Context, session string, at Place, revision uint64) (s standing.Standing, ok bool) {
	r, ok := t.set.Find(session, at.key())
	if !ok {
		return standing.Standing{}, false
	}
	s = r.show(ctx, revision)
	t.sat(session, at, s)
	return s, true
}

// EndSession ends a session's tasks. Call it when the session has ended.
func (t *Tasks) EndSession(id string) {
	t.set.EndSession(id)
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.newest, id)
	delete(t.exams, id)
}

// Close ends all tasks, and returns when they have removed what they made.
func (t *Tasks) Close() { t.set.Close() }
