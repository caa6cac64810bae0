package relay

import (
	"slices"
	"testing"

	"github.com/fieldmark/fieldmark/web/wire"
)

// drain takes all there is, as type and version.
func (o *outbox) drain() []string {
	var all []string
	for m, ok := o.take(); ok; m, ok = o.take() {
		all = append(all, string(m.Type)+" "+m.ResourceVersion)
	}
	return all
}

func TestOutboxTellsInOrder(t *testing.T) {
	o := newOutbox()
	expect := func(when string, want ...string) {
		t.Helper()
		if got := o.drain(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", when, got, want)
		}
	}
	o.begin(1)
	o.whole("5")
	expect("before the watch is open")
	o.opened()
	o.changed(changed(wire.Added, "a", 6))
	o.passed("7")
	expect("then synced with what the page had, and what came since", "synced 5", "events 6", "bookmark 7")
	o.passed("8")
	o.changed(changed(wire.Modified, "a", 9))
	expect("an event says more than the bookmark before it", "events 9")
	o.opened()
	expect("a watch that is opened again without trouble is no news")
	o.changed(changed(wire.Modified, "a", 10))
	o.hold()
	o.passed("11")
	expect("while the server is waited for")
	o.opened()
	expect("what was known before comes after synced", "synced 9", "events 10", "bookmark 11")
	o.changed(changed(wire.Modified, "a", 12))
	o.begin(2)
	o.whole("20")
	o.opened()
	expect("what belongs to an older generation is void", "synced 20")
}

func TestOutboxKeepsToTheCredit(t *testing.T) {
	o := newOutbox()
	o.begin(1)
	o.opened()
	for range wire.Window {
		if !o.spend() {
			t.Fatal("the first window is not granted")
		}
	}
	if o.spend() || len(o.drain()) != 0 {
		t.Error("more than the window is told")
	}
	o.changed(changed(wire.Added, "a", 6))
	o.grant(1)
	if got := o.drain(); len(got) != 1 {
		t.Errorf("for a credit of one: %q", got)
	}
	for range 1000 {
		o.grant(1<<32 - 1)
	}
	if o.credit != maxCredit {
		t.Errorf("the credit is %d", o.credit)
	}
}

func TestOutboxGivesUpOnWhatIsTooMuch(t *testing.T) {
	o := newOutbox()
	o.begin(1)
	o.opened()
	big := changed(wire.Added, "a", 6)
	big.size = maxWaitingBytes
	if !o.changed(big) || o.changed(changed(wire.Added, "b", 7)) || o.changed(changed(wire.Added, "c", 8)) {
		t.Error("it takes in what it must not, or not what it must")
	}
	if !o.overflowed() || len(o.drain()) != 0 || o.queue.len() != 0 {
		t.Error("it keeps what is of no use any more")
	}
	o.begin(2)
	if o.overflowed() {
		t.Error("it never recovers")
	}
}
