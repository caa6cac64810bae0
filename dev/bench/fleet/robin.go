package fleet

import (
	"context"
	"fmt"
	"io"
	"net"
	"sync"
)

// robin is a proxy that gives each connection to the next replica, as a load balancer without affinity does. It reads nothing of what it
// passes on, so it adds little to what is measured.
type robin struct {
	listener net.Listener

	mu       sync.Mutex
	replicas []string // host:port
	next     int
	open     map[net.Conn]bool
}

// startRobin takes a free port of this machine. lead must name the replicas before anybody connects.
func startRobin(ctx context.Context) (*robin, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("the proxy: %w", err)
	}
	return &robin{listener: listener, open: map[net.Conn]bool{}}, nil
}

// listenAddress is host:port.
func (r *robin) listenAddress() string { return r.listener.Addr().String() }

// lead begins to accept connections for these replicas, until close.
func (r *robin) lead(ctx context.Context, replicas ...string) {
	r.set(replicas...)
	go func() {
		for {
			conn, err := r.listener.Accept()
			if err != nil {
				return
			}
			go r.join(ctx, conn)
		}
	}()
}

// set lets all further connections go to these replicas.
func (r *robin) set(replicas ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.replicas = replicas
}

// turn is the replica whose turn it is.
func (r *robin) turn() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.next++
	return r.replicas[r.next%len(r.replicas)]
}

// join passes bytes on in both directions until one end closes.
func (r *robin) join(ctx context.Context, outside net.Conn) {
	defer r.forget(outside)
	inside, err := (&net.Dialer{}).DialContext(ctx, "tcp4", r.turn())
	if err != nil {
		return
	}
	defer r.forget(inside)
	if !r.trackConnections(outside, inside) {
		return
	}
	go func() {
		_, _ = io.Copy(inside, outside)
		r.forget(inside)
	}()
	_, _ = io.Copy(outside, inside)
}

// trackConnections remembers connections, unless the proxy is closed.
func (r *robin) trackConnections(conns ...net.Conn) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.open == nil {
		return false
	}
	for _, c := range conns {
		r.open[c] = true
	}
	return true
}

func (r *robin) forget(c net.Conn) {
	_ = c.Close()
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.open, c)
}

// close ends the proxy and all its connections.
func (r *robin) close() {
	_ = r.listener.Close()
	r.mu.Lock()
	defer r.mu.Unlock()
	for c := range r.open {
		_ = c.Close()
	}
	r.open = nil
}
