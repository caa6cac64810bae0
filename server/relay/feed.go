package relay

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/follow"
)

// feed follows one thing for all subscriptions of an identity that want it in the same form (behalf.go), or for those of many people who
// share it (leader.go). It is the sink of a Reflector, which one goroutine runs. It waits only for the API server, never for a page: it
// puts all changes into the subscriptions' outboxes.
type feed struct {
	hub       *hub
	key       feedKey
	source    follow.Source
	form      form
	reflector *follow.Reflector
	cancel    context.CancelFunc
	lead      *lead // nil: the feed is of one identity

	// Of the goroutine that runs it:

	// columns are those of the state; moved are other columns that the watch sent later.
	columns, moved []table.Column
	counted        func() // ends the counting of a state that arrives with a watch; nil: nothing is counted

	// twin says that the hub has another feed with this key. The two can be merged once they have the same version.
	twin atomic.Bool

	mu          sync.Mutex
	subscribers map[*subscription]struct{}
	state       state
	bill        bill            // of the state
	open        bool            // the watch is open, and the API server is heard
	trouble     *follow.Trouble // why the watch is not open
	ended       bool            // no subscription can join any more
}

// newFeed makes a feed that continues with what a subscription has, or with nothing.
func newFeed(h *hub, s *subscription, had follow.Had) *feed {
	f := &feed{
		hub: h, key: s.key, source: s.source, form: s.form, subscribers: map[*subscription]struct{}{},
	}
	if s.key.shared {
		f.lead = &lead{by: s.proof.Load(), had: had, sure: true}
	} else {
		f.reflector = h.relay.following.Reflector(s.source, f, had)
	}
	switch {
	case had.Version == "":
		f.state.reset()
	case had.Token != "":
		f.state.startPart()
	default:
		f.state.resume(had.Version)
	}
	return f
}

func (f *feed) now() time.Time { return f.hub.relay.opt.Now() }

// join adds a subscription, if the feed can continue with what the page has. first is true for the subscription that the feed began
// with. A reason says why the subscription gets the state again.
func (f *feed) join(s *subscription, first bool, reason watch.Gap) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.ended:
		return false
	case first && s.has.Token != "":
		s.outbox.setRest(f.state.arriving)
	case first: // it has what the feed began with
	case f.canResume(s):
	case f.state.whole:
		s.outbox.startState(f.wholeState(), reason)
	default:
		return false
	}
	f.addSubscription(s)
	return true
}

// canResume queues the changes after the version that the subscription has, if the feed still knows them.
func (f *feed) canResume(s *subscription) bool {
	if s.has.Version == "" || s.has.Token != "" || f.state.arriving != nil {
		return false
	}
	missed, ok := f.state.ring.since(s.has.Version)
	if ok {
		s.outbox.catchUp(missed)
	}
	return ok
}

// wholeState is the state for a page that has nothing. It is complete, or still arrives.
func (f *feed) wholeState() *arrival {
	if f.state.arriving != nil {
		return f.state.arriving
	}
	return f.state.snapshot()
}

// addSubscription adds a subscription that has everything up to now.
func (f *feed) addSubscription(s *subscription) {
	_, before := f.subscribers[s]
	f.subscribers[s] = struct{}{}
	if !before {
		f.markLeader(s)
		if f.bill.addPayer(s.conn.account) {
			f.evict([]*account{s.conn.account})
			return
		}
	}
	f.notifyOpen(s)
}

// notifyOpen tells a subscription whether the watch is open.
func (f *feed) notifyOpen(s *subscription) {
	switch {
	case f.open:
		s.outbox.opened()
	case f.trouble != nil:
		s.outbox.wait(f.troubleMessage(s, *f.trouble, f.now()))
	}
}

// removeSubscription removes a subscription, and tells whether it was the last.
func (f *feed) removeSubscription(s *subscription) (last bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.dropSubscriber(s)
	f.ended = len(f.subscribers) == 0
	return f.ended
}

// dropSubscriber removes a subscription.
func (f *feed) dropSubscriber(s *subscription) {
	if _, there := f.subscribers[s]; there {
		f.bill.removePayer(s.conn.account)
	}
	delete(f.subscribers, s)
}

// renewState gives the state again to a subscription that lost its queued messages, if the feed knows the state.
func (f *feed) renewState(s *subscription, reason watch.Gap) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.state.whole || f.ended {
		return false
	}
	s.outbox.startState(f.wholeState(), reason)
	f.addSubscription(s)
	return true
}

// closeFeed ends the feed, and returns the subscriptions that it had.
func (f *feed) closeFeed() map[*subscription]struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := f.subscribers
	f.ended, f.subscribers = true, nil
	return all
}

// releaseCharge subtracts the size of the state from the accounts.
func (f *feed) releaseCharge() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = true
	f.bill.charge(0)
	f.state = state{}
}

// notifyEach calls tell for each subscription's outbox. The caller holds the lock.
func (f *feed) notifyEach(tell func(*outbox)) {
	for s := range f.subscribers {
		tell(s.outbox)
	}
}

// chargeState updates the accounts with the size of the state. The feed goes on without those who keep too much. over: nobody is left. A feed with
// a leader learns that after the leader's term.
func (f *feed) chargeState() (over bool) {
	poor := f.bill.charge(f.state.bytes)
	f.evict(poor)
	return f.lead == nil && len(poor) > 0 && len(f.subscribers) == 0
}

// handleChange handles a change, and tells whether the feed goes on.
func (f *feed) handleChange(c change) bool {
	over := f.applyChange(c)
	f.mergeSoon()
	return !over
}

// applyChange handles a change. over: nobody can keep that much.
func (f *feed) applyChange(c change) (over bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.state.arriving != nil {
		f.addArrived(c)
	} else {
		f.notifyChange(c)
	}
	return f.chargeState()
}

// notifyChange sends a change to all subscriptions.
func (f *feed) notifyChange(c change) {
	f.state.apply(c)
	f.state.noteChange(c.version, c)
	f.notifyEach(func(o *outbox) { o.changed(c) })
}

// addArrived adds an object to the state that arrives. If an object changes before pages got it, they get only its newest state;
// otherwise they get it once more. Deletions of objects that pages may have got are sent before the state is complete.
func (f *feed) addArrived(c change) {
	a, key := f.state.arriving, c.item.key
	at, known := f.state.places[key]
	if known && !at.gone {
		a.removeItem(at.last)
	}
	f.state.apply(c)
	switch {
	case c.kind != watch.Deleted:
		at.last, at.gone = a.grow(c.item), false
		if !known {
			at.first = at.last
		}
		f.state.places[key] = at
		f.notifyEach(func(o *outbox) { o.arrived(key) })
	case known:
		at.gone = true
		f.state.places[key] = at
		f.notifyEach(func(o *outbox) { o.deleted(at.first, c) })
	}
}

func (f *feed) reachVersion(version string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.state.noteChange(version, change{})
	f.notifyEach(func(o *outbox) { o.passed(version) })
}

// mergeSoon lets the hub check whether this feed and its twin have the same version, so that it can merge them.
func (f *feed) mergeSoon() {
	if f.twin.Load() {
		f.hub.mergeTwins(f.key)
	}
}

func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
