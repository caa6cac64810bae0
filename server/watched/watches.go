// Package watched watches single objects for hours, on behalf of the sessions that asked for it, and keeps a recording of each. It changes
// nothing in a cluster. Its lists and watches are recorded like all other requests.
//
//	page ── Start ──▶ Watches ──▶ Reflector (server/follow) ──▶ one ──▶ timeline.Recording
//	     ◀── List, Recording ───────────────────────────────────┘       masked, bounded
//
// A watched object belongs to a session and to a login of a cluster. It is forgotten with either of them.
package watched

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/timeline"
	"github.com/fieldmark/fieldmark/server/follow"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/server/wiretap"
)

// Bounds of how many objects are watched, how long, and what is kept of each. With them, all recordings take at most 128 MB.
const (
	MaxSession  = 8
	MaxServer   = 32
	Lasts       = 12 * time.Hour
	MaxVersions = 500
	MaxBytes    = 4 << 20
)

// Why an object is not watched. Users see these texts.
var (
	ErrSession = fmt.Errorf("this session already watches %d objects, which is the maximum; stop watching one of them first", MaxSession)
	ErrPerson  = fmt.Errorf("you already watch %d objects in your sessions, which is the maximum; stop watching one of them first", MaxSession)
	ErrServer  = fmt.Errorf("this server already watches %d objects, which is the maximum; try again later", MaxServer)
	ErrNoPath  = errors.New("only a single object can be watched")
	ErrOver    = errors.New("Fieldmark is stopping") //nolint:staticcheck // it is the program's name
)

// Options are what Watches are made from.
type Options struct {
	// Resolve finds the way to a cluster by its slug, for the context's session. An error with an HTTPStatus of 400 to 499 is final.
	Resolve func(ctx context.Context, slug string) (*upstream.Target, error)
	// Login returns a channel that is closed when a session's login to a cluster ends; nil: they never change.
	Login func(session, slug string) <-chan struct{}
	// Owner returns whose session it is: the bounds of a session also apply to all sessions of one owner. nil: each session has its own owner.
	Owner  func(session string) string
	Tap    *wiretap.Log // records the requests
	Now    func() time.Time
	Random func() float64 // in [0, 1); spreads waits
	Log    *slog.Logger
}

// Watches are all watched objects of the server. It is safe for concurrent use.
type Watches struct {
	opt       Options
	following *follow.Group

	mu      sync.Mutex
	all     map[key]*one
	closed  bool
	running sync.WaitGroup
}

type key struct{ session, cluster, path string }

// New makes an empty set.
func New(o Options) *Watches {
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
	w := &Watches{opt: o, all: map[key]*one{}}
	w.following = follow.NewGroup(follow.Options{
		Resolve: o.Resolve, Tap: o.Tap, Origin: wiretap.Relay, Pace: follow.UsualPace(), Now: o.Now, Random: o.Random, Log: o.Log, Go: w.running.Go,
	})
	return w
}

// Start watches an object of a kind. If the session watches the object already, nothing changes. Users may see its errors.
func (w *Watches) Start(session, cluster string, path apipath.Path, kind string) error {
	if path.Kind != apipath.KindObject || path.Watch {
		return ErrNoPath
	}
	owner := w.opt.Owner(session)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.forgetOver()
	k := key{session, cluster, path.String()}
	if old := w.all[k]; old != nil {
		if old.runs() {
			return nil
		}
		delete(w.all, k) // its time is over
	}
	if err := w.room(session, owner); err != nil {
		return err
	}
	o := newOne(w, k, path, kind)
	o.owner = owner
	ctx, cancel := context.WithCancel(context.Background()) // it outlives the request that began it
	o.end = cancel
	w.all[k] = o
	w.running.Go(func() {
		defer cancel()
		o.followObject(ctx)
	})
	return nil
}

// room returns an error if no further object can be watched.
func (w *Watches) room(session, owner string) error {
	own, owned := 0, 0
	for k, o := range w.all {
		if k.session == session {
			own++
		}
		if o.owner == owner {
			owned++
		}
	}
	switch {
	case w.closed:
		return ErrOver
	case own >= MaxSession:
		return ErrSession
	case owned >= MaxSession:
		return ErrPerson
	case len(w.all) >= MaxServer:
		return ErrServer
	}
	return nil
}

// Stop ends watching an object, and deletes its recording.
func (w *Watches) Stop(session, cluster, path string) {
	w.forget(func(k key, _ *one) bool { return k == key{session, cluster, path} })
}

// EndSession ends everything that a session watches, and deletes the recordings. It does not wait.
func (w *Watches) EndSession(id string) {
	w.forget(func(k key, _ *one) bool { return k.session == id })
}

func (w *Watches) forget(which func(key, *one) bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for k, o := range w.all {
		if which(k, o) {
			o.end()
			delete(w.all, k)
		}
	}
}

// forgetOver deletes the recordings that were made with a login that is no longer in use. The caller holds the lock.
func (w *Watches) forgetOver() {
	for k, o := range w.all {
		if o.source.IsOver() {
			o.end()
			delete(w.all, k)
		}
	}
}

// Close ends everything, and returns when it has ended. Nothing is watched after it.
func (w *Watches) Close() {
	w.mu.Lock()
	w.closed = true
	for _, o := range w.all {
		o.end()
	}
	w.mu.Unlock()
	w.running.Wait()
}

// List shows what a session watches in a cluster, in the order in which it began.
func (w *Watches) List(session, cluster string) []report.Watched {
	shown := []report.Watched{}
	for _, o := range w.of(session, cluster) {
		shown = append(shown, o.show())
	}
	slices.SortStableFunc(shown, func(a, b report.Watched) int {
		return cmp.Or(a.Began.Compare(b.Began), cmp.Compare(a.Object.Path, b.Object.Path))
	})
	return shown
}

// Looked notes that the reader has seen what happened: to one object, or, if the path is empty, to all that the session watches in a cluster.
func (w *Watches) Looked(session, cluster, path string) {
	for _, o := range w.of(session, cluster) {
		if path == "" || o.key.path == path {
			o.looked()
		}
	}
}

// Recording calls show with the recording of an object, which must not be used afterwards. It returns false if the session doesn't watch
// the object.
func (w *Watches) Recording(session, cluster, path string, show func(*timeline.Recording)) bool {
	w.mu.Lock()
	w.forgetOver()
	o := w.all[key{session, cluster, path}]
	w.mu.Unlock()
	if o == nil {
		return false
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	show(o.rec)
	return true
}

func (w *Watches) of(session, cluster string) []*one {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.forgetOver()
	var its []*one
	for k, o := range w.all {
		if k.session == session && k.cluster == cluster {
			its = append(its, o)
		}
	}
	return its
}
