package guard

import (
	"context"
	"io"
	"net"
	"net/http"
	"sync/atomic"
)

// Listener watches the head of each request on the wire for what net/http hides: of a request with both
// Content-Length and Transfer-Encoding it silently drops the former (threat: request smuggling). An agent in front of us that goes by
// the other one would see requests where we see a body. With TLS, wrap the TLS listener; where its connections have a
// method Negotiated() string that says h2, HTTP/2 may follow.
//
// It also bounds how many connections strangers have; see strangers.
func Listener(l net.Listener) net.Listener { return listener{l, newStrangers(maxStrangers)} }

type listener struct {
	net.Listener
	strangers *strangers
}

func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	w := &wire{Conn: c, strangers: l.strangers}
	l.strangers.add(w)
	return w, nil
}

// wire is a connection that follows the framing of what is read from it.
type wire struct {
	net.Conn
	framing framing
	// poisoned says why the framing can't be trusted. It is set before net/http sees the last byte of the offending head, and stays: whatever else is on
	// this connection may be the smuggled part.
	poisoned atomic.Pointer[string]
	// upgrades counts the requests on this connection that asked for an upgrade; the first is the last that is served.
	upgrades atomic.Int32

	strangers *strangers
}

// Close forgets the connection too.
func (c *wire) Close() error {
	c.strangers.remove(c)
	return c.Conn.Close()
}

func (c *wire) Read(p []byte) (int, error) {
	if c.framing.part == opened {
		return 0, io.EOF
	}
	n, err := c.Conn.Read(p)
	if n > 0 && c.framing.follow(p[:n]) {
		c.poisoned.Store(&c.framing.why)
	}
	if c.framing.part == opened {
		if !c.speaksHTTP2() {
			return 0, io.EOF // net/http finds half a request, and refuses it
		}
		c.framing.part = lost
	}
	return n, err
}

// speaksHTTP2 tells whether TLS on this connection has agreed on HTTP/2. Nothing else leads to it: in the clear it would
// be a second way in, of which agents in front of us may know nothing (threat: request smuggling).
func (c *wire) speaksHTTP2() bool {
	secured, ok := c.Conn.(interface{ Negotiated() string })
	return ok && secured.Negotiated() == "h2"
}

// CloseWrite lets one side of an upgraded connection end before the other.
func (c *wire) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return http.ErrNotSupported
}

type wireKey struct{}

// ConnContext is for http.Server; it tells the guard which connection a request came on.
func ConnContext(ctx context.Context, c net.Conn) context.Context {
	if w, ok := c.(*wire); ok {
		return context.WithValue(ctx, wireKey{}, w)
	}
	return ctx
}

// greet counts the connection of a request among those whose owner is known.
func greet(r *http.Request) {
	if w, ok := r.Context().Value(wireKey{}).(*wire); ok {
		w.strangers.remove(w)
	}
}

// smuggles says why a request must not be trusted to end where it seems to; empty when it may.
func smuggles(r *http.Request) (why string) {
	if len(r.TransferEncoding) > 0 && r.Header.Get("Content-Length") != "" {
		return bothLengths
	}
	if w, ok := r.Context().Value(wireKey{}).(*wire); ok {
		if why := w.poisoned.Load(); why != nil {
			return *why
		}
	}
	return ""
}

// afterUpgrade reports a request on a connection that was to become something else. Nobody follows its framing any
// more, so an upgrade that was turned down ends the connection on our side too (threat: failed upgrade).
func afterUpgrade(r *http.Request) bool {
	w, ok := r.Context().Value(wireKey{}).(*wire)
	if !ok {
		return false
	}
	if _, upgrade := r.Header["Upgrade"]; upgrade {
		return w.upgrades.Add(1) > 1
	}
	return w.upgrades.Load() > 0
}
