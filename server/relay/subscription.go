package relay

import (
	"sync/atomic"

	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/follow"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// subscription is one thing that a page follows. Only the teller of its connection sends its messages.
type subscription struct {
	id     uint32
	conn   *conn
	source follow.Source
	form   form
	key    feedKey
	has    follow.Had
	lost   watch.Gap // why the page gets the state again
	outbox *outbox

	feed *feed // guarded by the hub

	// proof is that of the session's permission, if the feed is shared; nil otherwise. leads says that the session's own watch is the
	// feed's. The hub sets both.
	proof atomic.Pointer[proof]
	leads atomic.Bool

	unasked atomic.Bool // the page has ended it
	stirred bool        // it is in the connection's list, whose lock guards this field
	over    bool        // it has ended; only the teller uses this field
}

// newSubscription makes a subscription that continues with what the page has.
func newSubscription(c *conn, r wire.Request, q follow.Question) *subscription {
	s := &subscription{
		id: r.ID, conn: c, has: follow.Had{Version: r.ResourceVersion}, form: formOf(r.As, q),
		key: feedKey{cluster: r.Cluster, question: q.Name(), as: r.As, shared: c.relay.opt.Share(r.Cluster, q.Collection.Group)},
	}
	s.source = follow.Source{Session: c.session, Cluster: r.Cluster, Question: q, Accept: s.form.accept(), Limit: chunkSize, Renews: true}
	login := c.relay.opt.Login(c.session, r.Cluster)
	s.setLogin(login)
	s.outbox = newOutbox(c.account, func() { c.notePending(s) })
	s.outbox.queue.every = r.As == wire.Object
	if s.key.shared {
		s.outbox.may = s.mayRead
	}
	if s.has.Version == "" {
		s.outbox.lacks(r.Gen + 1)
		return s
	}
	s.has.Token = r.Continue
	s.outbox.has(max(r.Gen, 1), r.ResourceVersion)
	if login.Later { // another login may have read what the page has
		s.has, s.lost = follow.Had{}, watch.Restarted
	}
	return s
}

// setLogin sets the login that the subscription's feed uses.
func (s *subscription) setLogin(l Login) {
	s.source.Over = l.Over
	if s.key.shared {
		return
	}
	s.key.login, s.key.whose = l.Over, l.Identity
	if l.Identity == nil {
		s.key.whose = only(s.conn.session)
	}
}

// mayRead tells whether the page may get what its feed has. It takes no lock.
func (s *subscription) mayRead() bool {
	p := s.proof.Load()
	return p == nil || s.leads.Load() || p.isGranted(s.conn.relay.opt.Now())
}

// sendMessages sends the messages that there are.
func (s *subscription) sendMessages() {
	if s.over {
		return
	}
	if s.unasked.Load() {
		s.endSubscription()
		s.sendNow(s.outbox.closeMessage())
		return
	}
	if s.outbox.wantsAnew() {
		s.conn.relay.hub.renewState(s, watch.Slow)
	}
	s.flush()
}

// flush sends what waits, up to the page's credit.
func (s *subscription) flush() {
	for s.conn.ctx.Err() == nil {
		m, last, ok := s.outbox.takeMessage()
		if !ok {
			return
		}
		if last {
			s.endSubscription() // the id is free again when the page learns of the end
		}
		s.sendNow(m)
	}
}

// endSubscription ends the subscription.
func (s *subscription) endSubscription() {
	s.over = true
	s.conn.relay.hub.removeSubscription(s)
	s.outbox.close()
	s.conn.forget(s)
}

// sendNow sends a message in the subscription's name.
func (s *subscription) sendNow(m message) {
	m.ID = s.id
	s.conn.sendMessage(m)
}
