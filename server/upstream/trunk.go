package upstream

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// trunk is one HTTP/2 connection of many. One goroutine reads it.
type trunk struct {
	many   *many
	conn   *tls.Conn
	heard  *heardConn    // below conn
	framer *http2.Framer // the reading goroutine reads, and whoever holds writing writes
	names  names
	credit int // bytes of data that the server may send again; only the reading goroutine uses it

	writing sync.Mutex // guards what is written, so that the numbers of streams grow on the wire
	encoder *hpack.Encoder
	block   bytes.Buffer

	mu       sync.Mutex
	streams  map[uint32]*flow
	reserved int // streams that will begin
	next     uint32
	most     int // streams at the same time
	maxFrame int
	leaving  bool // no stream can begin
	idle     time.Time
	pinged   time.Time // when the ping was sent that has no response yet; zero: none
	dead     bool
	watchdog *time.Timer
}

// Sizes of HTTP/2.
const (
	streamRoom = 1 << 20 // bytes of a stream that may arrive before they are read
	trunkRoom  = 1 << 30 // the same for all streams of a connection: the streams' own bounds matter
	giveBack   = 1 << 20 // bytes after which the server learns that it may send more on the connection
	bareRoom   = 1<<16 - 1
	bareFrame  = 1 << 14
	bareMost   = 100 // streams at the same time, if the server doesn't say
	readAhead  = 4 << 10
	table      = 4 << 10 // bytes of the tables for headers
)

// Times of a connection.
const (
	writeTimeout = 10 * time.Second // for a server that doesn't read
	idleTrunk    = 90 * time.Second // a connection without streams is closed after it
)

// errLost is the error of streams whose connection ended.
var errLost = fmt.Errorf("connection lost: %w", io.ErrUnexpectedEOF)

// newTrunk begins HTTP/2 on a connection, and returns when the server has done so too. It owns the connection.
func newTrunk(ctx context.Context, c *tls.Conn, heard *heardConn, m *many) (*trunk, error) {
	t := &trunk{
		many: m, conn: c, heard: heard, names: names{}, streams: map[uint32]*flow{}, next: 1, most: bareMost, maxFrame: bareFrame, idle: time.Now(),
	}
	t.framer = http2.NewFramer(c, bufio.NewReaderSize(c, readAhead))
	t.framer.ReadMetaHeaders, t.framer.MaxHeaderListSize = hpack.NewDecoder(table, nil), maxHeaders
	t.framer.SetReuseFrames()
	t.encoder = hpack.NewEncoder(&t.block)
	stop := context.AfterFunc(ctx, t.close)
	defer stop()
	if err := t.greet(); err != nil {
		t.close()
		return nil, fmt.Errorf("beginning HTTP/2: %w", err)
	}
	t.mu.Lock()
	t.watchdog = time.AfterFunc(m.pings.after, t.watch)
	t.mu.Unlock()
	go t.readFrames()
	return t, nil
}

// greet sends the settings, and waits for those of the server.
func (t *trunk) greet() error {
	if _, err := io.WriteString(t.conn, http2.ClientPreface); err != nil {
		return err
	}
	err := errors.Join(
		t.framer.WriteSettings(
			http2.Setting{ID: http2.SettingEnablePush, Val: 0}, http2.Setting{ID: http2.SettingInitialWindowSize, Val: streamRoom},
			http2.Setting{ID: http2.SettingMaxHeaderListSize, Val: maxHeaders},
		),
		t.framer.WriteWindowUpdate(0, trunkRoom-bareRoom),
	)
	if err != nil {
		return err
	}
	first, err := t.framer.ReadFrame()
	if err != nil {
		return err //nolint:wrapcheck // newTrunk does
	}
	settings, ok := first.(*http2.SettingsFrame)
	if !ok || settings.IsAck() {
		return errNoHTTP2
	}
	return t.adopt(settings)
}

// reserve takes the room for one more stream, if there is some.
func (t *trunk) reserve() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.leaving || len(t.streams)+t.reserved >= t.most {
		return false
	}
	t.reserved++
	return true
}

// roundTrip sends a request for which room is reserved.
func (t *trunk) roundTrip(r *http.Request) (*http.Response, error) {
	ctx := r.Context()
	s := newFlow(t)
	if p, ok := ctx.Value(pulseKey{}).(*Pulse); ok {
		p.follow(s)
	}
	s.hook(context.AfterFunc(ctx, func() { s.abandon(ctx.Err()) }))
	t.startStream(s, r)
	resp, err := s.head()
	if err != nil {
		return nil, err
	}
	resp.Request = r
	return resp, nil
}

