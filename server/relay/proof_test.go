package relay

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/follow/fake"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

const undecided = `{"kind":"SelfSubjectAccessReview","status":{"allowed":false,"evaluationError":"the webhook is down"}}`

// TestTwoSessions_WhoIsLetIn: ada leads. What ben gets depends on what the API server says of ben, and of nobody else.
func TestTwoSessions_WhoIsLetIn(t *testing.T) {
	for name, c := range map[string]struct {
		denied  string           // what ben may not do
		review  http.HandlerFunc // in place of an answer to ben's checks
		want    wire.MessageType // what ben gets first
		message string           // of its status
		watches int              // how many there are then
	}{
		"allowed":                 {want: wire.Rows, watches: 1},
		"nothing is allowed":      {denied: "ben", want: wire.Failed, message: "ben cannot list pods", watches: 1},
		"no watch":                {denied: "ben watch", want: wire.Rows, watches: 2}, // a page of its own has the list
		"no list":                 {denied: "ben list", want: wire.Failed, message: "ben cannot list pods", watches: 1},
		"no check is allowed":     {review: refuses(403, "Forbidden"), want: wire.Rows, watches: 2},
		"checks don't exist":      {review: refuses(404, "NotFound"), want: wire.Rows, watches: 2},
		"denied by an authorizer": {review: says(`{"kind":"SelfSubjectAccessReview","status":{"allowed":true,"denied":true}}`), want: wire.Rows, watches: 2},
		"the server has trouble":  {review: refuses(500, "InternalError"), want: wire.Waiting, message: "can’t check whether you may still follow this", watches: 1},
		"too many requests":       {review: refuses(429, "TooManyRequests"), want: wire.Waiting, message: "can’t check", watches: 1},
		"no answer":               {review: fake.Hangs, want: wire.Waiting, message: "can’t check", watches: 1},
		"no authorizer":           {review: says(undecided), want: wire.Waiting, message: "the webhook is down", watches: 1},
		"another object":          {review: says(`{"kind":"Pod"}`), want: wire.Waiting, message: "can’t check", watches: 1},
	} {
		t.Run(name, func(t *testing.T) {
			h, c2 := sharing(t)
			slowly(h)
			h.inside("ada")
			c2.set(func() {
				c2.denied[c.denied] = true
				if c.review != nil {
					c2.reviews["ben"] = c.review
				}
			})
			ben := h.enters("ben")
			m := ben.next(1)
			if m.Type != c.want || m.Status != nil && !strings.Contains(m.Status.Message, c.message) {
				t.Fatalf("ben gets %s %+v", m.Type, m.Status)
			}
			eventually(t, "the watches are open", func() bool { return len(c2.asked("watch")) >= c.watches })
			if all := c2.asked("watch"); len(all) != c.watches {
				t.Errorf("watches: %q", all)
			}
			if c.want != wire.Waiting {
				return
			}
			c2.set(func() { delete(c2.reviews, "ben") })
			for m.Type == wire.Waiting {
				m = ben.next(1)
			}
			if m.Type != wire.Rows {
				t.Errorf("once there is an answer: %s %+v", m.Type, m.Status)
			}
		})
	}
}

// TestTwoSessions_NothingIsSentBeforeTheProof holds the answer back, and looks at what ben was sent meanwhile.
func TestTwoSessions_NothingIsSentBeforeTheProof(t *testing.T) {
	h, c := sharing(t)
	slowly(h)
	h.relay.pace.check = patience
	ada := h.inside("ada")
	may := make(chan struct{})
	c.set(func() {
		c.reviews["ben"] = after(may, says(`{"kind":"SelfSubjectAccessReview","status":{"allowed":true}}`))
	})
	ben := h.enters("ben")
	eventually(t, "ben is checked", func() bool { return len(c.asked("review")) > 0 })
	ada.happened(1, c.happens("b"))
	if n := len(ben.came); n != 0 {
		t.Errorf("ben got %d messages before the answer", n)
	}
	close(may)
	if got := ben.arrives(1, 1); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("ben got %q", got)
	}
	ben.want(1, wire.Synced)
	event := c.happens("a")
	ada.happened(1, event)
	ben.happened(1, event)
	if lists, watches := c.asked("list"), c.asked("watch"); len(lists) != 1 || len(watches) != 1 {
		t.Errorf("%q %q", lists, watches)
	}
}

