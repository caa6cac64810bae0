package relay

import (
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"testing"
	"time"
)

// fault is what a bad line does to the connections on it.
type fault string

const (
	cut       fault = "cut"       // both sides are closed
	truncated fault = "truncated" // a few more bytes pass, then it is cut
	stall     fault = "stall"     // nothing passes for a while, then all of it
	halfOpen  fault = "half-open" // nothing passes any more, and nobody is told until much later
	slow      fault = "slow"      // what passes, passes in drops
)

// badLine is a TCP proxy before an API server, whose faults are told to it.
type badLine struct {
	listener net.Listener
	behind   string

	mu    sync.Mutex
	conns map[*badConn]struct{}
}

type badConn struct {
	near, far net.Conn

	mu    sync.Mutex
	fault fault
	until time.Time // of stall and slow
	left  int       // bytes until a truncated one is cut
}

func newBadLine(t *testing.T, behind string) *badLine {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	b := &badLine{listener: l, behind: behind, conns: map[*badConn]struct{}{}}
	go b.accept()
	t.Cleanup(func() {
		_ = l.Close()
		b.suffer(cut, nil)
	})
	return b
}

func (b *badLine) accept() {
	for {
		near, err := b.listener.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("tcp", b.behind)
		if err != nil {
			_ = near.Close()
			continue
		}
		c := &badConn{near: near, far: far}
		b.mu.Lock()
		b.conns[c] = struct{}{}
		b.mu.Unlock()
		go c.pass(far, near)
		go func() {
			c.pass(near, far)
			b.mu.Lock()
			delete(b.conns, c)
			b.mu.Unlock()
		}()
	}
}

// suffer does something to all connections that there are.
func (b *badLine) suffer(f fault, random *rand.Rand) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for c := range b.conns {
		c.suffer(f, random)
	}
}

func (c *badConn) suffer(f fault, random *rand.Rand) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fault = f
	switch f {
	case cut:
		c.close()
	case truncated:
		c.left = random.IntN(2000)
	case stall, slow:
		c.until = time.Now().Add(time.Duration(200+random.IntN(1500)) * time.Millisecond)
	case halfOpen:
		time.AfterFunc(time.Duration(1+random.IntN(4))*time.Second, c.close)
	}
}

func (c *badConn) close() {
	_ = c.near.Close()
	_ = c.far.Close()
}

// pass carries bytes until the connection ends.
func (c *badConn) pass(to, from net.Conn) {
	defer c.close()
	buffer := make([]byte, 16<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil || !c.carry(to, buffer[:n]) {
			return
		}
	}
}

// carry carries some bytes as the fault of the moment lets it.
func (c *badConn) carry(to io.Writer, bytes []byte) bool {
	for len(bytes) > 0 {
		n := c.allowed(len(bytes))
		if n < 0 {
			return false
		}
		if n == 0 {
			time.Sleep(5 * time.Millisecond) // the line stalls: that is the fault
			continue
		}
		if _, err := to.Write(bytes[:n]); err != nil {
			return false
		}
		bytes = bytes[n:]
	}
	return true
}

// allowed is how many bytes may pass now; less than none: the connection ends.
func (c *badConn) allowed(n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.until.IsZero() && time.Now().After(c.until) {
		c.fault, c.until = "", time.Time{}
	}
	switch c.fault {
	case truncated:
		if n = min(n, c.left); n == 0 {
			return -1
		}
		c.left -= n
	case stall:
		return 0
	case halfOpen:
		return 0
	case slow:
		time.Sleep(time.Millisecond) // the line is slow: that is the fault
		return min(n, 100)
	case cut:
		return -1
	}
	return n
}
