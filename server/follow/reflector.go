package follow

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
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

// Run follows the rules until they say to stop, or ctx ends, or the login ends. It returns true if the login has ended.
//
// There are thousands of Reflectors, and most of them wait for a watch on which nothing happens. A goroutine keeps the largest stack that
// it has needed, more or less. So everything that needs a stack runs in a goroutine that ends when the watch is silent:
//
//	Run ──┬── turn ──┐   ┌── turn ──┐
//	      └──────────┴───┴──────────┴── Await …
func (r *Reflector) Run(ctx context.Context) (over bool) {
	defer r.abort()
	for {
		var next outcome
		aside(func() { next = r.turn(ctx) })
		if next != silent {
			return next == loggedOut
		}
		r.current.vigil.pulse.Await()
	}
}

// abort ends a watch that a panic left open.
func (r *Reflector) abort() {
	if r.current != nil {
		r.current.release()
	}
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
		r.list(ctx, step.Gap)
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

// aside runs a function in a goroutine of its own, and returns when it has ended. A panic in it becomes one of the caller.
func aside(do func()) {
	done := make(chan any)
	go func() {
		finished := false
		defer func() {
			switch p := recover(); {
			case finished:
				done <- nil
			case p != nil:
				done <- fmt.Errorf("%v\n%s", p, debug.Stack())
			default:
				done <- errors.New("the goroutine was ended")
			}
		}()
		do()
		finished = true
	}()
	if p := <-done; p != nil {
		panic(p)
	}
}

// stream fetches the whole state with the watch that follows it.
func (r *Reflector) stream(ctx context.Context, gap watch.Gap) {
	r.listing = newListing(r.source.Limit, Had{})
	if !r.sink.Begin(ctx, Start{Gap: gap, Streams: true}) {
		return
	}
	s := &stream{Reflector: r, initial: true}
	s.arriving.Store(true)
	s.begin(ctx)
}

// watch follows what happens after a version.
func (r *Reflector) watch(ctx context.Context, version string) {
	s := &stream{Reflector: r, version: version}
	s.begin(ctx)
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
