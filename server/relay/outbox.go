package relay

import (
	"sync"

	"github.com/fieldmark/fieldmark/web/wire"
)

// outbox is what a subscription has to tell, and how much of it the page will take. A watch fills it and never
// waits for it; the subscription empties it.
type outbox struct {
	// wake is nudged when there may be something to do for the subscription.
	wake chan struct{}

	mu       sync.Mutex
	credit   uint32
	gen      uint32
	told     string // the version up to which the page knows all
	queue    queue
	bookmark string // a version to tell once the queue is empty
	held     bool   // nothing of the above is told until the watch is open
	owed     bool   // synced is to be told before anything else
	slow     bool   // too much waited, and was dropped
}

func newOutbox() *outbox {
	return &outbox{wake: make(chan struct{}, 1), credit: wire.Window, held: true}
}

func (o *outbox) nudge() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// grant adds credit.
func (o *outbox) grant(n uint32) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.credit = min(o.credit+min(n, maxCredit), maxCredit)
	o.nudge()
}

// spend takes one message's credit, if there is any.
func (o *outbox) spend() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.credit == 0 {
		return false
	}
	o.credit--
	return true
}

// begin drops what waits: it belongs to an older generation.
func (o *outbox) begin(gen uint32) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.queue.drop()
	o.gen, o.told, o.bookmark = gen, "", ""
	o.held, o.owed, o.slow = true, false, false
}

// whole says that the page has a whole state of this version.
func (o *outbox) whole(version string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.told = version
}

// hold keeps everything back until the watch is open again.
func (o *outbox) hold() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.held = true
}

// opened says that the watch is open: from the last version told on, nothing is missed.
func (o *outbox) opened() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.owed = o.owed || o.held
	o.held = false
	o.nudge()
}

// changed takes a change in. It says whether there is any use in more.
func (o *outbox) changed(c change) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.slow {
		return false
	}
	o.queue.put(c)
	o.bookmark = ""
	if o.slow = o.queue.over(); o.slow {
		o.queue.drop()
	}
	o.nudge()
	return !o.slow
}

// passed takes a bookmark in.
func (o *outbox) passed(version string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.bookmark = version
	o.nudge()
}

// overflowed tells whether what waited was dropped.
func (o *outbox) overflowed() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.slow
}

// take gives the next message, if there is one and credit for it.
func (o *outbox) take() (wire.Message, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	m, ok := o.next()
	if ok {
		o.credit--
		m.Gen = o.gen
		m.ResourceVersion = o.told
	}
	return m, ok
}

func (o *outbox) next() (wire.Message, bool) {
	switch {
	case o.credit == 0 || o.held || o.slow:
		return wire.Message{}, false
	case o.owed:
		o.owed = false
		return wire.Message{Type: wire.Synced}, true
	case o.queue.len() > 0:
		events, version := o.queue.take(perMessage, messageBytes)
		o.told = version
		return wire.Message{Type: wire.Events, Events: events}, true
	case o.bookmark != "":
		o.told, o.bookmark = o.bookmark, ""
		return wire.Message{Type: wire.Bookmark}, true
	}
	return wire.Message{}, false
}
