package relay

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/fieldmark/fieldmark/kube/record"
	"github.com/fieldmark/fieldmark/server/wiretap"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// recording sends a page the requests of its session. It has no queue: when the page gives credit, recording looks up in the wire log
// what is new.
type recording struct {
	id      uint32
	conn    *conn
	cluster string
	newest  int // how many of the older requests are sent; 0: all
	view    wiretap.View
	ctx     context.Context // ends with the subscription
	end     context.CancelFunc

	mu     sync.Mutex
	credit uint32
	more   chan struct{} // signals that there is credit again

	begun bool
	after uint64                 // the last request up to which all were sent
	open  map[uint64]record.Line // requests in progress, as they were sent last
}

// record starts a subscription to the wire log.
func (c *conn) record(r wire.Request) {
	f := &recording{
		id: r.ID, conn: c, cluster: r.Cluster, newest: int(r.N), view: c.relay.opt.Tap.View(c.session),
		credit: wire.Window, more: make(chan struct{}, 1), open: map[uint64]record.Line{},
	}
	f.ctx, f.end = context.WithCancel(c.ctx)
	if !f.view.Recording() {
		f.end()
		c.refuse(r, ownStatus(http.StatusNotFound, "Fieldmark was started with --no-record, so it keeps no wire log"))
		return
	}
	if why := c.keep(func() { c.records[f.id] = f }); why != "" {
		f.end()
		c.refuse(r, ownStatus(http.StatusTooManyRequests, why))
		return
	}
	c.spawn(f.sendLines)
}

func (c *conn) recording(id uint32) *recording {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.records[id]
}

// grant gives credit for more messages.
func (f *recording) grant(n uint32) {
	f.mu.Lock()
	f.credit = min(f.credit+min(n, maxCredit), maxCredit)
	f.mu.Unlock()
	select {
	case f.more <- struct{}{}:
	default:
	}
}

// sendLines sends lines until the subscription or its connection ends.
func (f *recording) sendLines() {
	own, shared, cancel := f.view.Subscribe()
	defer f.endRecording()
	defer cancel()
	for f.sendNewLines() {
		var look <-chan time.Time
		if len(f.open) > 0 {
			look = time.After(f.conn.relay.pace.progress)
		}
		select {
		case <-f.ctx.Done():
			return
		case _, there := <-own:
			if !there {
				return // the session has ended, and the connection ends with it
			}
		case _, there := <-shared:
			if !there {
				shared = nil
			}
		case <-look:
		}
		pause(f.ctx, f.conn.relay.pace.lines)
	}
}

func (f *recording) endRecording() {
	c := f.conn
	c.mu.Lock()
	delete(c.records, f.id)
	c.account.removeSubscription()
	c.mu.Unlock()
	f.end()
	c.sendMessage(message{Message: wire.Message{Type: wire.Closed, ID: f.id}})
}

// sendNewLines sends what is new; false: the subscription has ended.
func (f *recording) sendNewLines() bool {
	anew := !f.begun
	lines := f.newLines()
	for part := range slices.Chunk(lines, perRecord) {
		if !f.sendNow(wire.Message{Type: wire.Recorded, Lines: part, Anew: anew}) {
			return false
		}
		anew = false
	}
	return !anew || f.sendNow(wire.Message{Type: wire.Recorded, Anew: true})
}

// newLines are the lines that are new or have changed since they were sent, oldest first.
func (f *recording) newLines() []record.Line {
	var lines []record.Line
	for _, id := range slices.Sorted(maps.Keys(f.open)) {
		now, there := f.view.Line(id)
		if !there || now.Done {
			delete(f.open, id)
		}
		if there && now != f.open[id] {
			lines = append(lines, now)
		}
		if there && !now.Done {
			f.open[id] = now
		}
	}
	last := f.view.Last()
	fresh := f.view.Lines(f.cluster, f.after)
	if !f.begun && f.newest > 0 && len(fresh) > f.newest {
		fresh = fresh[len(fresh)-f.newest:]
	}
	for _, l := range fresh {
		if !l.Done {
			f.open[l.ID] = l
		}
	}
	f.begun, f.after = true, last
	return append(lines, fresh...)
}

// sendNow waits for credit and sends a message; false: the subscription ended before.
func (f *recording) sendNow(m wire.Message) bool {
	for !f.spend() {
		select {
		case <-f.ctx.Done():
			return false
		case <-f.more:
		}
	}
	m.ID = f.id
	f.conn.sendMessage(message{Message: m})
	return f.ctx.Err() == nil
}

func (f *recording) spend() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.credit == 0 {
		return false
	}
	f.credit--
	return true
}
