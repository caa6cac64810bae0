package relay

import (
	"slices"
	"sync"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// outbox is the queue of a subscription: the messages for the page, and the credit that the page gave. A feed fills the outbox and
// never waits for it. The subscription empties it.
type outbox struct {
	// wake is called when there may be something to send. It must not block.
	wake    func()
	may     func() bool // whether the page may get anything at this moment; it must not block; nil: always
	account *account

	mu     sync.Mutex
	credit uint32
	gen    uint32
	some   bool      // the page has a part of this generation
	told   string    // the version up to which the page has everything
	gap    watch.Gap // why continuity was lost; sent before anything else

	state *arrival // being sent to the page; nil: all of it was sent
	at    int      // the index in state of the next item
	begun bool     // a part of state was sent
	gone  []change // deletions of objects of state that may have been sent

	queue    queue
	counted  int    // bytes of the queue that the account knows of
	bookmark string // a version to send once the queue is empty
	held     bool   // nothing of the queue is sent until the watch is open
	owed     bool   // "synced" must be sent before the queue
	slow     bool   // the queue was too large, and was dropped

	trouble *wire.Message  // "waiting"; sent after everything else
	end     *status.Status // "failed"; sent last
	over    bool           // the outbox accepts nothing more
}

func newOutbox(a *account, wake func()) *outbox {
	return &outbox{wake: wake, account: a, credit: wire.Window, held: true}
}

// grant adds credit.
func (o *outbox) grant(n uint32) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.credit = min(o.credit+min(n, maxCredit), maxCredit)
	o.wake()
}

// has sets what the page has of this generation: the whole state of this version, or a part of it.
func (o *outbox) has(gen uint32, version string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.gen, o.told, o.some = gen, version, true
}

// lacks sets that the page has nothing, and the generation of the state that it gets.
func (o *outbox) lacks(gen uint32) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.gen = gen
}

// closeMessage is the message that ends the subscription.
func (o *outbox) closeMessage() message {
	o.mu.Lock()
	defer o.mu.Unlock()
	return message{Message: wire.Message{Type: wire.Closed, Gen: o.gen}}
}

// setRest sets the rest of the state of which the page has a part.
func (o *outbox) setRest(state *arrival) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.state, o.at, o.begun = state, 0, false
	o.wake()
}

// startState sends the page a state from its beginning. If the page has a part of this generation, the next generation begins. A reason
// says that continuity was lost. The queue is dropped, because it belongs to an older generation.
func (o *outbox) startState(state *arrival, reason watch.Gap) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.some {
		o.gen++
		o.gap = reason
	}
	o.some, o.told, o.bookmark, o.gone = false, "", "", nil
	o.state, o.at, o.begun = state, 0, false
	o.held, o.owed, o.slow = true, false, false
	o.dropQueue()
	o.wake()
}

// catchUp queues the changes since the version that the page has.
func (o *outbox) catchUp(missed []change) {
	for _, c := range missed {
		o.changed(c)
	}
}

// opened notes that the watch is open. Nothing is missed after the last version that was sent.
func (o *outbox) opened() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.owed = o.owed || o.held
	o.held, o.trouble = false, nil
	o.wake()
}

// changed queues a change.
func (o *outbox) changed(c change) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.put(c)
	o.wake()
}

func (o *outbox) put(c change) {
	if o.slow || o.over {
		return
	}
	o.queue.put(c)
	o.bookmark = ""
	if crowded := o.updateAccount(); crowded || o.queue.over() {
		o.slow = true
		o.dropQueue()
	}
}

// updateAccount updates the account with the size of the queue. crowded: too much waits.
func (o *outbox) updateAccount() (crowded bool) {
	crowded = o.account.chargeQueue(o.queue.bytes - o.counted)
	o.counted = o.queue.bytes
	return crowded && o.queue.len() > 1
}

func (o *outbox) dropQueue() {
	o.queue.drop()
	o.updateAccount()
}

// passed queues a bookmark.
func (o *outbox) passed(version string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.bookmark = version
	o.wake()
}

// deleted notes that an object was deleted that has the index at in the state being sent.
func (o *outbox) deleted(at int, c change) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if at < o.at {
		o.gone = append(o.gone, c)
	}
}

