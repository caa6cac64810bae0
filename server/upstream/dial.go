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

// gathered opens connections that are read in large pieces.
func gathered(open func(ctx context.Context, network, address string) (net.Conn, error)) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := open(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &gather{Conn: c}, nil
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
