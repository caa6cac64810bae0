package follow

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/server/follow/fake"
)

// until collects notes until one of them is the last.
func (n *notes) until(t *testing.T, last string) (got []string) {
	t.Helper()
	for late := time.After(patience); ; {
		select {
		case word := <-n.came:
			if got = append(got, word); word == last {
				return got
			}
		case <-late:
			t.Fatalf("noted %q, and never %q", got, last)
		}
	}
}

// lateWatch follows pods at a server that holds its watches.
func lateWatch(t *testing.T, renews bool, list, watch http.HandlerFunc) *notes {
	t.Helper()
	g := group(fake.New(t, list, watch))
	g.Pace.Answer = 5 * time.Millisecond
	n := newNotes()
	g.run(t, Source{Session: "s", Cluster: "k", Question: pods, Limit: 500, Renews: renews}, n, Had{})
	return n
}

// A watch is answered late, and lists at once: the sink is told, gets the state by lists, and then only what is newer than the last list.
func TestListsWhileAWatchIsNotAnswered(t *testing.T) {
	held := make(chan struct{})
	n := lateWatch(t, true,
		fake.Turns(fake.Says(listOf(10, "", object("a", 9))), fake.Says(listOf(20, "", object("a", 15), object("b", 20)))),
		fake.After(held, fake.Stays(event("MODIFIED", "a", 12), event("ADDED", "gone", 13), event("DELETED", "gone", 14), bookmark(14), event("MODIFIED", "a", 15), event("ADDED", "b", 20),
			event("MODIFIED", "a", 21), bookmark(22))))
	if got := n.until(t, "whole 10"); !slices.Equal(got, []string{"stream", "begin", "chunk a", "whole 10"}) {
		t.Errorf("%q", got)
	}
	if got := n.until(t, "whole 20"); !slices.Equal(got, []string{"begin unanswered", "chunk a b", "whole 20"}) {
		t.Errorf("%q", got)
	}
	n.until(t, "silent "+status.Unanswered)
	n.until(t, "silent "+status.Unanswered) // it goes on
	close(held)
	got := n.until(t, "passed 22")
	got = slices.DeleteFunc(got, func(word string) bool { return word == "silent "+status.Unanswered })
	if !slices.Equal(got, []string{"MODIFIED a 21", "passed 22"}) {
		t.Errorf("after the answer: %q", got)
	}
}

// A sink that doesn't want lists keeps what it has. So does one whose versions can't be compared.
func TestASinkIsToldOfAWatchThatIsNotAnswered(t *testing.T) {
	odd := strings.ReplaceAll(listOf(20, "", object("a", 15)), `"20"`, `"vx"`)
	for name, c := range map[string]struct {
		renews bool
		list   string
		whole  string
	}{"no lists": {false, listOf(10, "", object("a", 9)), "whole 10"}, "odd versions": {true, odd, "whole vx"}} {
		n := lateWatch(t, c.renews, fake.Says(c.list), fake.Hangs)
		n.until(t, c.whole)
		for range 3 {
			if got := n.until(t, "silent "+status.Unanswered); len(got) != 1 {
				t.Errorf("%s: %q", name, got)
			}
		}
	}
}

// A refusal of the lists ends the watch: a permission was withdrawn, for example.
func TestARefusedListEndsAWatchThatIsNotAnswered(t *testing.T) {
	n := lateWatch(t, true, fake.Turns(fake.Says(listOf(10, "")), fake.Says(listOf(20, "")), fake.Refuses(403, "Forbidden")), fake.Hangs)
	n.until(t, "stop 403")
}

// A server that is alive may answer its watch later than Head.
func TestAListIsASignOfLifeForAWatch(t *testing.T) {
	held := make(chan struct{})
	s := fake.New(t, fake.Says(listOf(10, "", object("a", 9))), fake.After(held, fake.Stays(bookmark(11))))
	g := group(s)
	g.Pace.Answer, g.Pace.Head = 5*time.Millisecond, 500*time.Millisecond
	n := newNotes()
	g.run(t, Source{Session: "s", Cluster: "k", Question: pods, Limit: 500, Renews: true}, n, Had{})
	for began := time.Now(); time.Since(began) < 2*g.Pace.Head; { // the test is about this time
		n.until(t, "silent "+status.Unanswered)
	}
	close(held)
	for _, word := range n.until(t, "passed 11") {
		if strings.HasPrefix(word, "wait") {
			t.Errorf("it gave the watch up: %s", word)
		}
	}
}