// arrived notes that the state being sent has one more object. The object may have been deleted before and created again.
func (o *outbox) arrived(key string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.gone = slices.DeleteFunc(o.gone, func(c change) bool { return c.item.key == key })
	o.wake()
}

// more notes that more of the state has arrived.
func (o *outbox) more() { o.wake() }

// wait queues the reason why nothing arrives. It is sent after everything before it.
func (o *outbox) wait(m wire.Message) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.trouble = &m
	o.wake()
}

// fail queues the reason why the subscription ends.
func (o *outbox) fail(why status.Status) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.end, o.trouble = &why, nil
	o.wake()
}

// close drops everything that waits.
func (o *outbox) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.over = true
	o.dropQueue()
}

// dropWaiting drops everything that waits. It returns the version of which the page has everything; empty: the page has only a part of a
// state, or nothing.
func (o *outbox) dropWaiting() (version string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.state == nil && len(o.gone) == 0 {
		version = o.told
	}
	o.state, o.gone, o.bookmark, o.trouble = nil, nil, "", nil
	o.held, o.owed, o.slow = true, false, false
	o.dropQueue()
	return version
}

// wantsAnew tells whether the queue was dropped and the page has credit, so that it can get the state again.
func (o *outbox) wantsAnew() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.slow && o.credit > 0
}

// takeMessage returns the next message; ok is false if there is none, or no credit for it. last is true if it ends the subscription.
func (o *outbox) takeMessage() (m message, last, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if m, ok = o.nextMessage(); ok {
		o.credit--
		m.Gen = o.gen
		return m, false, true
	}
	switch {
	case o.trouble != nil:
		m.Message, o.trouble, o.held = *o.trouble, nil, true
	case o.end != nil:
		m.Message, o.end, last = wire.Message{Type: wire.Failed, Status: o.end}, nil, true
	default:
		return m, false, false
	}
	m.Gen = o.gen
	return m, last, true
}

// nextMessage returns the next message that needs credit.
func (o *outbox) nextMessage() (message, bool) {
	switch {
	case o.credit == 0 || o.may != nil && !o.may():
		return message{}, false
	case o.gap != "":
		m := message{Message: wire.Message{Type: wire.Gap, Reason: o.gap}}
		o.gap, o.some = "", true
		return m, true
	case o.state != nil:
		if m, ok := o.rowsMessage(); ok || o.state != nil {
			return m, ok
		}
	}
	if len(o.gone) > 0 {
		return o.deletionsMessage(), true
	}
	m, ok := o.changesMessage()
	m.ResourceVersion = o.told
	return m, ok
}

// rowsMessage returns the next message of the state being sent. If there is none and o.state is nil, the page has the whole state.
func (o *outbox) rowsMessage() (message, bool) {
	items, to, more := o.state.nextItems(o.at, o.begun)
	if more {
		m := message{Message: wire.Message{Type: wire.Rows, Remaining: o.state.remaining(to)}, items: items}
		if !o.begun {
			m.Columns = o.state.known()
		}
		o.at, o.begun, o.some = to, true, true
		return m, true
	}
	version, whole := o.state.whole(o.at)
	if !whole {
		return message{}, false
	}
	o.told, o.state = version, nil
	return message{}, false
}

// deletionsMessage returns deletions of objects that were sent while the state arrived. They have no version: until all of them are sent, the
// page has no version from which it could resume.
func (o *outbox) deletionsMessage() message {
	n := min(len(o.gone), perMessage)
	m := message{Message: wire.Message{Type: wire.Events}, events: o.gone[:n:n]}
	o.gone = o.gone[n:]
	return m
}

// changesMessage returns the changes after the state.
func (o *outbox) changesMessage() (message, bool) {
	switch {
	case o.held || o.slow:
		return message{}, false
	case o.owed:
		o.owed = false
		return message{Message: wire.Message{Type: wire.Synced}}, true
	case o.queue.len() > 0:
		events, version := o.queue.takeChanges(o.queue.perMessage(), messageBytes)
		o.updateAccount()
		o.told = version
		return message{Message: wire.Message{Type: wire.Events}, events: events}, true
	case o.bookmark != "":
		o.told, o.bookmark = o.bookmark, ""
		return message{Message: wire.Message{Type: wire.Bookmark}}, true
	}
	return message{}, false
}
