package upstream

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Config says how to connect to an API server, and with which credentials.
type Config struct {
	// TLS holds the trusted authorities and the client certificate, if any. It is cloned.
	TLS *tls.Config
	// Dial opens connections; nil dials directly.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Proxy names the HTTP or SOCKS proxy for a request, as in http.Transport; nil means none.
	Proxy func(*http.Request) (*url.URL, error)
	// Wrap adds the context's credentials; client-go's HTTPWrappersForConfig fits. nil adds none.
	Wrap func(http.RoundTripper) http.RoundTripper
	// HeaderTimeout bounds the wait for the headers of a response, except of a stream;
	// zero means DefaultHeaderTimeout.
	HeaderTimeout time.Duration
	// PingAfter is how long nothing must have come on a connection of streams until a ping asks whether the server is still there;
	// zero means DefaultPingAfter.
	PingAfter time.Duration
}

// DefaultPingAfter lets a page say within ten seconds that the API server is silent.
const DefaultPingAfter = 4 * time.Second

// DefaultHeaderTimeout leaves room for the API server's own limit of 60 s for a request.
const DefaultHeaderTimeout = 90 * time.Second

// New makes a Target for the API server at base. It connects at the first request.
func New(base *url.URL, cfg Config) *Target {
	at := *base
	at.Path = strings.TrimRight(at.Path, "/")
	at.RawPath = strings.TrimRight(at.RawPath, "/")
	if cfg.HeaderTimeout == 0 {
		cfg.HeaderTimeout = DefaultHeaderTimeout
	}
	if cfg.PingAfter == 0 {
		cfg.PingAfter = DefaultPingAfter
	}
	if cfg.Dial == nil {
		cfg.Dial = dial
	}
	pick := newPicker(&at, cfg)
	target := &Target{Base: &at, Transport: pick, closeIdle: pick.closeIdle, cut: pick.lines.cutConnections}
	if cfg.Wrap != nil {
		target.Transport = cfg.Wrap(pick)
	}
	return target
}

// A connection attempt is ended after this time, so that the user sees an error instead of waiting.
const (
	dialTimeout      = 10 * time.Second
	handshakeTimeout = 10 * time.Second
)
