package relay

import (
	"context"
	"encoding/json"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"nhooyr.io/websocket"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web/wire"
)

// Codes with which connections are closed.
const (
	goingAway  = websocket.StatusGoingAway       // Fieldmark stops
	malformed  = websocket.StatusPolicyViolation // a message made no sense
	internal   = websocket.StatusInternalError
	tryLater   = websocket.StatusTryAgainLater     // the session has too many
	sessionEnd = websocket.StatusCode(SessionOver) // the session has ended
)

// conn is one browser tab's connection.
type conn struct {
	relay   *Relay
	ws      *websocket.Conn
	session string
	ctx     context.Context // ends before the connection is closed
	cancel  context.CancelFunc
	all     sync.WaitGroup // everything that runs for the connection
	closing sync.Once
	writing sync.Mutex

	mu   sync.Mutex
	subs map[uint32]*subscription
}

func newConn(r *Relay, ws *websocket.Conn, session string) *conn {
	ws.SetReadLimit(wire.MaxRequest)
	c := &conn{relay: r, ws: ws, session: session, subs: map[uint32]*subscription{}}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c
}

// serve runs the connection to its end.
func (c *conn) serve() {
	defer c.all.Wait()
	defer c.drop()
	c.spawn(c.ping)
	c.send(wire.Message{Type: wire.Hello, Build: c.relay.opt.Build})
	c.read()
}

// read does what the page asks until it goes, or asks what makes no sense.
func (c *conn) read() {
	for {
		kind, data, err := c.ws.Read(context.Background()) // an ended context would cut the connection without a word
		if err != nil {
			return
		}
		if kind != websocket.MessageText {
			c.end(malformed, "a message is JSON, sent as text")
			return
		}
		r, err := wire.ParseRequest(data)
		if err != nil {
			c.end(malformed, err.Error())
			return
		}
		if trouble := c.do(r); trouble != "" {
			c.end(malformed, trouble)
			return
		}
	}
}

// do does what the page asks, or says why that makes no sense.
func (c *conn) do(r wire.Request) (trouble string) {
	switch r.Type {
	case wire.Subscribe:
		return c.subscribe(r)
	case wire.Credit:
		if s := c.sub(r.ID); s != nil {
			s.outbox.grant(r.N)
		}
	case wire.Unsubscribe:
		if s := c.sub(r.ID); s != nil {
			s.unasked.Store(true)
			s.cancel()
		}
	}
	return ""
}

func (c *conn) subscribe(r wire.Request) (trouble string) {
	if r.ID == 0 {
		return "the ids of subscriptions begin with 1"
	}
	if c.sub(r.ID) != nil {
		return "a subscription of this id is still there"
	}
	q, err := newQuestion(r.Path)
	if err != nil {
		c.refuse(r, told(http.StatusBadRequest, err.Error()))
		return ""
	}
	s := newSubscription(c, r, q)
	ctx, cancel := context.WithCancel(c.ctx)
	s.cancel = cancel
	if !c.keep(s) {
		cancel()
		c.refuse(r, told(http.StatusTooManyRequests, "this page follows too much at once"))
		return ""
	}
	c.spawn(func() {
		defer cancel()
		s.run(ctx)
	})
	return ""
}

func (c *conn) refuse(r wire.Request, why status.Status) {
	c.send(wire.Message{Type: wire.Failed, ID: r.ID, Status: &why})
}

func (c *conn) sub(id uint32) *subscription {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.subs[id]
}

func (c *conn) keep(s *subscription) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.subs) >= maxSubscriptions {
		return false
	}
	c.subs[s.id] = s
	return true
}

func (c *conn) forget(s *subscription) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.subs, s.id)
}

// spawn runs f beside the others. What panics in it ends the connection, not the process (case 23).
func (c *conn) spawn(f func()) {
	c.all.Go(func() {
		defer func() {
			if r := recover(); r != nil {
				c.relay.opt.Log.Error("a subscription panicked", "panic", r, "stack", string(debug.Stack()))
				go c.end(internal, "something inside Fieldmark went wrong; its log says what")
			}
		}()
		f()
	})
}

// send writes a message. A page that doesn't take it in time loses the connection.
func (c *conn) send(m wire.Message) {
	text, err := json.Marshal(m)
	if err != nil {
		panic(err) // messages are made of what was read as JSON
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	if c.ctx.Err() != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), writeWithin)
	defer cancel()
	if err := c.ws.Write(ctx, websocket.MessageText, text); err != nil {
		c.cancel()
		go c.drop()
	}
}

// ping finds out when the page is gone without a word.
func (c *conn) ping() {
	every := time.NewTicker(pingEvery)
	defer every.Stop()
	for {
		select {
		case <-c.ctx.Done():
			return
		case <-every.C:
		}
		ctx, cancel := context.WithTimeout(context.Background(), pongWithin)
		err := c.ws.Ping(ctx)
		cancel()
		if err != nil {
			go c.drop()
			return
		}
	}
}

// end closes the connection with a code and a reason, if nothing has closed it before.
func (c *conn) end(code websocket.StatusCode, reason string) {
	c.closing.Do(func() {
		c.cancel()
		_ = c.ws.Close(code, clip(reason))
	})
}

// drop closes the connection without waiting for the page.
func (c *conn) drop() {
	c.closing.Do(func() {
		c.cancel()
		_ = c.ws.CloseNow()
	})
}

// clip makes a reason fit into a close frame.
func clip(reason string) string { return status.Excerpt([]byte(reason), maxReason-len("…")) }
