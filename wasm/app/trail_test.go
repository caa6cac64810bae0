package app

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

const other = "/c/test/api/v1/services"

// away is a live page of pods that the reader has left for another page, with the connection of both.
func away(t *testing.T) (*bench, *fakeConn) {
	t.Helper()
	b := start(t, pods("a"), here)
	c, _ := b.conn()
	c.send(t, wire.Message{Type: wire.Synced, ID: 1, Gen: 1, ResourceVersion: "10"})
	r := row("late", "Running")
	c.send(t, wire.Message{Type: wire.Events, ID: 1, Gen: 1, ResourceVersion: "12", Events: []wire.Event{{Type: watch.Added, Row: &r}}})
	b.until("the new row", func() bool { return strings.Contains(b.main(), `data-name="late"`) })
	b.screen.answer(other, embedded(t, other, pods("else")))
	b.act(Click{Address: other})
	b.until("the other page", func() bool { return strings.Contains(b.main(), `data-name="else"`) })
	return b, c
}

// sent are the requests that arrive at the server until one is of a type.
func (b *bench) sent(c *fakeConn, until wire.RequestType) (last wire.Request) {
	b.t.Helper()
	b.until(string(until), func() bool {
		select {
		case last = <-c.out:
			return last.Type == until
		default:
			return false
		}
	})
	return last
}

// TestBackIsAtOnceAndWhereItWas: no request for the page, every row that it had, and the subscription resumes after the last event.
func TestBackIsAtOnceAndWhereItWas(t *testing.T) {
	b, c := away(t)
	b.sent(c, wire.Subscribe) // of the other page
	asked := len(b.screen.asked())
	b.Post(Popped{Address: here, At: Position{Rows: 290}})
	b.drain()
	b.settle()
	if !strings.Contains(b.main(), `data-name="late"`) || b.screen.at.Rows != 290 || b.screen.title != "Pods · Fieldmark" {
		t.Errorf("title %q, at %+v, %s", b.screen.title, b.screen.at, b.main())
	}
	if n := len(b.screen.asked()) - asked; n != 0 {
		t.Errorf("%d pages were requested: %q", n, b.screen.asked())
	}
	if r := b.sent(c, wire.Subscribe); r.ResourceVersion != "12" || r.Path != "/api/v1/pods" {
		t.Errorf("%+v", r)
	}
}

// TestAPageThatIsNotLiveIsRequestedAgain: nothing would tell what has changed since.
func TestAPageThatIsNotLiveIsRequestedAgain(t *testing.T) {
	b := start(t, pods("a"), here)
	b.conn()
	b.screen.answer(other, embedded(t, other, pods("else")))
	b.screen.answer(here, embedded(t, here, pods("fresh")))
	b.act(Click{Address: other})
	b.until("the other page", func() bool { return strings.Contains(b.main(), `data-name="else"`) })
	b.act(Popped{Address: here})
	b.until("the page again", func() bool { return strings.Contains(b.main(), `data-name="fresh"`) })
}

