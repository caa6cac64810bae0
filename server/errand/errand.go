// Package errand keeps the work that pages start and that outlives their requests: a scan, a census. Each is for one session in one cluster. Nobody else
// sees it, it ends with its login, and how many run and are kept is bounded.
//
//	page ──▶ Start ──▶ room? ──▶ Work.Run in a goroutine, until it is done, or Stop, or the login ends
//	page ──▶ Find  ──▶ Work, also after its end, until the session ends or newer work needs the room
package errand

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Why work doesn't start. The errors of Start are these, in words for users.
var (
	ErrRuns   = errors.New("it already runs")
	ErrBusy   = errors.New("the session already runs as much as it may")
	ErrPerson = errors.New("the person already runs as much as they may")
	ErrFull   = errors.New("the server already runs as much as it may")
	ErrOver   = errors.New("the server is stopping")
)

// refusal is one of these errors in words.
type refusal struct {
	error
	words string
}

// Error returns the words.
func (r refusal) Error() string { return r.words }

// Unwrap returns the error that Start's caller knows.
func (r refusal) Unwrap() error { return r.error }

// Bounds are how many run and are kept.
type Bounds struct {
	Running        int // on the server
	RunningSession int // of a session, and of all sessions of a person
	KeptSession    int
}

// Options are what a Set is made from.
type Options struct {
	One, Many string // what the work is called: "a scan", "scans"
	Bounds    Bounds
	// Login returns a channel that is closed when a session's login to a cluster ends; nil: they never change.
	Login func(session, cluster string) <-chan struct{}
	// Owner returns whose session it is; nil: each session has its own owner.
	Owner func(session string) string
	Now   func() time.Time
}

// Set is all work of one kind: at most one of a session in a cluster. It is safe for concurrent use.
type Set[W any] struct {
	opt Options

	mu      sync.Mutex
	all     map[key]*errand[W]
	closed  bool
	running sync.WaitGroup
}

type key struct{ session, cluster string }

type errand[W any] struct {
	work  W
	owner string
	began time.Time
	login <-chan struct{}
	end   context.CancelFunc
	over  chan struct{} // closed when it has ended
}

// NewSet makes an empty set.
func NewSet[W any](o Options) *Set[W] {
	if o.Login == nil {
		o.Login = func(string, string) <-chan struct{} { return nil }
	}
	if o.Owner == nil {
		o.Owner = func(session string) string { return session }
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Set[W]{opt: o, all: map[key]*errand[W]{}}
}

// Start runs work in a goroutine, with a context that ends when the work must. It replaces work of the same session and cluster that has ended. The
// function begin is called only if there is room.
func (s *Set[W]) Start(session, cluster string, begin func(login <-chan struct{}) W, run func(ctx context.Context, w W)) error {
	k, owner := key{session, cluster}, s.opt.Owner(session)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgetOver()
	if err := s.room(k, owner); err != nil {
		return err
	}
	login := s.opt.Login(session, cluster)
	ctx, cancel := context.WithCancel(context.Background()) // it outlives the request that began it
	e := &errand[W]{work: begin(login), owner: owner, began: s.opt.Now(), login: login, end: cancel, over: make(chan struct{})}
	s.all[k] = e
	s.makeRoom(session)
	s.running.Go(func() {
		defer close(e.over)
		defer cancel()
		stop := e.watchLogin(ctx)
		defer stop()
		run(ctx, e.work)
	})
	return nil
}

// watchLogin ends the work when its login ends.
func (e *errand[W]) watchLogin(ctx context.Context) (stop func()) {
	if e.login == nil {
		return func() {}
	}
	watched, stop := context.WithCancel(ctx)
	go func() {
		select {
		case <-e.login:
			e.end()
		case <-watched.Done():
		}
	}()
	return stop
}

func (e *errand[W]) runs() bool {
	select {
	case <-e.over:
		return false
	default:
		return true
	}
}

// isOver tells whether the login with which the work began is no longer in use.
func (e *errand[W]) isOver() bool {
	select {
	case <-e.login:
		return true
	default:
		return false
	}
}

// room returns an error if nothing more may start.
func (s *Set[W]) room(k key, owner string) error {
	all, own, owned := 0, 0, 0
	for other, e := range s.all {
		if !e.runs() {
			continue
		}
		all++
		if other.session == k.session {
			own++
		}
		if e.owner == owner {
			owned++
		}
	}
	old, b := s.all[k], s.opt.Bounds
	switch {
	case s.closed:
		return refusal{ErrOver, "Fieldmark is stopping"}
	case old != nil && old.runs():
		return refusal{ErrRuns, s.opt.One + " of this cluster is already running; stop it first"}
	case own >= b.RunningSession:
		return refusal{ErrBusy, fmt.Sprintf("this session already runs %d %s, which is the maximum; stop one first", own, s.opt.Many)}
	case owned >= b.RunningSession:
		return refusal{ErrPerson, fmt.Sprintf("you already run %d %s in your sessions, which is the maximum; stop one, or try again when one has ended", owned, s.opt.Many)}
	case all >= b.Running:
		return refusal{ErrFull, fmt.Sprintf("this server already runs %d %s, which is the maximum; try again when one has ended", all, s.opt.Many)}
	}
	return nil
}

// makeRoom forgets the session's oldest work that has ended.
func (s *Set[W]) makeRoom(session string) {
	for {
		n := 0
		var oldest *key
		for k, e := range s.all {
			if k.session != session {
				continue
			}
			n++
			if !e.runs() && (oldest == nil || e.began.Before(s.all[*oldest].began)) {
				oldest = &k
			}
		}
		if n <= s.opt.Bounds.KeptSession || oldest == nil {
			return
		}
		delete(s.all, *oldest)
	}
}

// Find returns the work of a session in a cluster, also after its end.
func (s *Set[W]) Find(session, cluster string) (w W, ok bool) {
	if e := s.find(session, cluster); e != nil {
		return e.work, true
	}
	return w, false
}

func (s *Set[W]) find(session, cluster string) *errand[W] {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgetOver()
	return s.all[key{session, cluster}]
}

// Stop ends the work of a session in a cluster, and returns when it has ended. The work is kept.
func (s *Set[W]) Stop(session, cluster string) {
	if e := s.find(session, cluster); e != nil {
		e.end()
		<-e.over
	}
}

// forgetOver ends and forgets the work whose login is no longer in use. The caller holds the lock.
func (s *Set[W]) forgetOver() {
	s.forget(func(_ key, e *errand[W]) bool { return e.isOver() })
}

func (s *Set[W]) forget(which func(k key, e *errand[W]) bool) {
	for k, e := range s.all {
		if which(k, e) {
			e.end()
			delete(s.all, k)
		}
	}
}

// EndSession ends a session's work and forgets it. It doesn't wait for the end.
func (s *Set[W]) EndSession(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forget(func(k key, _ *errand[W]) bool { return k.session == id })
}

// Close ends all work, and returns when it has ended. Nothing starts after it.
func (s *Set[W]) Close() {
	s.mu.Lock()
	s.closed = true
	for _, e := range s.all {
		e.end()
	}
	s.mu.Unlock()
	s.running.Wait()
}
