package relay

import (
	"slices"
	"testing"

	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// drain takes all there is, as type and version.
func (o *outbox) drain() []string {
	var all []string
	for m, _, ok := o.takeMessage(); ok; m, _, ok = o.takeMessage() {
		all = append(all, string(m.Type)+" "+m.ResourceVersion)
	}
	return all
}

func TestOutboxTellsInOrder(t *testing.T) {
	o := newOutbox(&account{}, func() {})
	expect := func(when string, want ...string) {
		t.Helper()
		if got := o.drain(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", when, got, want)
		}
	}
	o.has(1, "5")
	expect("before the watch is open")
	o.opened()
	o.changed(changed(watch.Added, "a", 6))
	o.passed("7")
	expect("then synced with what the page had, and what came since", "synced 5", "events 6", "bookmark 7")
	o.passed("8")
	o.changed(changed(watch.Modified, "a", 9))
	expect("an event says more than the bookmark before it", "events 9")
	o.opened()
	expect("a watch that is opened again without trouble is no news")
	o.changed(changed(watch.Modified, "a", 10))
	o.wait(wire.Message{Type: wire.Waiting})
	o.passed("11")
	expect("trouble comes after what came before", "events 10", "bookmark 11", "waiting ")
	o.changed(changed(watch.Modified, "a", 12))
	expect("while the server is waited for")
	o.opened()
	expect("then synced with what was told", "synced 11", "events 12")
	o.wait(wire.Message{Type: wire.Waiting})
	o.opened()
	expect("trouble that is over is not told")
	o.changed(changed(watch.Modified, "a", 13))
	o.startState(wholeArrival(nil, rows("a", "b"), "20"), watch.Expired)
	o.opened()
	expect("what belongs to an older generation is void", "gap ", "rows ", "synced 20")
	o.changed(changed(watch.Modified, "a", 21))
	o.fail(ownStatus(403, "no"))
	expect("the end comes last", "events 21", "failed ")
}

// rows are items of these names.
func rows(names ...string) []*item {
	var all []*item
	for _, name := range names {
		all = append(all, changed(watch.Added, name, 1).item)
	}
	return all
}

// What a page was told of a state on its way, and is gone before that is complete, is told as gone.
func TestOutboxSettlesWhatChangedOnTheWay(t *testing.T) {
	o, a := newOutbox(&account{}, func() {}), newArrival()
	o.lacks(1)
	o.startState(a, "")
	o.opened()
	a.grow(rows("a")[0])
	a.grow(rows("b")[0])
	if got := o.drain(); !slices.Equal(got, []string{"rows "}) {
		t.Errorf("the first are told as %q", got)
	}
	a.removeItem(1)
	o.deleted(1, changed(watch.Deleted, "b", 2))
	at := a.grow(rows("c")[0])
	a.removeItem(at) // before it was told
	o.deleted(at, changed(watch.Deleted, "c", 3))
	a.finish("9")
	o.changed(changed(watch.Added, "b", 10))
	if got := o.drain(); !slices.Equal(got, []string{"events ", "synced 9", "events 10"}) {
		t.Errorf("the rest is told as %q", got)
	}
}

func TestOutboxKeepsToTheCredit(t *testing.T) {
	o := newOutbox(&account{}, func() {})
	o.has(1, "5")
	o.opened()
	o.credit = 1
	o.changed(changed(watch.Added, "a", 6))
	if got := o.drain(); !slices.Equal(got, []string{"synced 5"}) {
		t.Errorf("for a credit of one: %q", got)
	}
	o.grant(1)
	if got := o.drain(); !slices.Equal(got, []string{"events 6"}) {
		t.Errorf("for another: %q", got)
	}
	for range 1000 {
		o.grant(1<<32 - 1)
	}
	if o.credit != maxCredit {
		t.Errorf("the credit is %d", o.credit)
	}
}

func TestOutboxGivesUpOnWhatIsTooMuch(t *testing.T) {
	of := &account{}
	o := newOutbox(of, func() {})
	o.has(1, "5")
	o.opened()
	big := changed(watch.Added, "a", 6)
	big.size = maxWaitingBytes
	if o.changed(big); o.overflowed() || of.queued.Load() != maxWaitingBytes {
		t.Error("a single object is too much")
	}
	o.changed(changed(watch.Added, "b", 7))
	if !o.overflowed() || !o.wantsAnew() || len(o.drain()) != 0 || o.queue.len() != 0 || of.queued.Load() != 0 {
		t.Error("it keeps what is of no use any more")
	}
	o.startState(wholeArrival(nil, nil, "9"), watch.Slow)
	if got := o.drain(); o.overflowed() || !slices.Equal(got, []string{"gap ", "rows "}) {
		t.Errorf("it never recovers: %q", got)
	}
}

// What waits is bounded for all of a session's pages together, too.
func TestExhaustion_OutboxesShareTheSessionsRoom(t *testing.T) {
	of := &account{}
	var slow int
	for range 2 * maxSessionQueued / maxWaitingBytes {
		o := newOutbox(of, func() {})
		o.has(1, "5")
		for _, name := range []string{"a", "b"} {
			c := changed(watch.Added, name, 6)
			c.size = maxWaitingBytes / 2
			o.changed(c)
		}
		if o.overflowed() {
			slow++
		}
	}
	if waits := of.queued.Load(); waits > maxSessionQueued || slow == 0 {
		t.Errorf("%d bytes wait, %d outboxes gave up", waits, slow)
	}
}