// TestWithdrawnPermission_OfAFollower: at the next check, ben is told in the words of the API server, and ada goes on.
func TestWithdrawnPermission_OfAFollower(t *testing.T) {
	h, c := sharing(t)
	slowly(h)
	ada, ben := h.inside("ada"), h.inside("ben")
	c.set(func() { c.denied["ben"] = true })
	m := ben.next(1)
	for m.Type == wire.Synced || m.Type == wire.Waiting {
		m = ben.next(1)
	}
	if m.Type != wire.Failed || m.Status.Code != 403 || m.Status.Message != "ben cannot watch pods" {
		t.Fatalf("ben gets %s %+v", m.Type, m.Status)
	}
	ada.happened(1, c.happens("b"))
	if got := c.asked("watch"); !slices.Equal(got, []string{"ada watch 5", "ben watch 5"}) {
		t.Errorf("%q", got)
	}
	if n := h.relay.Sharing(); n.Refused != 1 || n.Granted == 0 || n.Followers != 0 || n.Watches != 1 {
		t.Errorf("%+v", n)
	}
}

// TestWithdrawnPermission_OfTheLeader: the leader alone is told. The other goes on from the last version, without a list.
func TestWithdrawnPermission_OfTheLeader(t *testing.T) {
	h, c := sharing(t)
	ada, ben := h.inside("ada"), h.inside("ben")
	first := c.happens("b")
	ada.happened(1, first)
	ben.happened(1, first)
	c.set(func() { c.denied["ada"] = true })
	for {
		if m := ada.next(1); m.Type == wire.Failed {
			if m.Status.Code != 403 || m.Status.Message != "ada cannot watch pods" {
				t.Errorf("ada gets %+v", m.Status)
			}
			break
		}
	}
	ben.sees(1, c.happens("c"))
	if got := c.asked("list"); len(got) != 1 {
		t.Errorf("%q", got)
	}
	if got := c.asked("watch"); !slices.Contains(got, "ben watch 6") {
		t.Errorf("%q", got)
	}
}

// TestWithdrawnPermission_NothingIsSentWithoutAnAnswer: checks fail for another reason. What happens after the last proof is too old waits for the next
// proof, and nothing is lost then.
func TestWithdrawnPermission_NothingIsSentWithoutAnAnswer(t *testing.T) {
	for name, broken := range map[string]http.HandlerFunc{
		"trouble": refuses(503, "ServiceUnavailable"), "too many requests": refuses(429, "TooManyRequests"), "no answer": fake.Hangs,
	} {
		t.Run(name, func(t *testing.T) {
			h, c := sharing(t)
			slowly(h)
			ada, ben := h.inside("ada"), h.inside("ben")
			c.set(func() { c.reviews["ben"] = broken })
			m := ben.next(1)
			for m.Type == wire.Synced {
				m = ben.next(1)
			}
			if m.Type != wire.Waiting || !strings.Contains(m.Status.Message, "can’t check whether you may still follow this") {
				t.Fatalf("%s %+v", m.Type, m.Status)
			}
			var all []string
			for _, name := range []string{"b", "c", "d"} {
				all = append(all, c.happens(name))
				ada.sees(1, all[len(all)-1])
			}
			for len(ben.came) > 0 {
				if m := ben.next(1); m.Type != wire.Waiting {
					t.Errorf("without an answer, ben gets %s", m.Type)
				}
			}
			c.set(func() { delete(c.reviews, "ben") })
			var got []string
			for len(got) < len(all) {
				switch m := ben.next(1); m.Type {
				case wire.Events:
					got = append(got, words(m.Events)...)
				case wire.Waiting, wire.Synced:
				default:
					t.Fatalf("%s %+v", m.Type, m.Status)
				}
			}
			if !slices.Equal(got, all) {
				t.Errorf("ben missed something: %q, want %q", got, all)
			}
		})
	}
}

