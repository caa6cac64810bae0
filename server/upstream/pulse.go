package upstream

import (
	"context"
	"crypto/tls"
	"net"
	"net/http/httptrace"
	"sync/atomic"
	"time"
)

// Pulse tells when an API server was last heard on the connection that a request uses. A watch may be silent for a minute; its
// HTTP/2 connection is not, for a server that lives answers the pings on it:
//
//	stream  ──event────────────────────────────────── silence ──────▶
//	connection ──event───ping─ack───ping─ack───ping──── silence ────▶
//	                                     ▲
//	                                     Heard
//
// HTTP/1.1 has no pings, so there silence proves nothing.
type Pulse struct {
	heard  atomic.Pointer[heardConn]
	pinged atomic.Bool
}

// WithPulse gives a context whose request's connection is listened to. It needs a Target of this package, and a request that is a
// stream: another one has no connection to be heard on.
func WithPulse(ctx context.Context) (context.Context, *Pulse) {
	p := &Pulse{}
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(got httptrace.GotConnInfo) { p.listen(got.Conn) }}), p
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

// Heard is when the last byte came; zero: the request has no connection yet.
func (p *Pulse) Heard() time.Time {
	c := p.heard.Load()
	if c == nil {
		return time.Time{}
	}
	return c.last()
}

// Pinged tells whether the connection is pinged when nothing comes, so that silence means something.
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
