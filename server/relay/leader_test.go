package relay

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// TestALeaderLeaves: the next one goes on from the last version, without a list and without a gap.
func TestALeaderLeaves(t *testing.T) {
	h, c := sharing(t)
	slowly(h)
	ada, ben := h.inside("ada"), h.inside("ben")
	first := c.happens("b")
	ada.happened(1, first)
	ben.happened(1, first)
	ada.leave()
	eventually(t, "ben leads", func() bool { return len(c.asked("watch")) == 2 })
	for range 3 {
		ben.sees(1, c.happens("a"))
	}
	if lists, watches := c.asked("list"), c.asked("watch"); !slices.Equal(lists, []string{"ada list"}) || !slices.Equal(watches, []string{"ada watch 5", "ben watch 6"}) {
		t.Errorf("%q %q", lists, watches)
	}
	if n := h.relay.Sharing(); n.Takeovers != 1 || n.Watches != 1 || n.Followers != 0 {
		t.Errorf("%+v", n)
	}
}

// TestTheLastOneLeaves: nothing is left that asks.
func TestTheLastOneLeaves(t *testing.T) {
	h, c := sharing(t)
	ada, ben := h.inside("ada"), h.inside("ben")
	ada.leave()
	ben.leave()
	eventually(t, "all is gone", func() bool {
		h.relay.hub.mu.Lock()
		defer h.relay.hub.mu.Unlock()
		return len(h.relay.hub.feeds)+len(h.relay.hub.proofs)+len(h.relay.hub.checks.byAccount) == 0
	})
	if n := h.relay.Sharing(); n.Watches+n.Followers != 0 {
		t.Errorf("%+v", n)
	}
	h.inside("ada")
	if got := c.asked("list"); len(got) != 2 {
		t.Errorf("nobody followed, so the next one lists: %q", got)
	}
}

// TestTwoSessions_LeadersComeAndGo: while four people come and go, objects change 600 times. Everybody gets each change once and in order, from the version
// of the first state on, whoever leads.
func TestTwoSessions_LeadersComeAndGo(t *testing.T) {
	h, c := sharing(t)
	random := rand.New(rand.NewPCG(7, 11))
	here, last := map[string]*page{}, map[string]int{}
	for n := range 600 {
		name := fmt.Sprintf("of-%d", random.IntN(4))
		switch p := here[name]; {
		case n%7 != 0:
		case p == nil:
			here[name], last[name] = h.inside(name), n+5
		case len(here) > 1:
			p.leave()
			delete(here, name)
		}
		event := c.happens("x" + strconv.Itoa(random.IntN(9)))
		for name, p := range here {
			for _, got := range p.everyEvent(event) {
				if version := versionOf(t, got); version != last[name]+1 {
					t.Fatalf("after %d, %s gets %q", last[name], name, got)
				}
				last[name]++
			}
		}
	}
	if n := h.relay.Sharing(); n.Takeovers < 5 {
		t.Errorf("only %d times somebody took over", n.Takeovers)
	}
	if lists := c.asked("list"); len(lists) != 1 {
		t.Errorf("%d lists: %q", len(lists), lists)
	}
}

// everyEvent reads events until one arrives, and returns all. A gap is an error: something was missed.
func (p *page) everyEvent(until string) (all []string) {
	p.t.Helper()
	for !slices.Contains(all, until) {
		m := p.next(1)
		switch m.Type {
		case wire.Events:
			all = append(all, words(m.Events)...)
		case wire.Synced, wire.Bookmark, wire.Waiting, wire.Rows:
		default:
			p.t.Fatalf("before %q: %s %+v", until, m.Type, m.Status)
		}
		p.tryCredit(1)
	}
	return all
}

func versionOf(t *testing.T, event string) int {
	t.Helper()
	n, err := strconv.Atoi(event[strings.LastIndex(event, " ")+1:])
	if err != nil {
		t.Fatalf("%q has no version", event)
	}
	return n
}
