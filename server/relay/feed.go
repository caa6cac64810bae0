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

// feed follows one thing for all subscriptions of a session that want it in the same form. It is the sink of a Reflector, which
// one goroutine runs. It waits for the API server alone, never for a page: what it learns goes into the subscriptions' outboxes.
type feed struct {
	hub       *hub
	key       feedKey
	source    follow.Source
	form      form
	account   *account
	reflector *follow.Reflector
	cancel    context.CancelFunc

	// Of the goroutine that runs it:

	// columns are those of the state; moved are others that it did not have, and the watch had all the same.
	columns, moved []table.Column
	counted        func() // ends the counting of a state that arrives with a watch; nil: nothing is counted

	// twin says that the hub has another feed of this key, with which this one may become one.
	twin atomic.Bool

	mu        sync.Mutex
	followers map[*subscription]struct{}
	state     state
	held      int             // bytes that the account knows of
	open      bool            // the watch is open, and the API server is heard
	trouble   *follow.Trouble // why it is not
	ended     bool            // nobody can join any more
}

// newFeed begins with what a subscription has, or with nothing.
func newFeed(h *hub, s *subscription, had follow.Had) *feed {
	f := &feed{
		hub: h, key: s.key, source: s.source, form: s.form, account: s.conn.account, followers: map[*subscription]struct{}{},
	}
	f.reflector = h.relay.following.Reflector(s.source, f, had)
	switch {
	case had.Version == "":
		f.state.reset()
	case had.Token != "":
		f.state.part()
	default:
		f.state.resume(had.Version)
	}
	return f
}

func (f *feed) now() time.Time { return f.hub.relay.opt.Now() }

// join takes a subscription in, if what it has fits what is known here. The first may be the one that the feed began with. A reason
// says why the subscription gets the state again.
func (f *feed) join(s *subscription, first bool, reason watch.Gap) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.ended:
		return false
	case first && s.has.Token != "":
		s.outbox.rest(f.state.arriving)
	case first: // it has what the feed began with
	case f.resumes(s):
	case f.state.whole:
		s.outbox.begin(f.whole(), reason)
	default:
		return false
	}
	f.take(s)
	return true
}

// resumes tells a subscription what came after the version that it has, if that is known.
func (f *feed) resumes(s *subscription) bool {
	if s.has.Version == "" || s.has.Token != "" || f.state.arriving != nil {
		return false
	}
	missed, ok := f.state.ring.since(s.has.Version)
	if ok {
		s.outbox.catchUp(missed)
	}
	return ok
}

// whole is the state for a page that has nothing, complete or on its way.
func (f *feed) whole() *arrival {
	if f.state.arriving != nil {
		return f.state.arriving
	}
	return f.state.snapshot()
}

// take makes a subscription a follower, once it has what went before.
func (f *feed) take(s *subscription) {
	f.followers[s] = struct{}{}
	switch {
	case f.open:
		s.outbox.opened()
	case f.trouble != nil:
		s.outbox.wait(waitMessage(*f.trouble, f.now()))
	}
}

// leave lets a subscription go, and tells whether it was the last.
func (f *feed) leave(s *subscription) (last bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.followers, s)
	f.ended = len(f.followers) == 0
	return f.ended
}

// renew gives the state again to a subscription that lost its queued messages, if the feed knows the state.
func (f *feed) renew(s *subscription, reason watch.Gap) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.state.whole || f.ended {
		return false
	}
	s.outbox.begin(f.whole(), reason)
	f.take(s)
	return true
}

// run follows until nothing more comes, or ctx ends.
func (f *feed) run(ctx context.Context) {
	defer f.free()
	if f.reflector.Run(ctx) {
		f.hub.replace(f)
	}
}

// dismiss ends the feed for its followers, and gives them.
func (f *feed) dismiss() map[*subscription]struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := f.followers
	f.ended, f.followers = true, nil
	return all
}

// free gives back what the state took.
func (f *feed) free() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = true
	f.account.hold(-f.held)
	f.held = 0
	f.state = state{}
}

// each tells every follower something. The caller holds the lock.
func (f *feed) each(tell func(*outbox)) {
	for s := range f.followers {
		tell(s.outbox)
	}
}

// hold tells the account how much is kept, and learns whether that is too much.
func (f *feed) hold() (over bool) {
	over = f.account.hold(f.state.bytes - f.held)
	f.held = f.state.bytes
	return over
}

// changed takes a change in, and says whether more may follow.
func (f *feed) changed(c change) bool {
	over := f.learn(c)
	f.meet()
	return !over
}

// learn takes a change in, and says whether too much is kept with it.
func (f *feed) learn(c change) (over bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.state.arriving != nil {
		f.arrived(c)
	} else {
		f.happened(c)
	}
	return f.hold()
}

// happened passes a change on.
func (f *feed) happened(c change) {
	f.state.apply(c)
	f.state.see(c.version, c)
	f.each(func(o *outbox) { o.changed(c) })
}

// arrived adds to the state on its way. What changes meanwhile is told in its place, or once more; what may have been
// told and is gone is told before the state is complete.
func (f *feed) arrived(c change) {
	a, key := f.state.arriving, c.item.key
	at, known := f.state.places[key]
	if known && !at.gone {
		a.overtake(at.last)
	}
	f.state.apply(c)
	switch {
	case c.kind != watch.Deleted:
		at.last, at.gone = a.grow(c.item), false
		if !known {
			at.first = at.last
		}
		f.state.places[key] = at
		f.each(func(o *outbox) { o.arrived(key) })
	case known:
		at.gone = true
		f.state.places[key] = at
		f.each(func(o *outbox) { o.deleted(at.first, c) })
	}
}

func (f *feed) reach(version string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.state.see(version, change{})
	f.each(func(o *outbox) { o.passed(version) })
}

// meet lets the hub see whether this feed and another of its kind have become one.
func (f *feed) meet() {
	if f.twin.Load() {
		f.hub.meet(f.key)
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
