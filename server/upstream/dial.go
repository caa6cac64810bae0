package upstream

import (
	"context"
	"crypto/tls"
	"net"
	"net/url"
	"time"
)

// dial gives up on a silent peer: without keep-alive probes, a half-open connection would look idle forever.
func dial(ctx context.Context, network, address string) (net.Conn, error) {
	d := net.Dialer{
		Timeout:         dialTimeout,
		Control:         userTimeout,
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 15 * time.Second, Interval: 5 * time.Second, Count: 4},
	}
	return d.DialContext(ctx, network, address)
}

// dialer opens connections to base for the lean client.
func dialer(base *url.URL, cfg Config) func(context.Context) (*conn, error) {
	address, secure := addressOf(base), secureFor(base, cfg.TLS)
	secure.NextProtos = []string{"http/1.1"}
	return func(ctx context.Context) (*conn, error) {
		c, err := cfg.Dial(ctx, "tcp", address)
		if err != nil {
			return nil, err
		}
		if base.Scheme == "http" {
			return newConn(c), nil
		}
		return handshake(ctx, c, secure)
	}
}

// addressOf is the host and port of base.
func addressOf(base *url.URL) string {
	if base.Port() == "" {
		return net.JoinHostPort(base.Hostname(), defaultPort(base.Scheme))
	}
	return base.Host
}

// secureFor is a copy of a configuration that checks the name of base, unless it checks another one.
func secureFor(base *url.URL, cfg *tls.Config) *tls.Config {
	secure := cloneTLS(cfg)
	if secure.ServerName == "" {
		secure.ServerName = base.Hostname()
	}
	return secure
}

func defaultPort(scheme string) string {
	if scheme == "http" {
		return "80"
	}
	return "443"
}

func handshake(ctx context.Context, c net.Conn, cfg *tls.Config) (*conn, error) {
	ctx, cancel := context.WithTimeout(ctx, handshakeTimeout)
	defer cancel()
	secure := tls.Client(&gather{Conn: c}, cfg)
	if err := secure.HandshakeContext(ctx); err != nil {
		_ = c.Close()
		return nil, err //nolint:wrapcheck // errors of connecting read as those of net/http's own transport
	}
	return newConn(secure), nil
}
