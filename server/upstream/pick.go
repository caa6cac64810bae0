package upstream

import (
	"crypto/tls"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

// picker sends each request over the transport that suits it.
type picker struct {
	// plain serves requests that are answered once.
	plain *http.Transport
	// many serves watches and followed logs: long responses share an HTTP/2 connection. nil: the server can't be reached this way.
	many *many
	// old says that the server doesn't offer HTTP/2.
	old atomic.Bool
	// streams serves those that many can't.
	streams *http.Transport
	// upgrades never reuses a connection: after an upgrade it may carry anything (threat: failed upgrade).
	upgrades *http.Transport
	// lines are the connections of streams and upgrades.
	lines lines
}

func newPicker(base *url.URL, cfg Config) *picker {
	p := &picker{plain: newPlain(cfg)}
	long := cfg
	long.Dial = p.lines.dialer(cfg.Dial)
	p.streams, p.upgrades = transport(long, true), transport(long, false)
	p.streams.DialContext = heardDial(long.Dial)
	p.upgrades.DisableKeepAlives = true
	p.upgrades.ResponseHeaderTimeout = cfg.HeaderTimeout
	if base.Scheme == "https" && direct(base, cfg.Proxy) {
		p.many = &many{dial: http2Dialer(base, cfg.TLS, long.Dial), pings: pings{cfg.PingAfter, pingTimeout}}
	}
	return p
}

// newPlain is the transport of requests with a single response. Why it isn't HTTP/2: docs/decisions/0103.
func newPlain(cfg Config) *http.Transport {
	t := transport(cfg, false)
	t.DialContext = gathered(cfg.Dial)
	t.ResponseHeaderTimeout, t.MaxResponseHeaderBytes = cfg.HeaderTimeout, maxHeaders
	t.IdleConnTimeout = idleFor
	t.ReadBufferSize, t.WriteBufferSize = 16<<10, 4<<10 // one record of TLS, and most requests
	return t
}

const (
	maxHeaders = 1 << 20 // a server that sends headers without end must not fill the memory
	// idleFor is shorter than the 90 s after which an API server closes an idle connection: closing it ourselves avoids requests on a
	// connection that the server is closing.
	idleFor = 60 * time.Second
)

// direct tells whether no HTTP or SOCKS proxy is used; the client of streams supports none.
func direct(base *url.URL, proxy func(*http.Request) (*url.URL, error)) bool {
	if proxy == nil {
		return true
	}
	via, err := proxy(&http.Request{Method: http.MethodGet, URL: base, Header: http.Header{}})
	return err == nil && via == nil
}

// pingTimeout is how long a ping may go unanswered before its connection is given up.
const pingTimeout = 15 * time.Second

// transport follows no redirect and decompresses nothing: responses pass unchanged.
func transport(cfg Config, http2 bool) *http.Transport {
	t := &http.Transport{
		Proxy: cfg.Proxy, DialContext: cfg.Dial, TLSClientConfig: cloneTLS(cfg.TLS),
		TLSHandshakeTimeout: handshakeTimeout, DisableCompression: true,
		MaxIdleConnsPerHost: 64, IdleConnTimeout: 90 * time.Second,
		ReadBufferSize: 32 << 10, WriteBufferSize: 8 << 10,
		Protocols: new(http.Protocols),
		HTTP2: &http.HTTP2Config{
			// A ping finds a connection that broke without an error. A server that only pauses keeps its connections: pages
			// learn of the silence (Pulse) before the connection is closed.
			SendPingTimeout: cfg.PingAfter, PingTimeout: pingTimeout,
			MaxReceiveBufferPerStream: 1 << 20,
		},
	}
	t.Protocols.SetHTTP1(true)
	t.Protocols.SetHTTP2(http2)
	return t
}

func cloneTLS(c *tls.Config) *tls.Config {
	if c == nil {
		return &tls.Config{MinVersion: tls.VersionTLS12}
	}
	c = c.Clone()
	c.NextProtos = nil // each transport offers its own protocols
	return c
}

// RoundTrip implements http.RoundTripper.
func (p *picker) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := check(r); err != nil {
		closeBody(r)
		return nil, err
	}
	if r.Header.Get("Upgrade") != "" {
		return p.upgrades.RoundTrip(r)
	}
	resp, err := p.sendRequest(r)
	if err == nil && resp.StatusCode == http.StatusSwitchingProtocols {
		_ = resp.Body.Close()
		return nil, errSwitched
	}
	return resp, err
}

var errSwitched = errors.New("the server switched protocols without a request")

func (p *picker) sendRequest(r *http.Request) (*http.Response, error) {
	if !isStream(r) {
		return p.plain.RoundTrip(r)
	}
	if p.many.suits(r) && !p.old.Load() {
		resp, err := p.many.RoundTrip(r)
		if !errors.Is(err, errNoHTTP2) {
			return resp, err
		}
		p.old.Store(true)
	}
	return p.streams.RoundTrip(traced(r))
}

// isStream tells whether a request is probably a stream. A wrong guess costs only a little speed.
func isStream(r *http.Request) bool {
	return strings.Contains(r.URL.RawQuery, "watch=") || strings.Contains(r.URL.RawQuery, "follow=") ||
		strings.Contains(r.URL.Path, "/watch/")
}

func (p *picker) closeIdle() {
	if p.many != nil {
		p.many.CloseIdleConnections()
	}
	for _, t := range []*http.Transport{p.plain, p.streams, p.upgrades} {
		t.CloseIdleConnections()
	}
}
