package upstream

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"
)

// Pulse tells when an API server last sent something on the connection of a request. A watch may be silent for a minute. Its HTTP/2
// connection isn't, because a running server responds to the pings on it:
//
//	stream  ──event────────────────────────────────── silence ──────▶
//	connection ──event───ping─ack───ping─ack───ping──── silence ────▶
//	                                     ▲
//	                                     Heard
//
// HTTP/1.1 has no pings, so silence proves nothing there.
type Pulse struct {
	heard  atomic.Pointer[heardConn]
	pinged atomic.Bool
	flow   atomic.Pointer[flow]
	end    func()
}

type pulseKey struct{}

// WithPulse returns a context for a request, and the Pulse of the request's connection. It needs a Target of this package, and a
// request that is a stream. Other requests have no such connection.
func WithPulse(ctx context.Context) (context.Context, *Pulse) {
	p := &Pulse{}
	return context.WithValue(ctx, pulseKey{}, p), p
}

// EndBy says how somebody else can end the request: end cancels the context that it is sent with. Call it before the request is sent.
func (p *Pulse) EndBy(end func()) { p.end = end }

// EndOf tells how to end a request with this context, if there is a way. Only the context's own request may use it.
func EndOf(ctx context.Context) (end func(), ok bool) {
	p, ok := ctx.Value(pulseKey{}).(*Pulse)
	if !ok || p.end == nil {
		return nil, false
	}
	return p.end, true
}

// traced lets net/http tell the Pulse of a request, if it has one, which connection the request gets.
func traced(r *http.Request) *http.Request {
	p, ok := r.Context().Value(pulseKey{}).(*Pulse)
	if !ok {
		return r
	}
	return r.WithContext(httptrace.WithClientTrace(r.Context(), &httptrace.ClientTrace{GotConn: func(got httptrace.GotConnInfo) { p.listen(got.Conn) }}))
}

// follow notes the stream of the request.
func (p *Pulse) follow(s *flow) {
	p.pinged.Store(true)
	p.heard.Store(s.trunk.heard)
	p.flow.Store(s)
}

// Silent tells whether a Read of the response's body would wait. False means that only the Read itself can tell.
func (p *Pulse) Silent() bool {
	s := p.flow.Load()
	return s != nil && s.silent()
}

// Notify calls wake once, in a goroutine of its own, as soon as Silent is false.
func (p *Pulse) Notify(wake func()) {
	if s := p.flow.Load(); s != nil {
		s.notify(wake)
		return
	}
	go wake()
}

func (p *Pulse) listen(c net.Conn) {
	secure, isTLS := c.(*tls.Conn)
	p.pinged.Store(isTLS && secure.ConnectionState().NegotiatedProtocol == "h2")
	for c != nil {
		if heard, ok := c.(*heardConn); ok {
			p.heard.Store(heard)
			return
		}
		over, ok := c.(interface{ NetConn() net.Conn })
		if !ok {
			return
		}
		c = over.NetConn()
	}
}

// Heard is when the last byte arrived; zero: the request has no connection yet.
func (p *Pulse) Heard() time.Time {
	c := p.heard.Load()
	if c == nil {
		return time.Time{}
	}
	return c.last()
}

// Pinged tells whether a silent connection is pinged, so that silence means that the server is lost.
func (p *Pulse) Pinged() bool { return p.pinged.Load() }

// heardConn is a connection that notes when something came.
type heardConn struct {
	net.Conn
	began time.Time
	since atomic.Int64 // from began to the last byte
}

// heardDial makes connections that note when something came.
func heardDial(dial func(ctx context.Context, network, address string) (net.Conn, error)) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &heardConn{Conn: c, began: time.Now()}, nil
	}
}

// Read implements net.Conn.
func (c *heardConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		c.since.Store(int64(time.Since(c.began)))
	}
	return n, err
}

func (c *heardConn) last() time.Time { return c.began.Add(time.Duration(c.since.Load())) }
