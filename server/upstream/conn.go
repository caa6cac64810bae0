package upstream

import (
	"bufio"
	"errors"
	"math"
	"net"
	"sync/atomic"
	"time"
)

// conn is one HTTP/1.1 connection. One request at a time owns it.
type conn struct {
	net.Conn
	r *bufio.Reader
	w *bufio.Writer
	// limit is how many bytes may still be read; it bounds the headers of a response.
	limit int64
	// uses counts the responses that were read to their end.
	uses      int
	idleSince time.Time
	until     time.Time // the read deadline; zero for none
	spoiled   atomic.Bool
}

// Sizes of a connection's buffers. A read from TLS gives one record, which holds 16 KiB at most.
const (
	readBuffer  = 16 << 10
	writeBuffer = 4 << 10
	maxHead     = 1 << 20
	noLimit     = math.MaxInt64
)

func newConn(c net.Conn) *conn {
	x := &conn{Conn: c, limit: noLimit}
	x.r = bufio.NewReaderSize(limited{x}, readBuffer)
	x.w = bufio.NewWriterSize(c, writeBuffer)
	return x
}

// limited bounds the headers: a server that sends headers without end must not fill the memory.
type limited struct{ c *conn }

var errHeadTooLong = errors.New("the response headers are too long")

func (l limited) Read(p []byte) (int, error) {
	if l.c.limit <= 0 {
		return 0, errHeadTooLong
	}
	if l.c.limit == noLimit {
		l.c.unbound()
	}
	if l.c.limit < int64(len(p)) {
		p = p[:l.c.limit]
	}
	n, err := l.c.Conn.Read(p)
	if l.c.limit != noLimit {
		l.c.limit -= int64(n)
	}
	return n, err
}

// await sets a deadline for the headers. Setting a deadline costs a microsecond, so one that was set a moment ago is kept: the time is
// at most a tenth shorter.
func (c *conn) await(bound time.Duration) {
	end := time.Now().Add(bound)
	if end.Sub(c.until) > bound/10 {
		c.until = end
		_ = c.SetReadDeadline(end)
	}
}

// unbound removes the deadline for the body of a response. It is called when more of the body must be read, which never happens for
// small responses.
func (c *conn) unbound() {
	if !c.until.IsZero() {
		c.until = time.Time{}
		_ = c.SetReadDeadline(time.Time{})
	}
}

// interrupt ends all reads and writes on the connection; any goroutine may call it.
func (c *conn) interrupt() {
	c.spoil()
	c.close()
}

// spoil keeps the connection from being used again.
func (c *conn) spoil() { c.spoiled.Store(true) }

// close does not wait for a peer that does not read. TLS would wait to send its closing alert.
func (c *conn) close() {
	_ = bottom(c.Conn).Close()
}

// bottom is the connection below TLS.
func bottom(c net.Conn) net.Conn {
	for {
		over, ok := c.(interface{ NetConn() net.Conn })
		if !ok {
			return c
		}
		c = over.NetConn()
	}
}
