// Package contention runs scans: it follows many types for a while, on behalf of the session that started the scan. Package
// kube/contention judges the objects. A scan is state of this server and changes nothing in a cluster. Its lists and watches are
// recorded like all other requests.
package contention

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/discovery"
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

// Why a scan does not start. Users see these texts.
var (
	ErrRuns    = errors.New("a scan of this cluster is already running; stop this scan first")
	ErrBusy    = fmt.Errorf("this session already runs %d scans, which is the maximum; stop one first", maxRunningSession)
	ErrPerson  = fmt.Errorf("you already run %d scans in your sessions, which is the maximum; stop one, or try again when one has ended", maxRunningSession)
	ErrFull    = fmt.Errorf("this server already runs %d scans, which is the maximum; try again when one has ended", maxRunning)
	ErrNothing = errors.New("no resource type can be listed and watched here, so there is nothing to scan")
	ErrOver    = errors.New("Fieldmark is stopping") //nolint:staticcheck // it is the program's name
)

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

	mu      sync.Mutex
	runs    map[key]*run
	closed  bool
	running sync.WaitGroup
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
	s := &Scans{opt: o, pace: usualPace(), runs: map[key]*run{}}
	s.following = follow.NewGroup(follow.Options{
		Resolve: o.Resolve, Tap: o.Tap, Origin: wiretap.Scan, Pace: follow.UsualPace(), Now: o.Now, Random: o.Random, Log: o.Log, Go: s.running.Go,
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
	k, owner := key{session, cluster}, s.opt.Owner(session)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgetOver()
	if err := s.room(k, owner); err != nil {
		return err
	}
	r := newRun(s, k, p)
	r.owner = owner
	r.login = s.opt.Login(session, cluster)
	ctx, cancel := context.WithCancel(context.Background()) // a scan outlives the request that began it
	r.end = cancel
	s.runs[k] = r
	s.makeRoom(session)
	s.running.Go(func() {
		defer cancel()
		r.followTypes(ctx)
	})
	return nil
}

// room returns an error if no further scan may start.
func (s *Scans) room(k key, owner string) error {
	all, own, owned := 0, 0, 0
	for other, r := range s.runs {
		if !r.runs() {
			continue
		}
		all++
		if other.session == k.session {
			own++
		}
		if r.owner == owner {
			owned++
		}
	}
	old := s.runs[k]
	switch {
	case s.closed:
		return ErrOver
	case old != nil && old.runs():
		return ErrRuns
	case own >= maxRunningSession:
		return ErrBusy
	case owned >= maxRunningSession:
		return ErrPerson
	case all >= maxRunning:
		return ErrFull
	}
	return nil
}

// makeRoom deletes the findings of the session's oldest scans.
func (s *Scans) makeRoom(session string) {
	for {
		n := 0
		var oldest *key
		for k, r := range s.runs {
			if k.session != session {
				continue
			}
			n++
			if !r.runs() && (oldest == nil || r.began.Before(s.runs[*oldest].began)) {
				oldest = &k
			}
		}
		if n <= maxKeptSession || oldest == nil {
			return
		}
		delete(s.runs, *oldest)
	}
}

// Stop ends a session's scan of a cluster, and keeps its findings.
func (s *Scans) Stop(session, cluster string) {
	if r := s.findRun(session, cluster); r != nil {
		r.stop()
		<-r.over
	}
}

// Show returns the progress and the findings of a session's scan of a cluster; ok is false if there is no scan.
func (s *Scans) Show(session, cluster string) (shown report.Run, ok bool) {
	r := s.findRun(session, cluster)
	if r == nil {
		return report.Run{}, false
	}
	return r.show(), true
}

func (s *Scans) findRun(session, cluster string) *run {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgetOver()
	return s.runs[key{session, cluster}]
}

// forgetOver ends and deletes the scans whose login is no longer in use. The caller holds the lock.
func (s *Scans) forgetOver() {
	for k, r := range s.runs {
		if r.isOver() {
			r.stop()
			delete(s.runs, k)
		}
	}
}

// EndSession ends a session's scans and deletes their findings. Call it when the session has ended. It does not wait for the scans.
func (s *Scans) EndSession(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for k, r := range s.runs {
		if k.session == id {
			r.stop()
			delete(s.runs, k)
		}
	}
}

// Close ends all scans, and returns when they have ended. No scan starts after it.
func (s *Scans) Close() {
	s.mu.Lock()
	s.closed = true
	for _, r := range s.runs {
		r.stop()
	}
	s.mu.Unlock()
	s.running.Wait()
}
