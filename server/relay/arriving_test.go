package relay

import (
	"fmt"
	"slices"
	"testing"

	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/kube/watch"
)

// arriving is a feed whose state is on its way, with one follower.
func arriving() (*feed, *outbox) {
	f := &feed{subscribers: map[*subscription]struct{}{}, bill: bill{payers: []payer{{&account{}, 1}}}}
	f.state.reset()
	s := &subscription{outbox: newOutbox(&account{}, func() {})}
	s.outbox.lacks(1)
	s.outbox.startState(f.state.arriving, "")
	s.outbox.opened()
	f.subscribers[s] = struct{}{}
	return f, s.outbox
}

// tell gives what the outbox has to tell, and what a page has that was told it.
func tell(o *outbox, has map[string]bool) (all []string) {
	for {
		m, _, ok := o.takeMessage()
		if !ok {
			return all
		}
		all = append(all, fmt.Sprintf("%s %s", m.Type, m.ResourceVersion))
		for _, i := range m.items {
			has[i.key] = true
		}
		for _, e := range m.events {
			if has[e.item.key] = true; e.kind == watch.Deleted {
				delete(has, e.item.key)
			}
		}
	}
}

// TestWhatChangesWhileAStateArrives: whatever happens to an object meanwhile, and whatever of it a page was told when, the
// page has in the end what there is, and no version before it has.
func TestWhatChangesWhileAStateArrives(t *testing.T) {
	const took = "took" // the page is told what there is so far
	for name, c := range map[string]struct {
		happens []string
		want    []string
	}{
		"gone":                          {[]string{"ADDED", took, "DELETED"}, nil},
		"gone before it was told":       {[]string{"ADDED", "DELETED"}, nil},
		"changed, then gone":            {[]string{"ADDED", took, "MODIFIED", "DELETED"}, nil},
		"changed, told, then gone":      {[]string{"ADDED", took, "MODIFIED", took, "DELETED"}, nil},
		"back again":                    {[]string{"ADDED", took, "DELETED", "ADDED"}, []string{"a"}},
		"back again, told in between":   {[]string{"ADDED", took, "DELETED", took, "ADDED", took}, []string{"a"}},
		"back again, and gone for good": {[]string{"ADDED", took, "DELETED", "ADDED", "DELETED"}, nil},
		"never told, and back":          {[]string{"ADDED", "DELETED", "ADDED"}, []string{"a"}},
	} {
		t.Run(name, func(t *testing.T) {
			f, o := arriving()
			has := map[string]bool{}
			for i, what := range c.happens {
				if what == took {
					tell(o, has)
					continue
				}
				f.addArrived(changed(watch.Type(what), "a", i+1))
			}
			f.state.arriving.finish("9")
			f.state.complete("9")
			all := tell(o, has)
			if i := slices.Index(all, "synced 9"); i != len(all)-1 {
				t.Errorf("told: %q", all)
			}
			if len(has) != len(c.want) || len(f.state.objects) != len(c.want) {
				t.Errorf("the page has %v, and there is %d, after %q", has, len(f.state.objects), all)
			}
		})
	}
}

// TestWhatKeepsNothingIsNeverTooMuch: that another feed of the session keeps too much ends that feed alone.
func TestWhatKeepsNothingIsNeverTooMuch(t *testing.T) {
	f, _ := arriving()
	f.bill.payers[0].account.chargeState(maxSessionHeld + 1)
	f.state.resume("5")
	if !f.handleChange(changed(watch.Deleted, "a", 6)) {
		t.Error("it is told that it keeps too much")
	}
}

// TestSnapshotsAreInTheOrderOfLists, though they are put in order late.
func TestSnapshotsAreInTheOrderOfLists(t *testing.T) {
	f, _ := arriving()
	for _, name := range []string{"c", "a", "b"} {
		f.state.keep(itemOf(&table.Row{Namespace: "n", Name: name, UID: name}))
	}
	items, _, _ := f.state.snapshot().nextItems(0, false)
	var got []string
	for _, i := range items {
		got = append(got, i.key)
	}
	if !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("%q", got)
	}
}

// TestASessionThatEndedTakesNoConnection, not even one that was let in before.
func TestASessionThatEndedTakesNoConnection(t *testing.T) {
	r := New(Options{})
	for i := range 2 * maxEnded {
		r.EndSession(fmt.Sprint(i))
	}
	if code, _ := r.addConnection(newConn(r, socket{}, fmt.Sprint(2*maxEnded-1), &account{})); code != SessionOver {
		t.Errorf("answered %d", code)
	}
	if code, _ := r.addConnection(newConn(r, socket{}, "another", &account{})); code != 0 {
		t.Errorf("another is answered %d", code)
	}
	if len(r.ended) > maxEnded {
		t.Errorf("%d are remembered", len(r.ended))
	}
}
