package upstream

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"
)

// many is an HTTP/2 client for GETs with long responses. There can be thousands of these streams, and they are silent most of the time. Of
// each, net/http keeps a goroutine, a pipe and the whole request: 7.0 to 7.6 kB, measured by weight_test.go, and one more goroutine has to wait for
// what arrives. Here a silent stream takes 2.4 kB, and nobody waits:
//
//	RoundTrip ──▶ many ──▶ trunk ──── HEADERS ────▶ API server
//	                         │ one goroutine reads
//	                         ▼
//	                       flow of each stream ◀── Read by the follower, woken by Pulse.Notify
//
// The frames are those of golang.org/x/net/http2. All other requests, and servers without HTTP/2, have the clients of net/http.
type many struct {
	dial  func(context.Context) (*tls.Conn, *heardConn, error) // a connection with HTTP/2, or errNoHTTP2
	pings pings

	mu      sync.Mutex
	trunks  []*trunk
	dialing *dialing // nil: no connection is being opened
}

// pings says when a connection is asked whether its server is still there: after so much silence; and how long the server has to respond.
type pings struct{ after, timeout time.Duration }

// dialing is a connection that is being opened. All who need one wait for it.
type dialing struct {
	done chan struct{}
	err  error
}

var (
	// errNoHTTP2 is the error if the server doesn't choose HTTP/2.
	errNoHTTP2 = errors.New("the server doesn't offer HTTP/2")
	// errUnprocessed is the error of a request that the server certainly hasn't handled, so that it can be sent again.
	errUnprocessed = errors.New("the server didn't process the request")
)

// maxAttempts is how often a request is sent if servers don't process it.
const maxAttempts = 4

// suits tells whether many can send a request.
func (m *many) suits(r *http.Request) bool {
	return m != nil && r.Method == http.MethodGet && (r.Body == nil || r.Body == http.NoBody)
}

// RoundTrip implements http.RoundTripper. The request must suit.
func (m *many) RoundTrip(r *http.Request) (resp *http.Response, err error) {
	closeBody(r)
	for range maxAttempts {
		var t *trunk
		if t, err = m.takeTrunk(r.Context()); err != nil {
			return nil, err
		}
		resp, err = t.roundTrip(r)
		if !errors.Is(err, errUnprocessed) {
			break
		}
	}
	return resp, err
}

// takeTrunk gives a connection with room for one more stream.
func (m *many) takeTrunk(ctx context.Context) (*trunk, error) {
	for {
		t, d := m.ready(ctx)
		if t != nil {
			return t, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-d.done:
			if d.err != nil {
				return nil, d.err
			}
		}
	}
}

// ready gives a connection with room, or the one that is being opened.
func (m *many) ready(ctx context.Context) (*trunk, *dialing) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, t := range m.trunks {
		if t.reserve() {
			return t, nil
		}
	}
	if m.dialing == nil {
		m.dialing = &dialing{done: make(chan struct{})}
		go m.openTrunk(context.WithoutCancel(ctx), m.dialing)
	}
	return nil, m.dialing
}

// openTrunk opens a connection. It doesn't end with the request that needed it first, because others may wait.
func (m *many) openTrunk(ctx context.Context, d *dialing) {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout+handshakeTimeout)
	defer cancel()
	t, err := m.connect(ctx)
	m.mu.Lock()
	defer m.mu.Unlock()
	if err == nil {
		m.trunks = append(m.trunks, t)
	}
	d.err, m.dialing = err, nil
	close(d.done)
}

func (m *many) connect(ctx context.Context) (*trunk, error) {
	c, heard, err := m.dial(ctx)
	if err != nil {
		return nil, err
	}
	return newTrunk(ctx, c, heard, m)
}

// http2Dialer opens connections to base with HTTP/2. dial opens those below TLS.
func http2Dialer(base *url.URL, cfg *tls.Config, dial func(ctx context.Context, network, address string) (net.Conn, error)) func(context.Context) (*tls.Conn, *heardConn, error) {
	address, cfg := addressOf(base), secureFor(base, cfg)
	cfg.NextProtos = []string{"h2", "http/1.1"}
	return func(ctx context.Context) (*tls.Conn, *heardConn, error) {
		below, err := dial(ctx, "tcp", address)
		if err != nil {
			return nil, nil, err
		}
		heard := &heardConn{Conn: below, began: time.Now()}
		secure := tls.Client(heard, cfg)
		if err = secure.HandshakeContext(ctx); err == nil && secure.ConnectionState().NegotiatedProtocol != "h2" {
			err = errNoHTTP2
		}
		if err != nil {
			_ = below.Close()
			return nil, nil, err
		}
		return secure, heard, nil
	}
}

// forget removes a connection that takes no more streams.
func (m *many) forget(t *trunk) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.trunks = slices.DeleteFunc(m.trunks, func(other *trunk) bool { return other == t })
}

// CloseIdleConnections closes the connections without streams.
func (m *many) CloseIdleConnections() {
	m.mu.Lock()
	all := slices.Clone(m.trunks)
	m.mu.Unlock()
	for _, t := range all {
		t.closeIfIdle(0)
	}
}
