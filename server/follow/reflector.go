package follow

import (
	"context"
	"errors"
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
func (r *Reflector) Run(ctx context.Context) (over bool) {
	for ctx.Err() == nil {
		if r.source.IsOver() {
			return true
		}
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
	}
	return false
}

// stream fetches the whole state with the watch that follows it.
func (r *Reflector) stream(ctx context.Context, gap watch.Gap) {
	r.listing = newListing(r.source.Limit, Had{})
	if !r.sink.Begin(ctx, Start{Gap: gap, Streams: true}) {
		return
	}
	s := &stream{Reflector: r}
	s.arriving.Store(true)
	end := s.follow(ctx)
	switch {
	case end.refused:
		r.machine.Refused()
	case s.arriving.Load():
		r.broke(end.Break)
	default:
		r.ended(end)
	}
}

// watch follows what happens after a version.
func (r *Reflector) watch(ctx context.Context, version string) {
	s := &stream{Reflector: r, version: version}
	r.ended(s.follow(ctx))
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
