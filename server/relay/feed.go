package relay

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// feed follows one thing for all subscriptions of a session that want it in the same form. One goroutine runs it.
// It waits for the API server alone, never for a page: what it learns goes into the subscriptions' outboxes.
type feed struct {
	*source
	hub     *hub
	key     feedKey
	account *account
	cancel  context.CancelFunc

	// Of the goroutine that runs it:
	machine *watch.Machine
	listing listing
	// columns are those of the state; moved are others that it did not have, and the watch had all the same.
	columns, moved []table.Column
	counted        func() // ends the counting of a state that arrives with a watch
	// sign is the last sign of life of the API server.
	sign time.Time

	// twin says that the hub has another feed of this key, with which this one may become one.
	twin atomic.Bool

	mu        sync.Mutex
	followers map[*subscription]struct{}
	state     state
	held      int      // bytes that the account knows of
	open      bool     // the watch is open, and the API server is heard
	trouble   *trouble // why it is not
	ended     bool     // nobody can join any more
}

// newFeed begins with what a subscription has, or with nothing.
func newFeed(s *subscription, has had) *feed {
	f := &feed{
		source: s.source, key: s.key, account: s.conn.account, listing: newListing(has.token), followers: map[*subscription]struct{}{},
		sign: s.source.now(),
	}
	switch {
	case has.version == "":
		f.machine = watch.NewStreaming()
		f.state.reset()
	case has.token != "":
		f.machine = watch.Continue()
		f.listing.version = has.version
		f.state.part()
	default:
		f.machine = watch.Resume(has.version)
		f.state.resume(has.version)
	}
	return f
}

// join takes a subscription in, if what it has fits what is known here. The first may be the one that the feed began
// with. A reason says why the subscription gets the state anew.
func (f *feed) join(s *subscription, first bool, reason wire.Reason) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.ended:
		return false
	case first && s.has.token != "":
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
	if s.has.version == "" || s.has.token != "" || f.state.arriving != nil {
		return false
	}
	missed, ok := f.state.ring.since(s.has.version)
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
		s.outbox.wait(f.trouble.message(f.now()))
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

// renew gives a subscription that lost what waited for it the state anew, where it is known.
func (f *feed) renew(s *subscription, reason wire.Reason) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.state.whole || f.ended {
		return false
	}
	s.outbox.begin(f.whole(), reason)
	f.take(s)
	return true
}

// run does what the machine says until it stops, or ctx ends.
func (f *feed) run(ctx context.Context) {
	defer f.free()
	for ctx.Err() == nil {
		if f.over() {
			f.hub.replace(f)
			return
		}
		switch step := f.machine.Step(); step.Do {
		case watch.List:
			f.list(ctx, step.Gap)
		case watch.Stream:
			f.stream(ctx, step.Gap)
		case watch.Watch:
			f.watch(ctx, step.Version)
		case watch.Wait:
			f.wait(ctx, step)
		case watch.Stop:
			f.stop(step.Status)
			return
		}
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

// watch follows what happens after a version.
func (f *feed) watch(ctx context.Context, version string) {
	st := &stream{source: f.source, sink: f, columns: f.columns}
	f.followed(f.learned(st.follow(ctx, version, f.sign)), version)
}

// learned takes in what a watch tells of the API server itself.
func (f *feed) learned(w watched) watched {
	f.sign = w.sign
	return w
}

// followed tells the machine what became of a watch.
func (f *feed) followed(w watched, from string) {
	if w.version != from {
		f.machine.Seen(w.version)
	}
	if w.moved && !slices.Equal(w.columns, f.moved) {
		f.moved = w.columns
		f.machine.Lose(watch.Restarted)
		return
	}
	f.columns = w.columns
	f.broke(w.end)
}

func (f *feed) broke(b watch.Break) {
	b.Random = f.relay.opt.Random()
	f.machine.Broke(b)
}

// wait says why, where there is a reason, and lets the time pass.
func (f *feed) wait(ctx context.Context, step watch.Step) {
	if step.Status.Code != 0 {
		now := f.now()
		f.suspend(&trouble{why: step.Status, sign: f.sign, retry: now.Add(step.Delay)}, now)
	}
	pause(ctx, step.Delay)
	f.machine.Waited()
}

func (f *feed) suspend(t *trouble, now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.open, f.trouble = false, t
	f.each(func(o *outbox) { o.wait(t.message(now)) })
}

// silent implements sink.
func (f *feed) silent(since time.Time, why status.Status) {
	f.suspend(&trouble{why: why, sign: since}, f.now())
}

// stop tells the followers that it is over, and why.
func (f *feed) stop(why status.Status) {
	f.hub.remove(f)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = true
	f.each(func(o *outbox) { o.fail(why) })
}

// begin drops all that is known where continuity was lost, unless that is done already.
func (f *feed) begin(gap watch.Gap) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if gap == watch.None {
		return
	}
	f.listing = newListing("")
	if f.state.fresh() {
		return
	}
	f.state.reset()
	f.open = false
	f.hold()
	f.each(func(o *outbox) { o.begin(f.state.arriving, wire.Reason(gap)) })
}

// hold tells the account how much is kept, and learns whether that is too much.
func (f *feed) hold() (over bool) {
	over = f.account.hold(f.state.bytes - f.held)
	f.held = f.state.bytes
	return over
}

// opened implements sink.
func (f *feed) opened() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.open, f.trouble = true, nil
	f.each((*outbox).opened)
}

// changed implements sink.
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
		f.machine.Begun()
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
	case c.kind != wire.Deleted:
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

// define implements sink.
func (f *feed) define(columns []table.Column) {
	f.mu.Lock()
	defer f.mu.Unlock()
	columns = f.relay.columns.one(columns)
	f.columns, f.state.columns = columns, columns
	if f.state.arriving != nil {
		f.state.arriving.define(columns)
	}
}

// complete implements sink.
func (f *feed) complete(version string) {
	if f.counted != nil {
		f.counted()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.state.arriving.finish(version)
	f.state.complete(version)
	f.each((*outbox).more)
	f.machine.Synced(version)
}

// passed implements sink.
func (f *feed) passed(version string) {
	f.reach(version)
	f.meet()
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

// tooMuch is what a session gets that follows more than is kept for it.
func tooMuch() status.Status {
	return told(http.StatusRequestEntityTooLarge, "all that this session follows at the same time is too large to be kept: close some of its pages, or narrow this one by a selector")
}

func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
