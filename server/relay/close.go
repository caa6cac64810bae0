package relay

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// When the other side answers the library's close frame, the library sends a second one. RFC 6455, section 5.5.1, forbids that, and
// browsers report an error. So everything after the first close frame is dropped.

// hijacked gives the library a connection whose writes go through outgoing.
type hijacked struct {
	http.ResponseWriter
	out *outgoing
}

// Hijack implements http.Hijacker.
func (h *hijacked) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, both, err := http.NewResponseController(h.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, fmt.Errorf("taking the connection over: %w", err)
	}
	if err := both.Writer.Flush(); err != nil {
		return nil, nil, fmt.Errorf("taking the connection over: %w", err)
	}
	early, err := both.Reader.Peek(both.Reader.Buffered()) // what the page has sent already
	if err != nil {
		return nil, nil, fmt.Errorf("taking the connection over: %w", err)
	}
	h.out = &outgoing{Conn: conn, early: bytes.Clone(early)}
	return h.out, bufio.NewReadWriter(bufio.NewReaderSize(h.out, buffer), bufio.NewWriterSize(h.out, buffer)), nil
}

// buffer has room for most messages, in bytes. Larger ones are written in two parts, and read without it. net/http's buffers have 4 KiB each, in
// each open page.
const buffer = 1 << 10

// outgoing is a connection that sends only one close frame, and reads no faster than its account may send.
type outgoing struct {
	net.Conn
	early   []byte        // was read before the connection was taken over
	slow    *rate.Limiter // bytes; nil: no bound
	closing atomic.Bool   // a close frame is about to be written
	closed  atomic.Bool   // a close frame has been written
}

// Read implements net.Conn. It waits after it has read, so the other side notices only that its messages are taken slowly. This also bounds
// pings, which the library answers by itself.
func (o *outgoing) Read(p []byte) (int, error) {
	if len(o.early) > 0 {
		n := copy(p, o.early)
		if o.early = o.early[n:]; len(o.early) == 0 {
			o.early = nil // so that its memory is free
		}
		return n, nil
	}
	if o.slow == nil {
		return o.Conn.Read(p)
	}
	n, err := o.Conn.Read(p[:min(len(p), incomingBurst)])
	if n > 0 {
		time.Sleep(o.slow.ReserveN(time.Now(), n).Delay())
	}
	return n, err
}

// closeFrame is the first byte of a close frame: FIN is set, and the opcode is 8.
const closeFrame = 0x88

// Write implements net.Conn. The library writes a control frame in one piece.
func (o *outgoing) Write(p []byte) (int, error) {
	if o.closed.Load() {
		return len(p), nil
	}
	if o.closing.Load() && len(p) > 0 && p[0] == closeFrame {
		o.closed.Store(true)
	}
	return o.Conn.Write(p)
}