// startStream numbers a stream, and sends its request. The stream ends if that fails.
func (t *trunk) startStream(s *flow, r *http.Request) {
	t.writing.Lock()
	defer t.writing.Unlock()
	if !t.enlist(s) {
		s.finish(errUnprocessed)
		return
	}
	t.block.Reset()
	encode(t.encoder, r)
	if err := t.sendHead(s.id, t.block.Bytes()); err != nil {
		t.fail(err)
	}
}

// enlist turns the reserved room into a stream, unless no stream can begin.
func (t *trunk) enlist(s *flow) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reserved--
	if t.leaving || t.next > 1<<31-1 {
		t.leaving = true
		return false
	}
	s.id = t.next
	t.next += 2
	t.streams[s.id] = s
	return true
}

// sendHead writes the headers of a request, in several frames if they are long.
func (t *trunk) sendHead(id uint32, block []byte) error {
	t.limitWrite()
	first := true
	for first || len(block) > 0 {
		part := block[:min(len(block), t.maxFrame)]
		block = block[len(part):]
		var err error
		if first {
			err = t.framer.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: part, EndStream: true, EndHeaders: len(block) == 0})
		} else {
			err = t.framer.WriteContinuation(id, len(block) == 0, part)
		}
		if err != nil {
			return err //nolint:wrapcheck // errors of the connection read as those of net/http
		}
		first = false
	}
	return nil
}

func (t *trunk) limitWrite() { _ = t.conn.SetWriteDeadline(time.Now().Add(writeTimeout)) }

// writeFrame writes one frame. An error ends the connection.
func (t *trunk) writeFrame(frame func(*http2.Framer) error) {
	t.writing.Lock()
	t.limitWrite()
	err := frame(t.framer)
	t.writing.Unlock()
	if err != nil {
		t.fail(err)
	}
}

// drop removes a stream that has ended, and tells whether it was there.
func (t *trunk) drop(id uint32) (was bool) {
	t.mu.Lock()
	_, was = t.streams[id]
	delete(t.streams, id)
	t.idle = time.Now()
	over := t.leaving && len(t.streams)+t.reserved == 0
	t.mu.Unlock()
	if over {
		t.fail(net.ErrClosed)
	}
	return was
}

// cancel ends a stream that the server would continue.
func (t *trunk) cancel(id uint32) {
	if id != 0 && t.drop(id) {
		t.writeFrame(func(f *http2.Framer) error { return f.WriteRSTStream(id, http2.ErrCodeCancel) })
	}
}

// fail ends the connection and its streams.
func (t *trunk) fail(err error) {
	t.many.forget(t)
	t.mu.Lock()
	t.leaving, t.dead = true, true
	all := t.streams
	t.streams = map[uint32]*flow{}
	if t.watchdog != nil {
		t.watchdog.Stop()
	}
	t.mu.Unlock()
	t.close()
	if errors.Is(err, io.EOF) {
		err = errLost
	}
	for _, s := range all {
		s.finish(err)
	}
}

// close closes the connection without waiting for a server that doesn't read. TLS would wait to send its closing alert.
func (t *trunk) close() { _ = t.heard.Close() }

// closeIfIdle closes the connection if it has had no stream for so long.
func (t *trunk) closeIfIdle(long time.Duration) bool {
	t.mu.Lock()
	idle := len(t.streams)+t.reserved == 0 && time.Since(t.idle) >= long
	t.leaving = t.leaving || idle
	t.mu.Unlock()
	if idle {
		t.fail(net.ErrClosed)
	}
	return idle
}

// watch sends a ping after some silence, and ends a connection whose server doesn't respond.
func (t *trunk) watch() {
	if t.closeIfIdle(idleTrunk) {
		return
	}
	ping, late := t.checkLiveness(time.Now())
	switch {
	case late:
		t.fail(errLost)
	case ping:
		t.writeFrame(func(f *http2.Framer) error { return f.WritePing(false, [8]byte{}) })
	}
}

// checkLiveness tells whether to send a ping now, or whether the response to one is late. It sets the time of the next look.
func (t *trunk) checkLiveness(now time.Time) (ping, late bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.dead {
		return false, false
	}
	heard, next := t.heard.last(), t.many.pings.after
	switch quiet := now.Sub(heard); {
	case !t.pinged.IsZero() && heard.Before(t.pinged):
		left := t.pinged.Add(t.many.pings.timeout).Sub(now)
		next, late = min(next, left), left <= 0
	case quiet < next:
		next -= quiet
	default:
		t.pinged, ping = now, true
	}
	if !late {
		t.watchdog.Reset(max(next, time.Millisecond))
	}
	return ping, late
}
