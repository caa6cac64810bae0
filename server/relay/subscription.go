package relay

import (
	"context"
	"sync/atomic"

	"github.com/fieldmark/fieldmark/web/wire"
)

// subscription is one thing that a page follows. One goroutine runs it, and is the only one that tells the page
// of it.
type subscription struct {
	id     uint32
	conn   *conn
	source *source
	key    feedKey
	has    had
	outbox *outbox

	feed *feed // guarded by the hub

	cancel  context.CancelFunc
	unasked atomic.Bool // the page has ended it
}

// newSubscription begins with what the page has.
func newSubscription(c *conn, r wire.Request, q question) *subscription {
	s := &subscription{
		id: r.ID, conn: c, outbox: newOutbox(c.account), has: had{version: r.ResourceVersion},
		source: &source{relay: c.relay, session: c.session, cluster: r.Cluster, question: q, form: formOf(r.As, q)},
		key:    feedKey{session: c.session, cluster: r.Cluster, question: q.name(), as: r.As},
	}
	if s.has.version == "" {
		s.outbox.lacks(r.Gen + 1)
		return s
	}
	s.has.token = r.Continue
	s.outbox.has(max(r.Gen, 1), r.ResourceVersion)
	return s
}

// run tells the page what its feed learns, until there is no more, or ctx ends.
func (s *subscription) run(ctx context.Context) {
	hub := &s.conn.relay.hub
	hub.join(s)
	s.tell(ctx)
	hub.leave(s)
	s.outbox.close()
	s.conn.forget(s)
}

// tell tells what there is, gathered for a moment, until there is no more, or ctx ends.
func (s *subscription) tell(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			if s.unasked.Load() {
				s.conn.forget(s)
				s.say(s.outbox.closed())
			}
			return
		case <-s.outbox.wake:
		}
		pause(ctx, s.conn.relay.pace.batch)
		if s.outbox.wantsAnew() {
			s.conn.relay.hub.renew(s, wire.Slow)
		}
		if s.flush(ctx) {
			return
		}
	}
}

// flush tells what waits, as far as the credit goes. It says whether that was the last.
func (s *subscription) flush(ctx context.Context) (last bool) {
	for ctx.Err() == nil {
		m, last, ok := s.outbox.take()
		if !ok {
			return false
		}
		if last {
			s.conn.forget(s) // the id is free again when the page learns of the end
		}
		s.say(m)
		if last {
			return true
		}
	}
	return false
}

// say sends a message in the subscription's name.
func (s *subscription) say(m message) {
	m.ID = s.id
	s.conn.send(m)
}
