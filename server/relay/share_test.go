package relay

import (
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// watches are the watches that the script was asked for.
func watches(s *script) int {
	n := 0
	for _, uri := range s.Requests() {
		if strings.Contains(uri, "watch=1") {
			n++
		}
	}
	return n
}

func TestPagesOfASessionShareAWatch(t *testing.T) {
	lines := make(chan string)
	h, s := scripted(t, fiveWithA, fed(lines))
	first := h.open()
	first.follow(1)
	first.began(1)
	lines <- event("ADDED", "b", 6) + event("MODIFIED", "a", 7)
	first.happened(1, "ADDED b 6", "MODIFIED a 7")
	second := h.open()
	second.follow(1)
	if got := second.arrives(1, 1); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("the second is told of %q", got)
	}
	if m := second.want(1, wire.Synced); m.ResourceVersion != "7" {
		t.Errorf("%+v", m)
	}
	first.send(wire.Request{Type: wire.Subscribe, ID: 2, Cluster: "k", Path: pods + "?", As: wire.Table, ResourceVersion: "6", Gen: 4})
	if m := first.want(2, wire.Synced); m.Gen != 4 || m.ResourceVersion != "6" {
		t.Errorf("a page that has a version which was seen: %+v", m)
	}
	first.happened(2, "MODIFIED a 7")
	lines <- event("DELETED", "b", 8)
	first.happened(1, "DELETED b 8")
	first.happened(2, "DELETED b 8")
	second.happened(1, "DELETED b 8")
	if asked := s.Requests(); len(asked) != 2 {
		t.Errorf("%q", asked)
	}
}

// What differs in who asks, what for, or in which form, is not shared.
func TestWhatIsNotShared(t *testing.T) {
	h, s := scripted(t, fiveWithA, stays())
	p, other := h.open(), h.dial("other")
	for i, r := range []wire.Request{
		{Cluster: "k", Path: pods, As: wire.Table},
		{Cluster: "l", Path: pods, As: wire.Table},
		{Cluster: "k", Path: pods + "?labelSelector=a", As: wire.Table},
		{Cluster: "k", Path: pods + "?fieldSelector=a", As: wire.Table},
		{Cluster: "k", Path: "/api/v1/pods", As: wire.Table},
	} {
		r.Type, r.ID = wire.Subscribe, uint32(i+1)
		p.send(r)
		p.began(r.ID)
	}
	other.want(0, wire.Hello)
	other.follow(1)
	other.began(1)
	if n := watches(s); n != 6 {
		t.Errorf("%d watches", n)
	}
}

func TestTheLastPageEndsTheWatch(t *testing.T) {
	gone := make(chan struct{})
	h, _ := scripted(t, fiveWithA, func(w http.ResponseWriter, r *http.Request) {
		stays()(w, r)
		close(gone)
	})
	one, two := h.open(), h.open()
	for _, p := range []*page{one, two} {
		p.follow(1)
		p.began(1)
	}
	one.send(wire.Request{Type: wire.Unsubscribe, ID: 1})
	one.want(1, wire.Closed)
	select {
	case <-gone:
		t.Error("the first ends it")
	case <-time.After(20 * time.Millisecond): // what must not happen can only be waited for
	}
	two.leave()
	<-gone
}

// A feed that began with what a page had, and one that knows the state, become one once both have seen the same.
func TestFeedsBecomeOne(t *testing.T) {
	known, whole := make(chan string), make(chan string)
	ended := make(chan struct{})
	h, s := scripted(t, says(tableOf(50, "", 0, row("a", 1))), turns(func(w http.ResponseWriter, r *http.Request) {
		fed(known)(w, r)
		close(ended)
	}, fed(whole)))
	one, two := h.open(), h.open()
	one.send(wire.Request{Type: wire.Subscribe, ID: 1, Cluster: "k", Path: pods, As: wire.Table, ResourceVersion: "40"})
	one.want(1, wire.Synced)
	two.send(wire.Request{Type: wire.Subscribe, ID: 1, Cluster: "k", Path: pods, As: wire.Table, ResourceVersion: "45", Gen: 1})
	if m := two.want(1, wire.Rows); m.Gen != 2 {
		t.Errorf("a version that nobody knows: %+v", m)
	}
	two.want(1, wire.Synced)
	for _, v := range []int{51, 52} {
		known <- event("MODIFIED", "a", v)
		one.happened(1, fmt.Sprintf("MODIFIED a %d", v))
	}
	whole <- event("MODIFIED", "a", 51) + event("MODIFIED", "a", 52) + event("ADDED", "b", 53)
	<-ended
	two.want(1, wire.Events)
	one.happened(1, "ADDED b 53")
	if n := watches(s); n != 2 {
		t.Errorf("%d watches", n)
	}
}

// A page that takes nothing in slows nobody else.
func TestExhaustion_ASlowPageSlowsNoOther(t *testing.T) {
	lines := make(chan string)
	h, _ := scripted(t, fiveWithA, fed(lines))
	slow, quick := h.open(), h.open()
	for _, p := range []*page{slow, quick} {
		p.follow(1)
		p.began(1)
	}
	for v := range 5 * wire.Window {
		lines <- event("MODIFIED", "a", 10+v)
		m := quick.want(1, wire.Events)
		if m.ResourceVersion != fmt.Sprint(10+v) {
			t.Fatalf("%+v", m)
		}
		quick.send(wire.Request{Type: wire.Credit, ID: 1, N: 1})
	}
}

func TestNothingIsHeldForNobody(t *testing.T) {
	h, _ := scripted(t, says(tableOf(5, "", 0, many(1000)...)), stays())
	p := h.open()
	p.follow(1)
	for rows := 0; rows < 1000; rows += len(p.want(1, wire.Rows).Rows) {
		runtime.Gosched()
	}
	of := h.relay.accounts.of("s")
	if of.held.Load() == 0 || of.subs.Load() != 1 {
		t.Errorf("%d bytes of %d subscriptions are accounted for", of.held.Load(), of.subs.Load())
	}
	p.leave()
	for deadline := time.Now().Add(patience); of.held.Load() != 0 || of.subs.Load() != 0 || of.queued.Load() != 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d bytes are held, %d queued, of %d subscriptions", of.held.Load(), of.queued.Load(), of.subs.Load())
		}
	}
	h.relay.hub.mu.Lock()
	defer h.relay.hub.mu.Unlock()
	if len(h.relay.hub.feeds) != 0 {
		t.Errorf("%d feeds are left", len(h.relay.hub.feeds))
	}
}

// of is the account of a session that has a connection.
func (a *accounts) of(session string) *account {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.byHolder[session]
}

// TestWhatIsTooMuchToKeepIsRefused: a session whose pages follow more than is kept for it is told which way out there is.
func TestWhatIsTooMuchToKeepIsRefused(t *testing.T) {
	h, _ := scripted(t, says(tableOf(5, "", 0, many(100)...)), stays())
	first := h.open()
	of := h.relay.accounts.of("s")
	of.chargeState(maxSessionHeld)
	first.follow(1)
	first.want(1, wire.Rows)
	if m := first.want(1, wire.Failed); m.Status.Code != 413 || !strings.Contains(m.Status.Message, "close some of its pages") {
		t.Errorf("%+v", m.Status)
	}
	of.chargeState(-maxSessionHeld)
	first.follow(2)
	first.began(2)
}
