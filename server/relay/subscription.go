package relay

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/wire"
)

// subscription is one thing that a page follows. One goroutine runs it, and is the only one that tells the page
// of it; the watch has a goroutine of its own, which never waits for the page.
type subscription struct {
	id      uint32
	conn    *conn
	source  *source
	machine *watch.Machine
	outbox  *outbox
	gen     uint32
	listing listing
	// columns are those that the page knows; moved are others that the list did not have, and the watch had all
	// the same.
	columns, moved []table.Column

	cancel  context.CancelFunc
	unasked atomic.Bool // the page has ended it
}

// newSubscription begins with what the page has.
func newSubscription(c *conn, r wire.Request, q question) *subscription {
	s := &subscription{
		id: r.ID, conn: c, outbox: newOutbox(), gen: max(r.Gen, 1), listing: newListing(),
		source: &source{relay: c.relay, session: c.session, cluster: r.Cluster, question: q, form: formOf(r.As, q)},
	}
	switch {
	case r.ResourceVersion == "":
		s.gen = r.Gen + 1
		s.machine = watch.New()
	case r.Continue != "":
		s.machine = watch.New()
		s.machine.Begun()
		s.listing.token, s.listing.version = r.Continue, r.ResourceVersion
	default:
		s.machine = watch.Resume(r.ResourceVersion)
	}
	s.outbox.begin(s.gen)
	s.outbox.whole(r.ResourceVersion)
	return s
}

// run does what the machine says until it stops, or ctx ends.
func (s *subscription) run(ctx context.Context) {
	for ctx.Err() == nil {
		switch step := s.machine.Step(); step.Do {
		case watch.List:
			s.list(ctx, step.Gap)
		case watch.Watch:
			s.watch(ctx, step.Version)
		case watch.Wait:
			s.wait(ctx, step)
		case watch.Stop:
			s.flush()
			s.conn.forget(s)
			s.say(wire.Message{Type: wire.Failed, Status: &step.Status})
			return
		}
	}
	s.conn.forget(s)
	if s.unasked.Load() {
		s.say(wire.Message{Type: wire.Closed})
	}
}

// watch follows what happens, and tells it at the page's pace.
func (s *subscription) watch(ctx context.Context, version string) {
	ctx, cancel := context.WithCancel(ctx)
	st := &stream{source: s.source, sink: s.outbox, columns: s.columns}
	var w watched
	ended := make(chan struct{})
	s.conn.spawn(func() {
		defer close(ended)
		defer cancel()
		w = st.follow(ctx, version)
	})
	s.pump(ctx)
	cancel()
	<-ended
	if w.version != version {
		s.machine.Seen(w.version)
	}
	switch {
	case s.outbox.overflowed():
		s.machine.Lose(watch.Slow)
	case w.moved && !slices.Equal(w.columns, s.moved):
		s.moved = w.columns
		s.machine.Lose(watch.Restarted)
	default:
		s.columns = w.columns
		s.broke(w.end)
	}
}

func (s *subscription) broke(b watch.Break) {
	b.Random = s.conn.relay.opt.Random()
	s.machine.Broke(b)
}

// wait says why, where there is a reason, and lets the time pass.
func (s *subscription) wait(ctx context.Context, step watch.Step) {
	if step.Status.Code != 0 {
		s.flush()
		s.outbox.hold()
		s.say(wire.Message{Type: wire.Waiting, RetryMillis: step.Delay.Milliseconds(), Status: &step.Status})
	}
	ctx, cancel := context.WithTimeout(ctx, step.Delay)
	defer cancel()
	s.pump(ctx)
	<-ctx.Done()
	s.machine.Waited()
}

// pump tells what comes in, gathered for a moment, until ctx ends or there is no use in it any more.
func (s *subscription) pump(ctx context.Context) {
	for !s.outbox.overflowed() {
		select {
		case <-ctx.Done():
			return
		case <-s.outbox.wake:
		}
		pause(ctx, s.conn.relay.pace.batch)
		s.flush()
	}
}

// flush tells what waits, as far as the credit goes.
func (s *subscription) flush() {
	for {
		m, ok := s.outbox.take()
		if !ok {
			return
		}
		s.say(m)
	}
}

// tell says something that needs credit, and waits for that.
func (s *subscription) tell(ctx context.Context, m wire.Message) bool {
	for !s.outbox.spend() {
		select {
		case <-ctx.Done():
			return false
		case <-s.outbox.wake:
		}
	}
	s.say(m)
	return true
}

// say sends a message in the subscription's name.
func (s *subscription) say(m wire.Message) {
	m.ID = s.id
	m.Gen = s.gen
	s.conn.send(m)
}

func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
