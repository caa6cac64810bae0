// Package contention runs scans: it follows many types for a while, on behalf of the session that started the scan. Package
// kube/contention judges the objects. A scan is state of this server and changes nothing in a cluster. Its lists and watches are
// recorded like all other requests.
package contention

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/server/errand"
	"github.com/fieldmark/fieldmark/server/follow"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/server/wiretap"
)

// Bounds of how many scans run, and of how many are kept. A running scan takes up to about 50 MB; one that has ended takes only its
// findings.
const (
	maxRunning        = 4
	maxRunningSession = 2
	maxKeptSession    = 8
	// MaxTypes bounds the watches of a scan.
	MaxTypes = 250
)

// Bounds of how long a scan watches.
const (
	Shortest = 10 * time.Second
	Longest  = 15 * time.Minute
)

// ErrNothing is why a scan of no types does not start. Users see the text. The other reasons are those of package errand.
var ErrNothing = errors.New("no resource type can be listed and watched here, so there is nothing to scan")

// Options are what Scans are made from.
type Options struct {
	// Resolve finds the way to a cluster by its slug, for the context's session. An error with an HTTPStatus of 400 to 499 is final.
	Resolve func(ctx context.Context, slug string) (*upstream.Target, error)
	// Login returns a channel that is closed when a session's login to a cluster ends; nil: they never change. Scans
	// then end, and their findings are deleted.
	Login func(session, slug string) <-chan struct{}
	// Owner returns whose session it is: the bounds of a session also apply to all sessions of one owner. nil: each session has its own owner.
	Owner func(session string) string
	// Tap records the requests of scans.
	Tap    *wiretap.Log
	Now    func() time.Time
	Random func() float64 // in [0, 1); spreads waits
	Log    *slog.Logger
}

// Plan is what a scan does.
type Plan struct {
	Types     []discovery.Type
	Named     string // how the reader named the types; empty: all
	Namespace string // empty: all; the caller must then leave out types that have no namespace
	Lasts     time.Duration
	// Served tells which API versions the server serves.
	Served func(apiVersion string) bool
}

// Scans are all scans of the server: at most one of a session in a cluster. It is safe for concurrent use.
type Scans struct {
	opt       Options
	pace      pace
	following *follow.Group
	set       *errand.Set[*run]
	running   sync.WaitGroup // of following
}

type key struct{ session, cluster string }

// New makes an empty set of scans.
func New(o Options) *Scans {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Login == nil {
		o.Login = func(string, string) <-chan struct{} { return nil }
	}
	if o.Owner == nil {
		o.Owner = func(session string) string { return session }
	}
	if o.Random == nil {
		o.Random = rand.Float64
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Scans{opt: o, pace: usualPace()}
	s.following = follow.NewGroup(follow.Options{
		Resolve: o.Resolve, Tap: o.Tap, Origin: wiretap.Scan, Pace: follow.UsualPace(), Now: o.Now, Random: o.Random, Log: o.Log, Go: s.running.Go,
	})
	s.set = errand.NewSet[*run](errand.Options{
		One: "a scan", Many: "scans",
		Bounds: errand.Bounds{Running: maxRunning, RunningSession: maxRunningSession, KeptSession: maxKeptSession},
		Login:  func(session, cluster string) <-chan struct{} { return s.opt.Login(session, cluster) },
		Owner:  func(session string) string { return s.opt.Owner(session) },
		Now:    func() time.Time { return s.opt.Now() },
	})
	return s
}

// Start starts a scan. It replaces one of the same session and cluster that has ended. Users may see its errors.
func (s *Scans) Start(session, cluster string, p Plan) error {
	p.Lasts = min(max(p.Lasts, Shortest), Longest)
	if len(p.Types) == 0 {
		return ErrNothing
	}
	p.Types = p.Types[:min(len(p.Types), MaxTypes)]
	return s.set.Start(session, cluster,
		func(login <-chan struct{}) *run { return newRun(s, key{session, cluster}, p, login) },
		func(ctx context.Context, r *run) { r.followTypes(ctx) },
	)
}

// Stop ends a session's scan of a cluster, and keeps its findings.
func (s *Scans) Stop(session, cluster string) { s.set.Stop(session, cluster) }

// Show returns the progress and the findings of a session's scan of a cluster; ok is false if there is no scan.
func (s *Scans) Show(session, cluster string) (shown report.Run, ok bool) {
	r, ok := s.set.Find(session, cluster)
	if !ok {
		return report.Run{}, false
	}
	return r.show(), true
}

// EndSession ends a session's scans and deletes their findings. Call it when the session has ended. It does not wait for the scans.
func (s *Scans) EndSession(id string) { s.set.EndSession(id) }

// Close ends all scans, and returns when they have ended. No scan starts after it.
func (s *Scans) Close() {
	s.set.Close()
	s.running.Wait()
}
