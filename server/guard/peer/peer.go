// Package peer finds out which user of this machine is at the other end of a TCP connection, and accepts connections of some users only.
// Listening on a loopback address keeps other machines out, but every user of this machine can connect to it.
//
//	Accept ── addresses of the connection ──▶ kernel: whose socket has them the other way round? ──▶ uid
//	   ◀────── our own uid, or root ─────────────────────────────────────────────────────────────────┘
//	   closed before a byte is read: anybody else
package peer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"sync"
)

// errNone means that no socket of this machine is the other end.
var errNone = errors.New("no socket of this machine is the other end of this connection")

// Finder finds the user at the other end of a connection: the uid of the socket at local that is connected to remote. Ends that no longer
// belong to a process are nobody's: errNone.
type Finder func(local, remote netip.AddrPort) (uid uint32, err error)

// Options say which users get in, and how users are found.
type Options struct {
	UIDs []uint32 // users that get in
	Find Finder
	Log  *slog.Logger
}

// Listener hands on connections of the users in Options. It judges each connection once, when it is accepted. A connection from another
// machine has no user here, and is handed on.
func Listener(l net.Listener, o Options) net.Listener { return &listener{Listener: l, opt: o} }

type listener struct {
	net.Listener
	opt Options

	mu   sync.Mutex
	told map[string]bool // the reasons that the log has already
}

// Accept implements net.Listener.
func (l *listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		why := l.opt.refuses(c)
		if why == "" {
			return c, nil
		}
		_ = c.Close()
		l.logRefusal(why)
	}
}

// maxTold bounds how many reasons are remembered. The log has one line for each user.
const maxTold = 64

func (l *listener) logRefusal(why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.told[why] || len(l.told) >= maxTold {
		return
	}
	if l.told == nil {
		l.told = map[string]bool{}
	}
	l.told[why] = true
	l.opt.Log.Warn("a connection was refused; --allow-other-users allows all users of this machine to connect", "why", why)
}

// refuses tells why a connection doesn't get in; empty: it does.
func (o Options) refuses(c net.Conn) string {
	ours, theirs := addrPort(c.LocalAddr()), addrPort(c.RemoteAddr())
	if !ours.IsValid() || !theirs.IsValid() {
		return "the addresses of the connection are unknown"
	}
	uid, err := o.Find(theirs, ours)
	switch {
	case err == nil && slices.Contains(o.UIDs, uid):
		return ""
	case err == nil:
		return fmt.Sprintf("the connection came from the user with the uid %d", uid)
	case errors.Is(err, errNone) && !ours.Addr().IsLoopback() && !theirs.Addr().IsLoopback():
		return "" // from another machine
	}
	return err.Error()
}

func addrPort(a net.Addr) netip.AddrPort {
	tcp, ok := a.(*net.TCPAddr)
	if !ok {
		return netip.AddrPort{}
	}
	at := tcp.AddrPort()
	return netip.AddrPortFrom(at.Addr().Unmap().WithZone(""), at.Port())
}

// Choose returns the first finder that works for this process on this machine. It makes a connection to itself, and the finder must
// find its own user.
func Choose(ctx context.Context, uid uint32, finders ...Finder) (Finder, error) {
	if len(finders) == 0 {
		return nil, errors.ErrUnsupported
	}
	near, far, err := pair(ctx)
	if err != nil {
		return nil, err
	}
	defer near.Close() //nolint:errcheck // nothing was written
	defer far.Close()  //nolint:errcheck // nothing was written
	var errs []error
	for _, find := range finders {
		got, err := find(addrPort(near.LocalAddr()), addrPort(near.RemoteAddr()))
		if err == nil && got == uid {
			return find, nil
		}
		if err == nil {
			err = fmt.Errorf("a test connection of this process was attributed to the user %d", got)
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

// pair is a connection of this process to itself.
func pair(ctx context.Context) (near, far net.Conn, err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, fmt.Errorf("cannot make a test connection: %w", err)
	}
	defer l.Close() //nolint:errcheck // nothing was written
	if near, err = (&net.Dialer{}).DialContext(ctx, "tcp", l.Addr().String()); err != nil {
		return nil, nil, fmt.Errorf("cannot make a test connection: %w", err)
	}
	if far, err = l.Accept(); err != nil {
		_ = near.Close()
		return nil, nil, fmt.Errorf("cannot make a test connection: %w", err)
	}
	return near, far, nil
}