// TestTwoSessions_WhatIsNotShared: only the same question in the same form of the same cluster has one watch. Checks belong to the session that asks, and
// a view as somebody else is another session.
func TestTwoSessions_WhatIsNotShared(t *testing.T) {
	h, c := sharing(t)
	slowly(h)
	h.inside("ada")
	c.set(func() { c.denied["ada~view"] = true })
	if m := h.enters("ada~view").next(1); m.Type != wire.Failed || m.Status.Message != "ada~view cannot list pods" {
		t.Errorf("the view gets %s %+v", m.Type, m.Status)
	}
	ben := h.dial("ben")
	ben.want(0, wire.Hello)
	others := []wire.Request{
		{Cluster: "l", Path: pods, As: wire.Table},
		{Cluster: "k", Path: pods + "?labelSelector=a", As: wire.Table},
		{Cluster: "k", Path: pods + "?fieldSelector=a", As: wire.Table},
		{Cluster: "k", Path: "/api/v1/pods", As: wire.Table},
		{Cluster: "k", Path: "/apis/metrics.k8s.io/v1beta1/namespaces/n/pods", As: wire.Table},
	}
	for i, r := range others {
		r.Type, r.ID = wire.Subscribe, uint32(i+1)
		ben.send(r)
		ben.began(r.ID)
	}
	if n := len(c.asked("watch")); n != 1+len(others) {
		t.Errorf("%d watches", n)
	}
	cal := h.dial("cal")
	cal.want(0, wire.Hello)
	last := others[len(others)-1] // of a group that isn't shared
	last.Type, last.ID = wire.Subscribe, 1
	before := len(c.asked("review"))
	cal.send(last)
	cal.began(1)
	if n := len(c.asked("watch")); n != 2+len(others) {
		t.Errorf("an aggregated group is shared: %d watches", n)
	}
	if n := len(c.asked("review cal")); n != 0 || before == 0 {
		t.Errorf("%d checks of cal, %d before", n, before)
	}
}

// TestOneCheckForAllPagesOfASession: two pages of ben follow the same thing, in one form or two.
func TestOneCheckForAllPagesOfASession(t *testing.T) {
	h, c := sharing(t)
	slowly(h)
	h.relay.pace.prove, h.relay.pace.proof = patience, 2*patience // only the first checks
	h.inside("ada")
	h.inside("ben")
	h.inside("ben")
	if got := c.asked("review"); !slices.Equal(got, []string{"ben review watch", "ben review list"}) {
		t.Errorf("%q", got)
	}
}

// TestAPageComesBackWithAVersion: it gets what happened since, after its check.
func TestAPageComesBackWithAVersion(t *testing.T) {
	h, c := sharing(t)
	slowly(h)
	ada := h.inside("ada")
	event := c.happens("b")
	ada.happened(1, event)
	ben := h.dial("ben")
	ben.want(0, wire.Hello)
	ben.send(wire.Request{Type: wire.Subscribe, ID: 1, Cluster: "k", Path: pods, As: wire.Table, ResourceVersion: "5", Gen: 3})
	if m := ben.want(1, wire.Synced); m.Gen != 3 || m.ResourceVersion != "5" {
		t.Errorf("%+v", m)
	}
	ben.happened(1, event)
	if got := c.asked("watch"); len(got) != 1 {
		t.Errorf("%q", got)
	}
}

// TestFeedsOfTwoPeopleBecomeOne: ada resumed from a version, so ben's feed got the state. Ada joins it once it is proved that she may.
func TestFeedsOfTwoPeopleBecomeOne(t *testing.T) {
	h, c := sharing(t)
	slowly(h)
	ada := h.dial("ada")
	ada.want(0, wire.Hello)
	ada.send(wire.Request{Type: wire.Subscribe, ID: 1, Cluster: "k", Path: pods, As: wire.Table, ResourceVersion: "5"})
	ada.want(1, wire.Synced)
	ben := h.inside("ben")
	for one := false; !one; {
		event := c.happens("b")
		ada.sees(1, event)
		ben.sees(1, event)
		h.relay.hub.mu.Lock()
		one = len(h.relay.hub.proofs) == 2 && len(h.relay.hub.feeds) == 1
		for _, feeds := range h.relay.hub.feeds {
			one = one && len(feeds) == 1
		}
		h.relay.hub.mu.Unlock()
	}
	if got := c.asked("review"); !slices.Contains(got, "ada review watch") {
		t.Errorf("ada was not checked: %q", got)
	}
	c.set(func() { c.denied["ada"] = true })
	for m := ada.next(1); m.Type != wire.Failed; m = ada.next(1) {
		if m.Type == wire.Gap {
			t.Errorf("%+v", m)
		}
	}
}

