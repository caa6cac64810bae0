package follow

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/api"
)

// Reflector follows one collection for a sink.
type Reflector struct {
	group   *Group
	source  Source
	sink    Sink
	machine *watch.Machine
	listing listing
	sign    time.Time // the API server's last sign of life
	current *stream   // the open watch; nil: there is none
	session atomic.Pointer[string]
}

// Had is the state of a sink before its Reflector begins.
type Had struct {
	Version string // of its state; empty: it has nothing
	Token   string // of the next chunk, if it has only a part of the state
}

// ErrMoved is a sink's error: the followed type or object has changed its form, so it has to be fetched again.
var ErrMoved = errors.New("the form of the followed objects has changed")

// Reflector makes one. Run runs it.
func (g *Group) Reflector(source Source, sink Sink, had Had) *Reflector {
	r := &Reflector{group: g, source: source, sink: sink, sign: g.Now(), listing: newListing(source.Limit, had)}
	r.session.Store(&source.Session)
	switch {
	case had.Version == "":
		r.machine = watch.NewStreaming()
	case had.Token != "":
		r.machine = watch.Continue()
	default:
		r.machine = watch.Resume(had.Version)
	}
	return r
}

// Behalf names the session on whose behalf the next requests are made. It must have the same credentials as the first one. A request that
// is open goes on.
func (r *Reflector) Behalf(session string) { r.session.Store(&session) }

// now is the source, with the session of this moment.
func (r *Reflector) now() Source {
	s := r.source
	s.Session = *r.session.Load()
	return s
}

// Run follows the rules until they say to stop, or ctx ends, or the login ends. It returns true if the login has ended.
func (r *Reflector) Run(ctx context.Context) (over bool) {
	var crash error
	done := make(chan struct{})
	r.Start(ctx, func(o bool, c error) {
		over, crash = o, c
		close(done)
	})
	if <-done; crash != nil {
		panic(crash)
	}
	return over
}

// Start does what Run does, and doesn't wait. There are thousands of Reflectors, most of them with a watch on which nothing happens. These have
// no goroutine:
//
//	Start ──┬── turn ──┐ silent  ┌── turn ──┐ silent  ┌── turn ──┬──▶ ended
//	        └──────────┘ Notify ─┘          └ Notify ─┘          │
//
// When it is over, ended is called once, in a goroutine, with the result of Run. If the Reflector or its sink panicked, crash says so, with the
// stack.
func (r *Reflector) Start(ctx context.Context, ended func(over bool, crash error)) {
	var again func()
	again = func() {
		next, crash := r.safely(ctx)
		if next == silent {
			r.current.vigil.pulse.Notify(again)
			return
		}
		ended(next == loggedOut, crash)
	}
	go again()
}

// safely makes a turn. A panic in it ends the watch, and becomes an error.
func (r *Reflector) safely(ctx context.Context) (next outcome, crash error) {
	defer func() {
		if p := recover(); p != nil {
			next, crash = stopped, fmt.Errorf("%v\n%s", p, debug.Stack())
			if r.current != nil {
				r.current.release()
			}
		}
	}()
	return r.turn(ctx), nil
}

// outcome is why a turn ended.
type outcome int

const (
	silent    outcome = iota // nothing comes on the watch now
	stopped                  // the rules say to stop, or the context has ended
	loggedOut                // the login has ended
)

// turn follows the rules until there is nothing to do.
func (r *Reflector) turn(ctx context.Context) outcome {
	for {
		if r.current != nil && !r.current.drain() {
			return silent
		}
		if ctx.Err() != nil {
			return stopped
		}
		if r.source.IsOver() {
			return loggedOut
		}
		if !r.step(ctx) {
			return stopped
		}
	}
}

// step does what the rules say. It returns false if they say to stop.
func (r *Reflector) step(ctx context.Context) bool {
	switch step := r.machine.Step(); step.Do {
	case watch.List:
		r.listChunks(ctx, step.Gap)
	case watch.Stream:
		r.stream(ctx, step.Gap)
	case watch.Watch:
		r.watch(ctx, step.Version)
	case watch.Wait:
		r.wait(ctx, step)
	case watch.Stop:
		r.sink.Stop(step.Status)
		return false
	}
	return true
}

// stream fetches the whole state with the watch that follows it.
func (r *Reflector) stream(ctx context.Context, gap watch.Gap) {
	r.listing = newListing(r.source.Limit, Had{})
	if !r.sink.Begin(ctx, Start{Gap: gap, Streams: true}) {
		return
	}
	s := &stream{Reflector: r, initial: true}
	s.arriving.Store(true)
	s.openWatch(ctx)
}

// watch follows what happens after a version.
func (r *Reflector) watch(ctx context.Context, version string) {
	s := &stream{Reflector: r, version: version}
	s.openWatch(ctx)
}

// closed tells the machine how a watch ended.
func (s *stream) closed(end ending) {
	switch {
	case s.initial && end.refused:
		s.machine.Refused()
	case s.initial && s.arriving.Load():
		s.broke(end.Break)
	default:
		s.ended(end)
	}
}

// ended tells the machine what ended a watch that had the whole state.
func (r *Reflector) ended(end ending) {
	if end.moved {
		r.machine.Lose(watch.Restarted)
		return
	}
	r.broke(end.Break)
}

// failed tells the machine which error ended a list.
func (r *Reflector) failed(err error) { r.broke(watch.Break{Status: api.StatusOf(err)}) }

func (r *Reflector) broke(b watch.Break) {
	b.Random = r.group.Random()
	r.machine.Broke(b)
}

// wait tells the sink, and lets the time pass.
func (r *Reflector) wait(ctx context.Context, step watch.Step) {
	now := r.group.Now()
	r.sink.Wait(Trouble{Why: step.Status, At: now, Sign: r.sign, Retry: now.Add(step.Delay)})
	t := time.NewTimer(step.Delay)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
	r.machine.Waited()
}
