package upstream

import (
	"context"
	"errors"
	"net"
	"sync"
)

// lines are the connections that carry streams and upgrades, so that these can be cut. The zero value is ready.
type lines struct {
	mu   sync.Mutex
	open map[*line]struct{}
	over bool
}

// line is one of these connections.
type line struct {
	net.Conn
	of *lines
}

// errOver is the error for new connections after cut.
var errOver = errors.New("the credentials or the address in the kubeconfig changed")

// dialer opens connections that can be cut.
func (l *lines) dialer(dial func(ctx context.Context, network, address string) (net.Conn, error)) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return l.addConnection(c)
	}
}

func (l *lines) addConnection(c net.Conn) (net.Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over {
		_ = c.Close()
		return nil, errOver
	}
	if l.open == nil {
		l.open = map[*line]struct{}{}
	}
	added := &line{c, l}
	l.open[added] = struct{}{}
	return added, nil
}

// Close closes the connection, and forgets it.
func (x *line) Close() error {
	x.of.mu.Lock()
	delete(x.of.open, x)
	x.of.mu.Unlock()
	return x.Conn.Close()
}

// NetConn gives the connection below, as tls.Conn does.
func (x *line) NetConn() net.Conn { return x.Conn }

// cutConnections closes every connection, and lets no other be opened.
func (l *lines) cutConnections() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
	for x := range l.open {
		_ = x.Conn.Close()
	}
	l.open = nil
}
