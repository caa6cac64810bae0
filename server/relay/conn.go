package relay

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// conn is one browser tab's connection.
type conn struct {
	relay   *Relay
	socket  socket
	session string
	reader  string // the key of the session's person; empty in local mode
	account *account
	ctx     context.Context // ends before the connection is closed
	cancel  context.CancelFunc
	began   time.Time
	all     sync.WaitGroup // everything that runs for the connection
	closing sync.Once
	writing sync.Mutex
	told    atomic.Int64 // when the last message was sent, as a time since the connection began

	mu      sync.Mutex
	subs    map[uint32]*subscription
	records map[uint32]*recording

	pending             pending
	beats, pings, tells task
	renewals            task
}

func newConn(r *Relay, ws socket, session string, a *account) *conn {
	c := &conn{relay: r, socket: ws, session: session, account: a, began: r.opt.Now(), subs: map[uint32]*subscription{}, records: map[uint32]*recording{}}
	c.beats, c.pings, c.tells = task{conn: c, do: c.beat}, task{conn: c, do: c.ping}, task{conn: c, do: c.flushSubscriptions}
	c.renewals = task{conn: c, do: c.renew}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c
}

// serve runs the connection to its end.
func (c *conn) serve() {
	defer c.endSubscriptions()
	defer c.all.Wait()
	defer c.drop()
	defer c.rest()
	c.pings.in(c.relay.pace.ping)
	c.beats.in(c.relay.pace.beat)
	if first := c.firstRenewal(); first > 0 {
		c.renewals.in(first)
	}
	c.sendMessage(message{Message: wire.Message{Type: wire.Hello, Build: c.relay.opt.Build, Reader: c.reader}})
	c.guarded(c.readMessages)
}

// readMessages handles the messages of the page until the page disconnects or sends an invalid one.
func (c *conn) readMessages() {
	for {
		text, err := c.socket.readMessage()
		if errors.Is(err, errNotText) {
			c.closeConnection(malformed, err.Error())
		}
		if err != nil {
			return
		}
		r, err := wire.ParseRequest(text)
		if err != nil {
			c.closeConnection(malformed, err.Error())
			return
		}
		if trouble := c.do(r); trouble != "" {
			c.closeConnection(malformed, trouble)
			return
		}
	}
}

// do handles one message of the page. trouble says why the message is invalid; empty: it is valid.
func (c *conn) do(r wire.Request) (trouble string) {
	switch r.Type {
	case wire.Subscribe:
		return c.subscribe(r)
	case wire.Credit:
		if s := c.sub(r.ID); s != nil {
			s.outbox.grant(r.N)
		} else if f := c.recording(r.ID); f != nil {
			f.grant(r.N)
		}
	case wire.Unsubscribe:
		if s := c.sub(r.ID); s != nil {
			s.unasked.Store(true)
			c.notePending(s)
		} else if f := c.recording(r.ID); f != nil {
			f.end()
		}
	}
	return ""
}

func (c *conn) subscribe(r wire.Request) (trouble string) {
	if r.ID == 0 {
		return "the ids of subscriptions begin with 1"
	}
	if c.sub(r.ID) != nil || c.recording(r.ID) != nil {
		return "a subscription already has this id"
	}
	if r.As == wire.Requests {
		c.record(r)
		return ""
	}
	q, err := newQuestion(r.Path)
	if err != nil {
		c.refuse(r, ownStatus(http.StatusBadRequest, err.Error()))
		return ""
	}
	s := newSubscription(c, r, q)
	if why := c.keep(func() { c.subs[s.id] = s }); why != "" {
		c.refuse(r, ownStatus(http.StatusTooManyRequests, why))
		return ""
	}
	c.relay.hub.join(s)
	return ""
}

func (c *conn) refuse(r wire.Request, why status.Status) {
	c.sendMessage(message{Message: wire.Message{Type: wire.Failed, ID: r.ID, Status: &why}})
}

func (c *conn) sub(id uint32) *subscription {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.subs[id]
}

// keep counts a new subscription and calls in. why says why the subscription is refused; empty: it isn't.
func (c *conn) keep(in func()) (why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.subs)+len(c.records) >= maxSubscriptions {
		return "this page follows too many collections and objects; close some of them"
	}
	if !c.account.begun.Allow() {
		return "the pages of this session begin to follow too much in one second; wait a moment"
	}
	if !c.account.addSubscription() {
		return "this session follows too many collections and objects; close some of its pages"
	}
	in()
	return ""
}

// forget makes the subscription's id free again.
func (c *conn) forget(s *subscription) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.subs[s.id] == s {
		delete(c.subs, s.id)
		c.account.removeSubscription()
	}
}

// endSubscriptions ends the remaining subscriptions when the connection has ended.
func (c *conn) endSubscriptions() {
	c.mu.Lock()
	left := slices.Collect(maps.Values(c.subs))
	c.mu.Unlock()
	for _, s := range left {
		s.endSubscription()
	}
}

// spawn runs f in a goroutine of the connection.
func (c *conn) spawn(f func()) { c.all.Go(func() { c.guarded(f) }) }

// guarded runs f. A panic in f ends the connection, not the process (threat: panic).
func (c *conn) guarded(f func()) {
	defer func() {
		if r := recover(); r != nil {
			c.relay.opt.Log.Error("a connection panicked", "panic", r, "stack", string(debug.Stack()))
			go c.broken()
		}
	}()
	f()
}

// broken ends the connection because of a bug in Fieldmark.
func (c *conn) broken() {
	c.closeConnection(internal, "Fieldmark had an internal error; its log has the details")
}

// sendMessage writes a message. A page that doesn't take it in time loses the connection.
func (c *conn) sendMessage(m message) {
	text := m.jsonText()
	c.writing.Lock()
	defer c.writing.Unlock()
	if c.ctx.Err() != nil {
		return
	}
	if err := c.socket.writeMessage(text, c.relay.pace.write); err != nil {
		c.cancel()
		go c.drop()
	}
	c.told.Store(int64(c.age()))
}

// age is how long the page has been connected.
func (c *conn) age() time.Duration { return c.relay.opt.Now().Sub(c.began) }

// beat sends a sign of life if no other message was sent for a while.
func (c *conn) beat() (next time.Duration) {
	pace := c.relay.pace.beat
	left := pace - (c.age() - time.Duration(c.told.Load()))
	if left > 0 {
		return left
	}
	c.sendMessage(message{Message: wire.Message{Type: wire.Beat}})
	return pace
}

// ping ends the connection if the page doesn't answer a ping.
func (c *conn) ping() (next time.Duration) {
	if err := c.socket.ping(c.relay.pace.pong); err != nil {
		go c.drop()
		return 0
	}
	return c.relay.pace.ping
}

// rest ends the tasks.
func (c *conn) rest() {
	for _, e := range []*task{&c.beats, &c.pings, &c.tells, &c.renewals} {
		e.stopRuns()
	}
}

// closeConnection closes the connection with a code and a reason, if nothing has closed it before.
func (c *conn) closeConnection(code int, reason string) {
	c.closing.Do(func() {
		c.cancel()
		c.socket.close(code, clip(reason))
	})
}

// drop closes the connection without waiting for the page.
func (c *conn) drop() {
	c.closing.Do(func() {
		c.cancel()
		c.socket.drop()
	})
}

// clip makes a reason fit into a close frame.
func clip(reason string) string { return status.Excerpt([]byte(reason), maxReason-len("…")) }
