package program

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strings"
	"sync"
	"syscall"

	"github.com/fieldmark/fieldmark/server/guard/peer"
)

// listen binds the address that --listen names. Browsers try both [::1] and 127.0.0.1 for localhost and for names below it, so these names
// mean both: if one of them stayed free, another user of this machine could listen there and receive requests for Fieldmark.
func listen(address string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil || !isLocalhost(host) {
		l, err := net.Listen("tcp", address)
		if err != nil {
			return nil, cannotListen(address, err)
		}
		return l, nil
	}
	return listenOnLoopback(port)
}

// isLocalhost tells whether a name means this machine (RFC 6761). Not every resolver knows those below localhost, but browsers do.
func isLocalhost(host string) bool {
	host = strings.ToLower(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

func cannotListen(address string, err error) error {
	return fmt.Errorf("cannot listen on %s: %w; choose another address with --listen (port 0 picks a free one)", address, errors.Unwrap(err))
}

// freePorts is how many free ports are tried to find one that is free in both families.
const freePorts = 20

// listenOnLoopback binds a port of 127.0.0.1 and the same port of [::1], as far as this machine has both.
func listenOnLoopback(port string) (net.Listener, error) {
	for tries := 1; ; tries++ {
		four, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", port))
		if missing(err) {
			return listen(net.JoinHostPort("::1", port))
		}
		if err != nil {
			return nil, cannotListen(net.JoinHostPort("localhost", port), err)
		}
		_, bound, _ := net.SplitHostPort(four.Addr().String())
		six, err := net.Listen("tcp", net.JoinHostPort("::1", bound))
		if err == nil {
			return join(four, six), nil
		}
		if missing(err) {
			return four, nil
		}
		_ = four.Close()
		if port != "0" || tries == freePorts {
			return nil, cannotListen(net.JoinHostPort("::1", bound)+", which is also localhost", err)
		}
	}
}

// missing tells that this machine doesn't have the address at all, such as [::1] where IPv6 is switched off.
func missing(err error) bool {
	return errors.Is(err, syscall.EADDRNOTAVAIL) || errors.Is(err, syscall.EAFNOSUPPORT)
}

// numeric is host:port by which browsers and programs on this machine reach a listener. The host is always a number: a name can lead
// a browser to an address that somebody else listens on.
func numeric(listening net.Addr) string {
	tcp, ok := listening.(*net.TCPAddr)
	if !ok {
		return listening.String()
	}
	at := netip.AddrPortFrom(tcp.AddrPort().Addr().Unmap(), tcp.AddrPort().Port())
	if at.Addr().IsUnspecified() { // all addresses of this machine, in both families: see net.Listen
		at = netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), at.Port())
	}
	return at.String()
}

// namedHost is the name that --listen has for the host, with the port: what people may type into a browser. It is empty where --listen has none.
func namedHost(address string, listening net.Addr) string {
	host, _, err := net.SplitHostPort(address)
	_, port, portErr := net.SplitHostPort(listening.String())
	if _, isNumber := netip.ParseAddr(host); err != nil || portErr != nil || host == "" || isNumber == nil {
		return ""
	}
	return net.JoinHostPort(host, port)
}

// ownUsers allows only programs of this user and of root to connect, if this system can tell whose a connection is.
func (a *app) ownUsers(ctx context.Context, l net.Listener) net.Listener {
	if a.config.OtherUsers {
		return l
	}
	own := uint32(os.Geteuid()) // -1 where there are no uids; there are no finders either then
	err := peer.Certain(own)
	var find peer.Finder
	if err == nil {
		find, err = peer.Choose(ctx, own, peer.Finders()...)
	}
	if err != nil {
		a.log.Warn("Fieldmark can't find out here which user opened a connection. So other users of this machine can connect, and only the launch token keeps them out", "err", err)
		return l
	}
	return peer.Listener(l, peer.Options{UIDs: []uint32{own, 0}, Find: find, Log: a.log})
}

// joined is several listeners as one.
type joined struct {
	net.Listener // the first: its address stands for all
	all          []net.Listener
	accepted     chan accepted
	closed       chan struct{}
	close        func() error
}

type accepted struct {
	conn net.Conn
	err  error
}

func join(all ...net.Listener) net.Listener {
	j := &joined{Listener: all[0], all: all, accepted: make(chan accepted), closed: make(chan struct{})}
	j.close = sync.OnceValue(func() error {
		close(j.closed)
		var errs []error
		for _, l := range j.all {
			errs = append(errs, l.Close())
		}
		return errors.Join(errs...)
	})
	for _, l := range all {
		go j.forwardConnections(l)
	}
	return j
}

// forwardConnections passes on the connections of one listener, until it is closed.
func (j *joined) forwardConnections(l net.Listener) {
	for {
		conn, err := l.Accept()
		select {
		case j.accepted <- accepted{conn, err}:
		case <-j.closed:
			if conn != nil {
				_ = conn.Close()
			}
			return
		}
	}
}

// Accept implements net.Listener.
func (j *joined) Accept() (net.Conn, error) {
	select {
	case a := <-j.accepted:
		return a.conn, a.err
	case <-j.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (j *joined) Close() error { return j.close() }