// TestPanic_ACheckThatPanicsHasNoAnswer: ben waits, and ada notices nothing.
func TestPanic_ACheckThatPanicsHasNoAnswer(t *testing.T) {
	h, c := sharing(t)
	slowly(h)
	ada := h.inside("ada")
	c.set(func() { c.reviews["ben"] = func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) } })
	ben := h.enters("ben")
	if m := ben.want(1, wire.Waiting); m.Status.Code < 500 {
		t.Errorf("%+v", m.Status)
	}
	ada.happened(1, c.happens("b"))
}

// TestAFollowerWithAnotherLogin begins again with it, and gets nothing before it is proved that this login may follow.
func TestAFollowerWithAnotherLogin(t *testing.T) {
	h, c := sharing(t)
	slowly(h)
	over, later := make(chan struct{}), false
	h.relay.opt.Login = func(session, _ string) Login {
		c.mu.Lock()
		defer c.mu.Unlock()
		if session != "ben" || later {
			return Login{}
		}
		return Login{Over: over}
	}
	ada, ben := h.inside("ada"), h.inside("ben")
	c.set(func() { later = true })
	close(over)
	if m := ben.want(1, wire.Gap); m.Gen != 2 || m.Reason != watch.Restarted {
		t.Errorf("%+v", m)
	}
	if got := ben.arrives(1, 2); !slices.Equal(got, []string{"a"}) {
		t.Errorf("%q", got)
	}
	event := c.happens("b")
	ada.sees(1, event)
	ben.sees(1, event)
}

// TestExhaustion_ChecksAreBounded: whoever has checks that hang leaves room for others.
func TestExhaustion_ChecksAreBounded(t *testing.T) {
	all := checks{byCluster: map[string]int{}, byAccount: map[*account]int{}}
	begin := func(cluster string, a *account) (n int) {
		for range 2 * maxChecks {
			if all.startCheck(&proof{key: proofKey{cluster: cluster}, account: a}) {
				n++
			}
		}
		return n
	}
	greedy, other := &account{}, &account{}
	if n := begin("k", greedy); n != maxAccountChecks {
		t.Errorf("one account has %d checks", n)
	}
	if n := begin("k", other); n != maxAccountChecks {
		t.Errorf("another one has %d", n)
	}
	for range maxChecks {
		begin("k", &account{})
	}
	if n := all.byCluster["k"]; n != maxChecks {
		t.Errorf("a cluster has %d", n)
	}
	if n := begin("l", &account{}); n != maxAccountChecks {
		t.Errorf("another cluster has %d", n)
	}
	all.endCheck(&proof{key: proofKey{cluster: "k"}, account: greedy})
	if n := begin("k", greedy); n != 1 {
		t.Errorf("after one has ended, %d begin", n)
	}
}

// TestChecksOfManyAreSpread: no two people are checked in step.
func TestChecksOfManyAreSpread(t *testing.T) {
	h, _ := sharing(t)
	h.relay.pace = usualPace()
	p := &proof{hub: &h.relay.hub}
	for random, want := range map[float64]time.Duration{0: 20 * time.Second, 0.5: 18 * time.Second, 0.999: 16004 * time.Millisecond} {
		h.relay.opt.Random = func() float64 { return random }
		if got := p.pause(); got != want {
			t.Errorf("%g: %s, want %s", random, got, want)
		}
	}
	if pace := usualPace(); pace.prove+pace.check >= pace.proof {
		t.Error("a proof ends before the next one can be there")
	}
}
