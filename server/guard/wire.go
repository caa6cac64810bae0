package guard

import (
	"context"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"sync/atomic"

	"github.com/fieldmark/fieldmark/server/lasting"
)

// Listener reads the headers of each request on the wire, because net/http hides something: if a request has both Content-Length and
// Transfer-Encoding, it silently drops Content-Length (threat: request smuggling). A proxy in front of Fieldmark that uses
// Content-Length would then see requests where Fieldmark sees a body. With TLS, wrap the TLS listener. HTTP/2 is accepted only if the
// TLS connections have a method Negotiated() string that returns h2.
//
// It also bounds the number of connections whose client is not known yet; see strangers.
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
	l.strangers.addConnection(w)
	return w, nil
}

// wire is a connection that follows the framing of what is read from it.
type wire struct {
	net.Conn
	framing framing
	// poisoned says why the framing can't be trusted. It is set before net/http sees the last byte of these headers, and it is
	// never cleared: everything that follows on the connection may be a smuggled request.
	poisoned atomic.Pointer[string]
	// upgrades counts the requests on this connection that asked for an upgrade; no request after the first of them is served.
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
			return 0, io.EOF // net/http sees an incomplete request, and refuses it
		}
		c.framing.part = lost
	}
	return n, err
}

// speaksHTTP2 tells whether TLS negotiated HTTP/2 on this connection. HTTP/2 without TLS is refused: a proxy in front of Fieldmark may
// not know of it (threat: request smuggling).
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

// ConnContext is for http.Server; it tells the guard which connection a request came on. A handler may keep the connection (package lasting).
func ConnContext(ctx context.Context, c net.Conn) context.Context {
	ctx = lasting.Context(ctx)
	if w, ok := c.(*wire); ok {
		return context.WithValue(ctx, wireKey{}, w)
	}
	return ctx
}

// ClientCertificate is the certificate of the program at the other end of a request's connection, if TLS ends here and has verified it; nil:
// there is none. Behind a proxy, it is the proxy's.
func ClientCertificate(ctx context.Context) *x509.Certificate {
	w, ok := ctx.Value(wireKey{}).(*wire)
	if !ok {
		return nil
	}
	if secured, ok := w.Conn.(interface{ Certificate() *x509.Certificate }); ok {
		return secured.Certificate()
	}
	return nil
}

// greet notes that the client on this connection is known now.
func greet(r *http.Request) {
	if w, ok := r.Context().Value(wireKey{}).(*wire); ok {
		w.strangers.remove(w)
	}
}

// smuggles says why the end of a request can't be trusted; empty: it can.
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

// afterUpgrade tells whether an earlier request on this connection wanted an upgrade. The framing is not followed after that, so
// Fieldmark ends the connection even if the upgrade was refused (threat: failed upgrade).
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