func TestOnlyTheNewestPagesAreKept(t *testing.T) {
	var kept trail
	for _, address := range strings.Fields("/1 /2 /3 /4 /5 /6 /7 /8 /7") {
		kept.addStep(step{address: address})
	}
	var got []string
	for _, s := range kept {
		got = append(got, s.address)
	}
	if want := strings.Fields("/3 /4 /5 /6 /8 /7"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if _, ok := kept.takeStep("/1"); ok {
		t.Error("an old page is kept")
	}
}

// TestAPageOfAnotherProgramIsPassedOn: this program shows what is known of the page, and can go back, until the other one shows it.
func TestAPageOfAnotherProgramIsPassedOn(t *testing.T) {
	const apply = "/c/test/-/apply"
	b := start(t, pods("a"), here)
	b.screen.answer(apply, embedded(t, apply, pods("never read here")))
	b.act(Click{Address: apply})
	b.until("passed", func() bool { return len(b.screen.passed) > 0 })
	if want := "write " + apply; b.screen.passed[0] != want || b.screen.left != "" {
		t.Errorf("passed %q, want %q; left for %q", b.screen.passed, want, b.screen.left)
	}
	if b.page == nil || b.screen.title != "Apply preview · Fieldmark" || len(b.screen.steps) != 1 {
		t.Errorf("title %q, history %v", b.screen.title, b.screen.steps)
	}
	b.act(Popped{Address: here})
	if !strings.Contains(b.main(), `data-name="a"`) || b.screen.title != "Pods · Fieldmark" {
		t.Errorf("back before the other program came: title %q, %s", b.screen.title, b.main())
	}
}

// TestAParkedProgramComesBack: it has no connection and does nothing, and then it shows a page, or the page that it had.
func TestAParkedProgramComesBack(t *testing.T) {
	for what, c := range map[string]struct {
		how  How
		want string
	}{"back": {Pop, "late"}, "a new visit": {Push, "fresh"}} {
		b, first := away(t)
		b.act(Parked{})
		b.until(what+": the connection's end", func() bool {
			select {
			case <-first.cut:
				return true
			default:
				return false
			}
		})
		shows := len(b.screen.shows)
		b.act(Clock{Now: b.now().Add(time.Minute)}, Key{Key: "j"}, Click{Address: here}, Shown{On: true})
		if len(b.screen.shows) != shows || b.screen.handled != 0 || b.link.stop != nil {
			t.Errorf("%s: a parked program does something", what)
		}
		b.act(Arrived{Arrival{Address: here, Model: embed(t, pods("fresh")), How: c.how}})
		if !strings.Contains(b.main(), `data-name="`+c.want+`"`) {
			t.Errorf("%s: %s", what, b.main())
		}
		second, r := b.conn()
		if r.Path != "/api/v1/pods" {
			t.Errorf("%s: subscribed with %+v", what, r)
		}
		second.send(t, wire.Message{Type: wire.Synced, ID: r.ID, Gen: 1, ResourceVersion: "13"})
		b.until(what+": live", func() bool { return liveness.FindString(b.main()) != "" })
	}
}

// TestOnlyPressingRequestsAPage: a pointer on its way over links sends nothing, and a click uses what was requested when the button was pressed.
func TestOnlyPressingRequestsAPage(t *testing.T) {
	b := start(t, pods("a"), here)
	b.screen.answer(other, embedded(t, other, pods("else")))
	b.act(Near{Address: other}, Near{Address: "/c/test/-/chunks"}, Near{Address: here + "?sort=Name", Pressed: true})
	if len(b.screen.asked()) > 0 || !slices.Equal(b.screen.prepared, []string{"lab"}) {
		t.Errorf("requested %q, prepared %q", b.screen.asked(), b.screen.prepared)
	}
	b.act(Near{Address: other, Pressed: true}, Click{Address: other})
	b.until("the page", func() bool { return strings.Contains(b.main(), `data-name="else"`) })
	if !slices.Equal(b.screen.asked(), []string{other}) {
		t.Errorf("requested %q", b.screen.asked())
	}
}

// TestAPressThatIsOldCountsNoMore, and one on another link, too.
func TestAPressThatIsOldCountsNoMore(t *testing.T) {
	now := testNow
	pressed := func() early { return early{address: other, at: now, answer: make(chan Answer)} }
	for what, c := range map[string]struct {
		address string
		after   time.Duration
		want    bool
	}{"at once": {other, 0, true}, "later": {other, soon + 1, false}, "another": {here, 0, false}} {
		e := pressed()
		if got := e.takeAnswer(c.address, now.Add(c.after)) != nil; got != c.want {
			t.Errorf("%s: %v", what, got)
		}
		if e.takeAnswer(c.address, now) != nil {
			t.Errorf("%s: taken twice", what)
		}
	}
}

// TestSaysWhatBecameOfACopy: aloud, and over the page.
func TestSaysWhatBecameOfACopy(t *testing.T) {
	b := start(t, pods("a"), here)
	b.act(Copied{What: "refused"}, Copied{})
	if len(b.screen.said) != 2 || !strings.HasPrefix(b.screen.said[0], "The browser") || b.screen.said[1] != "Copied" {
		t.Errorf("%q", b.screen.said)
	}
	if len(b.screen.told) != 1 {
		t.Errorf("shown over the page: %q", b.screen.told)
	}
}
