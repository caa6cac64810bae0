// Package relay sends pages the changes in a cluster. Each tab has one WebSocket with many subscriptions.
//
//	            one feed for equal subscriptions           one outbox for
//	              of an identity (key: feedKey)           each subscription
//	                                                ┌──▶ outbox ── credit ──┐
//	API server ──▶ Reflector ──▶ feed ── change ────┼──▶ outbox ── credit ──┼──▶ conn ──▶ tab
//	           (server/follow)    │                 └──▶ outbox ── credit ──┘
//	                              ├─ state    the objects as they are, for pages that come later
//	                              ├─ ring     the last changes, for pages that come back
//	                              └─ arrival  a whole state on its way, which each page takes at its own pace
//
// A feed is a watch that the server makes on behalf of a session. An identity is all sessions that have the same credentials (behalf.go): in
// local mode, the browsers of one Fieldmark. A row or an object is encoded once, when the feed reads it; states,
// events and all pages share that text. A feed waits only for the API server. A page that is slow gives no credit: its outbox keeps the
// newest state of each row, or every version of an object, up to a bound. Past the bound the page gets a gap and a fresh state. So no
// page slows the API server, or another page. The hub knows which feeds there are; identities share nothing.
//
// With Options.Share, they share feeds, too. One session's watch is the feed's (leader.go), and the others prove again and again that they
// may make the same watch (proof.go).
//
// Package web/frame/wire documents the messages, and package kube/watch has the rules that prevent gaps.
package relay

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/fieldmark/fieldmark/server/follow"
	"github.com/fieldmark/fieldmark/server/lasting"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/server/wiretap"
)

// SessionOver is the close code of a connection whose session has ended. The page can connect again only after signing in.
const SessionOver = 4401

// Options are the parameters of a Relay.
type Options struct {
	// Resolve finds the way to a cluster by its slug, for the context's session. An error with an HTTPStatus of 400 to 499 is final; with
	// any other the cluster is asked for again.
	Resolve func(ctx context.Context, slug string) (*upstream.Target, error)
	// Login returns the current login of a session to a cluster; nil: it never changes. When a login has ended, no page gets data that was
	// read with it.
	Login func(session, slug string) Login
	// Tap records the requests that are made for pages.
	Tap *wiretap.Log
	// Session names the session of a request.
	Session func(*http.Request) string
	// Renew returns when a session must be renewed by a request, which the pages of its connections then make; nil or zero: never.
	Renew func(session string) time.Time
	// Account names who shares the bounds of a session (limits.go) with the sender of a request; nil: each session has its own.
	Account func(*http.Request) string
	// Reader is the key of the person who sends a request; nil or empty: there is one reader only.
	Reader func(*http.Request) string
	// Share says whether people share the watches of an API group of a cluster: only if the API server has the same objects for all who may
	// list them. nil: never.
	Share func(cluster, group string) bool
	// Build names the pages that are served; a page of another build should be loaded again.
	Build string

	Now    func() time.Time
	Random func() float64 // in [0, 1); spreads waits
	Log    *slog.Logger
}

// Login is the address and the credentials for requests to a cluster.
type Login struct {
	// Over is closed when the address or the credentials change; nil: they never change.
	Over <-chan struct{}
	// Later is true if there was another login before. A page may still have data of that login.
	Later bool
	// Identity is the same for all sessions whose requests to the cluster have the same credentials, and differs between all others. These
	// sessions share feeds. It can be compared. nil: the session shares nothing.
	Identity any
}

// Relay is the handler of the WebSocket endpoint. It is safe for concurrent use.
type Relay struct {
	opt  Options
	pace pace
	hub  hub

	following *follow.Group
	accounts  accounts
	columns   columnSets
	counts    counts

	mu       sync.Mutex
	conns    map[*conn]struct{}
	ended    []ended // sessions that ended of late
	stopping bool
	serving  sync.WaitGroup
}

