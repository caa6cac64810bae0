package relay

import (
	"slices"
	"sync"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// outbox is what a subscription has to tell, and how much of it the page will take. A feed fills it and never
// waits for it; the subscription empties it.
type outbox struct {
	// wake is called when there may be something to tell. It must not wait.
	wake    func()
	account *account

	mu     sync.Mutex
	credit uint32
	gen    uint32
	some   bool      // the page has something of this generation
	told   string    // the version up to which the page knows all
	gap    watch.Gap // to be told before anything else

	state *arrival // on its way to the page; nil: it has it
	at    int      // of it, what comes next
	begun bool     // some of it was told
	gone  []change // deletions of what may have been told of it

	queue    queue
	counted  int    // bytes of the queue that the account knows of
	bookmark string // a version to tell once the queue is empty
	held     bool   // nothing of the queue is told until the watch is open
	owed     bool   // synced is to be told before the queue
	slow     bool   // too much waited, and was dropped

	trouble *wire.Message  // waiting, to be told after all that can be told
	end     *status.Status // failed, to be told last
	over    bool           // nothing is taken in any more
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

// has says that the page has a state of this generation: a whole one of this version, or a part.
func (o *outbox) has(gen uint32, version string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.gen, o.told, o.some = gen, version, true
}

// lacks says that the page has nothing, and of which generation it gets a state.
func (o *outbox) lacks(gen uint32) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.gen = gen
}

// closed is the message that ends it.
func (o *outbox) closed() message {
	o.mu.Lock()
	defer o.mu.Unlock()
	return message{Message: wire.Message{Type: wire.Closed, Gen: o.gen}}
}

// rest says what the page gets of the state that it has a part of.
func (o *outbox) rest(state *arrival) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.state, o.at, o.begun = state, 0, false
	o.wake()
}

// begin says that the page gets a state from its beginning, of the next generation if it has something of this one.
// A reason says that continuity was lost. What waits is dropped: it belongs to an older generation.
func (o *outbox) begin(state *arrival, reason watch.Gap) {
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

// catchUp takes in what the page missed since the version that it has.
func (o *outbox) catchUp(missed []change) {
	for _, c := range missed {
		o.changed(c)
	}
}

// opened says that the watch is open: from the last version told on, nothing is missed.
func (o *outbox) opened() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.owed = o.owed || o.held
	o.held, o.trouble = false, nil
	o.wake()
}

// changed takes a change in.
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
	if crowded := o.count(); crowded || o.queue.over() {
		o.slow = true
		o.dropQueue()
	}
}

// count tells the account how much waits, and learns whether that is too much.
func (o *outbox) count() (crowded bool) {
	crowded = o.account.queue(o.queue.bytes - o.counted)
	o.counted = o.queue.bytes
	return crowded && o.queue.len() > 1
}

func (o *outbox) dropQueue() {
	o.queue.drop()
	o.count()
}

// passed takes a bookmark in.
func (o *outbox) passed(version string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.bookmark = version
	o.wake()
}

// deleted says that an object is gone which was the at-th of the state on its way.
func (o *outbox) deleted(at int, c change) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if at < o.at {
		o.gone = append(o.gone, c)
	}
}

// arrived says that there is another object in the state on its way, which may have been gone meanwhile.
func (o *outbox) arrived(key string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.gone = slices.DeleteFunc(o.gone, func(c change) bool { return c.item.key == key })
	o.wake()
}

// more says that there is more of the state on its way.
func (o *outbox) more() { o.wake() }

// wait says why nothing comes, to be told when all that came before was.
func (o *outbox) wait(m wire.Message) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.trouble = &m
	o.wake()
}

// fail says why nothing comes any more.
func (o *outbox) fail(why status.Status) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.end, o.trouble = &why, nil
	o.wake()
}

// close drops what is left.
func (o *outbox) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.over = true
	o.dropQueue()
}

// wantsAnew tells whether the page lost what waited for it, and can be told so.
func (o *outbox) wantsAnew() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.slow && o.credit > 0
}

// take gives the next message, if there is one and credit for it. last is true for the one that ends all.
func (o *outbox) take() (m message, last, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if m, ok = o.next(); ok {
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

// next gives what needs credit.
func (o *outbox) next() (message, bool) {
	switch {
	case o.credit == 0:
		return message{}, false
	case o.gap != "":
		m := message{Message: wire.Message{Type: wire.Gap, Reason: o.gap}}
		o.gap, o.some = "", true
		return m, true
	case o.state != nil:
		if m, ok := o.rows(); ok || o.state != nil {
			return m, ok
		}
	}
	if len(o.gone) > 0 {
		return o.farewell(), true
	}
	m, ok := o.news()
	m.ResourceVersion = o.told
	return m, ok
}

// rows gives the next of the state on its way. Without any, the page has it once o.state is nil.
func (o *outbox) rows() (message, bool) {
	items, to, more := o.state.next(o.at, o.begun)
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

// farewell gives deletions of what was told while the state arrived. They have no version: until all of them are told,
// a page that comes back has nothing that can be gone on with.
func (o *outbox) farewell() message {
	n := min(len(o.gone), perMessage)
	m := message{Message: wire.Message{Type: wire.Events}, events: o.gone[:n:n]}
	o.gone = o.gone[n:]
	return m
}

// news gives what happened since the state.
func (o *outbox) news() (message, bool) {
	switch {
	case o.held || o.slow:
		return message{}, false
	case o.owed:
		o.owed = false
		return message{Message: wire.Message{Type: wire.Synced}}, true
	case o.queue.len() > 0:
		events, version := o.queue.take(o.queue.perMessage(), messageBytes)
		o.count()
		o.told = version
		return message{Message: wire.Message{Type: wire.Events}, events: events}, true
	case o.bookmark != "":
		o.told, o.bookmark = o.bookmark, ""
		return message{Message: wire.Message{Type: wire.Bookmark}}, true
	}
	return message{}, false
}