// New makes a Relay.
func New(o Options) *Relay {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Login == nil {
		o.Login = func(string, string) Login { return Login{} }
	}
	if o.Account == nil {
		o.Account = o.Session
	}
	if o.Reader == nil {
		o.Reader = func(*http.Request) string { return "" }
	}
	if o.Share == nil {
		o.Share = func(string, string) bool { return false }
	}
	if o.Renew == nil {
		o.Renew = func(string) time.Time { return time.Time{} }
	}
	if o.Random == nil {
		o.Random = rand.Float64
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	r := &Relay{opt: o, pace: usualPace(), conns: map[*conn]struct{}{}}
	r.hub.relay, r.hub.feeds, r.hub.proofs = r, map[feedKey][]*feed{}, map[proofKey]*proof{}
	r.hub.checks = checks{byCluster: map[string]int{}, byAccount: map[*account]int{}}
	r.following = follow.NewGroup(follow.Options{
		Resolve: o.Resolve, Tap: o.Tap, Origin: wiretap.Relay, Pace: follow.UsualPace(), Now: o.Now, Random: o.Random, Log: o.Log, Go: r.serving.Go,
	})
	return r
}

// ServeHTTP begins a connection. The guard has refused everybody else before: a client that reaches this function is signed
// in.
func (r *Relay) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if req.Header.Get("Upgrade") == "" {
		w.Header().Set("Upgrade", "websocket")
		w.Header().Set("Connection", "Upgrade")
		http.Error(w, "this address accepts only WebSocket connections", http.StatusUpgradeRequired)
		return
	}
	ws, err := handshake(w, req)
	if err != nil {
		return // it has been answered
	}
	session := r.opt.Session(req)
	holder := r.opt.Account(req)
	account, ok := r.accounts.admitConnection(holder)
	c := newConn(r, ws, session, account)
	c.reader = r.opt.Reader(req)
	if !ok {
		c.closeConnection(tryLater, "this session has too many pages open")
		return
	}
	ws.out.slow = account.incoming
	if code, why := r.addConnection(c); code != 0 {
		c.closeConnection(code, why)
		r.accounts.close(holder)
		return
	}
	end := lasting.Keep(req.Context())
	go r.live(c, holder, end)
}

// live runs a connection, and then gives back what it had. It has a goroutine of its own, because that of the request has a stack of 16 kB,
// and keeps the request with its cookies.
func (r *Relay) live(c *conn, holder string, end func()) {
	defer end()
	defer r.remove(c)
	defer r.accounts.close(holder)
	defer func() {
		if p := recover(); p != nil {
			r.opt.Log.Error("a connection panicked at its end", "panic", p, "stack", string(debug.Stack()))
		}
	}()
	c.serve()
}

// addConnection registers a connection. If it is too late, code and why say why; code is 0 otherwise.
func (r *Relay) addConnection(c *conn) (code int, why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.stopping:
		return goingAway, "Fieldmark is stopping"
	case r.endedOfLate(c.session):
		return SessionOver, "the session has ended"
	}
	r.conns[c] = struct{}{}
	r.serving.Add(1)
	return 0, ""
}

func (r *Relay) remove(c *conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.conns, c)
	r.serving.Done()
}

// EndSession closes a session's connections; call it when the session has ended. It does not wait. A connection that was accepted just
// before is closed as soon as it is registered.
func (r *Relay) EndSession(id string) {
	r.mu.Lock()
	r.ended = append(r.ended, ended{id, r.opt.Now()})
	if len(r.ended) > maxEnded {
		r.ended = slices.Delete(r.ended, 0, len(r.ended)-maxEnded)
	}
	r.mu.Unlock()
	r.hub.leaveSession(id)
	r.each(func(c *conn) {
		if c.session == id {
			c.cancel()
			go c.closeConnection(SessionOver, "the session has ended")
		}
	})
}

// ended is a session that has ended.
type ended struct {
	session string
	at      time.Time
}

// Bounds of the sessions that have ended and are remembered: for as long as a connection takes to be opened. After that, the guard has
// accepted the session again. In shared mode a server may forget a session, and get to know it again.
const (
	maxEnded = 1000
	openTime = 10 * time.Second
)

// endedOfLate tells whether a session has ended while its connection was opened. The caller holds the lock.
func (r *Relay) endedOfLate(session string) bool {
	after := r.opt.Now().Add(-openTime)
	return slices.ContainsFunc(r.ended, func(e ended) bool { return e.session == session && e.at.After(after) })
}

// Close closes every connection, accepts no more, and returns when all are closed. When ctx ends, it cuts the rest.
func (r *Relay) Close(ctx context.Context) {
	r.mu.Lock()
	r.stopping = true
	r.mu.Unlock()
	r.each(func(c *conn) { go c.closeConnection(goingAway, "Fieldmark is stopping") })
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		r.serving.Wait()
	}()
	select {
	case <-gone:
	case <-ctx.Done():
		r.each(func(c *conn) { go c.socket.drop() })
	}
}

func (r *Relay) each(do func(*conn)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for c := range r.conns {
		do(c)
	}
}
