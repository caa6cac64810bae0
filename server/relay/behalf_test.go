package relay

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/identity"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// person is the identity of a session in these tests: "ada 1" and "ada 2" are two browsers of ada.
func person(session string) string {
	name, _, _ := strings.Cut(session, " ")
	return name
}

// browsers is a house in which the sessions of a person have the person's credentials, and the court that they ask.
func browsers(t testing.TB) (*house, *court) {
	t.Helper()
	c := newCourt(t)
	h := newHouse(t, func(ctx context.Context, slug string) (*upstream.Target, error) {
		return c.resolve(identity.WithSession(ctx, person(identity.SessionOf(ctx))), slug)
	})
	h.relay.opt.Login = func(session, _ string) Login { return Login{Identity: person(session)} }
	return h, c
}

// briefly lets watches last for a little more than a second. Shorter ones count as faults.
func briefly(h *house) {
	p := &h.relay.following.Pace
	p.MinWatch, p.MaxWatch, p.Grace = 1050*time.Millisecond, 1100*time.Millisecond, 0
}

// recorded are the watches in the record of a session.
func (h *house) recorded(session string) (n int) {
	for _, e := range h.tap.Entries(session, 0) {
		if e.Verb == "watch" {
			n++
		}
	}
	return n
}

// TestTwoSessions_WhichShareAWatch: the identity decides, and nothing else that two sessions may have in common.
func TestTwoSessions_WhichShareAWatch(t *testing.T) {
	type mine struct{ name string }
	over := make(chan struct{})
	one := &mine{}
	for name, c := range map[string]struct {
		a, b    Login
		watches int
	}{
		"the same identity":               {Login{Identity: one}, Login{Identity: one}, 1},
		"equal values":                    {Login{Identity: mine{"ada"}}, Login{Identity: mine{"ada"}}, 1},
		"two identities":                  {Login{Identity: one}, Login{Identity: &mine{}}, 2},
		"two identities that look alike":  {Login{Identity: &mine{"ada"}}, Login{Identity: &mine{"ada"}}, 2},
		"two values":                      {Login{Identity: mine{"ada"}}, Login{Identity: mine{"ben"}}, 2},
		"an identity and none":            {Login{Identity: one}, Login{}, 2},
		"none":                            {Login{}, Login{}, 2},
		"the name of the other session":   {Login{}, Login{Identity: "a"}, 2},
		"another login":                   {Login{Identity: one}, Login{Identity: one, Over: over}, 2},
		"the same login":                  {Login{Identity: one, Over: over}, Login{Identity: one, Over: over}, 1},
		"one login of two identities":     {Login{Identity: one, Over: over}, Login{Identity: &mine{}, Over: over}, 2},
		"one login, and no identity":      {Login{Over: over}, Login{Over: over}, 2},
		"an identity that comes later on": {Login{Identity: one}, Login{Identity: one, Later: true}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			h, s := scripted(t, fiveWithA, stays())
			h.relay.opt.Login = func(session, _ string) Login {
				return map[string]Login{"a": c.a, "b": c.b}[session]
			}
			for _, session := range []string{"a", "b"} {
				p := h.dial(session)
				p.want(0, wire.Hello)
				p.follow(1)
				p.began(1)
			}
			if n := watches(s); n != c.watches {
				t.Errorf("%d watches, want %d", n, c.watches)
			}
			if n := h.recorded("b"); n != c.watches-1 {
				t.Errorf("the second has %d watches in its record", n)
			}
		})
	}
}

// TestTwoSessions_OfOneIdentityShareOnlyTheSame: another cluster, path, selector or form has a watch of its own.
func TestTwoSessions_OfOneIdentityShareOnlyTheSame(t *testing.T) {
	h, s := scripted(t, fiveWithA, stays())
	h.relay.opt.Login = func(string, string) Login { return Login{Identity: "me"} }
	requests := []wire.Request{
		{Cluster: "k", Path: pods, As: wire.Table},
		{Cluster: "l", Path: pods, As: wire.Table},
		{Cluster: "k", Path: pods + "?labelSelector=a", As: wire.Table},
		{Cluster: "k", Path: "/api/v1/pods", As: wire.Table},
	}
	for i, r := range requests {
		p := h.dial(fmt.Sprint("browser-", i))
		p.want(0, wire.Hello)
		r.Type, r.ID = wire.Subscribe, 1
		p.send(r)
		p.began(1)
	}
	if n := watches(s); n != len(requests) {
		t.Errorf("%d watches, want %d", n, len(requests))
	}
}

// TestABrowserThatStandsForTheOthersGoes: its watch goes on for the others, without a gap and without a request. The next watch is recorded
// for one of the others.
func TestABrowserThatStandsForTheOthersGoes(t *testing.T) {
	for name, ends := range map[string]func(*house, *page){
		"it is closed": func(_ *house, p *page) { p.leave() },
		"it unsubscribes": func(_ *house, p *page) {
			p.send(wire.Request{Type: wire.Unsubscribe, ID: 1})
			p.want(1, wire.Closed)
		},
		"it signs out": func(h *house, p *page) {
			h.relay.EndSession("ada 1")
			h.tap.Forget("ada 1")
			if end := p.closed(); end.Code != SessionOver {
				h.t.Errorf("closed with %+v", end)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			h, c := browsers(t)
			pace := &h.relay.following.Pace
			pace.MinWatch, pace.MaxWatch = patience, patience
			first, second := h.inside("ada 1"), h.inside("ada 2")
			event := c.happens("b")
			first.happened(1, event)
			second.happened(1, event)
			ends(h, first)
			eventually(t, "the other stands", func() bool { return h.standing() == "ada 2" })
			second.happened(1, c.happens("c"))
			if got := c.asked(""); !slices.Equal(got, []string{"ada list", "ada watch 5"}) {
				t.Errorf("asked: %q", got)
			}
			before := h.recorded("ada 1")
			c.CloseClientConnections() // the watch ends, as it does twice in a minute
			eventually(t, "the next watch is recorded for the other", func() bool { return h.recorded("ada 2") == 1 })
			second.sees(1, c.happens("d"))
			if n := h.recorded("ada 1"); n != before {
				t.Errorf("%d watches are recorded for the session that went, and %d before", n, before)
			}
			if got := c.asked("list"); len(got) != 1 {
				t.Errorf("lists: %q", got)
			}
		})
	}
}

// standing is the session on whose behalf the only feed follows.
func (h *house) standing() string {
	h.relay.hub.mu.Lock()
	defer h.relay.hub.mu.Unlock()
	for _, feeds := range h.relay.hub.feeds {
		for _, f := range feeds {
			f.mu.Lock()
			session := f.source.Session
			f.mu.Unlock()
			return session
		}
	}
	return ""
}

// TestASessionThatEndsStandsForNothing: when EndSession returns, nothing more is requested on behalf of the session, although its connections
// are still being closed. Otherwise its record, which is deleted next, would come back.
func TestASessionThatEndsStandsForNothing(t *testing.T) {
	h, _ := browsers(t)
	h.inside("ada 1")
	h.inside("ada 2")
	if got := h.standing(); got != "ada 1" {
		t.Fatalf("%q stands", got)
	}
	h.relay.EndSession("ada 1")
	if got := h.standing(); got != "ada 2" {
		t.Errorf("%q stands", got)
	}
}

// TestWithdrawnPermission_EndsEverySession: the next watch is refused, at most half a minute later. Every browser is told in the words of the
// API server, and another identity goes on.
func TestWithdrawnPermission_EndsEverySession(t *testing.T) {
	h, c := browsers(t)
	briefly(h)
	all := []*page{h.inside("ada 1"), h.inside("ada 2"), h.inside("ada 3")}
	ben := h.inside("ben 1")
	c.set(func() { c.denied["ada"] = true })
	for i, p := range all {
		m := p.next(1)
		for m.Type != wire.Failed {
			m = p.next(1)
		}
		if m.Status.Code != http.StatusForbidden || m.Status.Message != "ada cannot watch pods" {
			t.Errorf("browser %d gets %+v", i, m.Status)
		}
	}
	ben.sees(1, c.happens("b"))
	late := h.enters("ada 4")
	if m := late.next(1); m.Type != wire.Failed || m.Status.Message != "ada cannot list pods" {
		t.Errorf("a browser that comes later gets %s %+v", m.Type, m.Status)
	}
}

// TestAnotherLoginOfManyBrowsers: the kubeconfig changes. Nobody gets anything of the first login, and all share a watch again.
func TestAnotherLoginOfManyBrowsers(t *testing.T) {
	h, l := twoLogins(t, newScript(t, fiveWithA, stays()))
	h.relay.opt.Login = func(session, slug string) Login {
		login := l.now(session, slug)
		login.Identity = login.Over
		return login
	}
	var all []*page
	for i := range 3 {
		p := h.dial(fmt.Sprint("browser-", i))
		p.want(0, wire.Hello)
		p.follow(1)
		p.began(1)
		all = append(all, p)
	}
	second := sixWithB(t)
	l.change(second, nil)
	for _, p := range all {
		if m := p.want(1, wire.Gap); m.Gen != 2 || m.Reason != watch.Restarted {
			t.Errorf("%+v", m)
		}
		if got := p.arrives(1, 2); !slices.Equal(got, []string{"b"}) {
			t.Errorf("told of %q", got)
		}
		p.want(1, wire.Synced)
	}
	if n := watches(second); n != 1 {
		t.Errorf("%d watches with the second login", n)
	}
}

// TestExhaustion_ABrowserThatKeepsTooMuchLeavesTheOthersAlone: the state counts for each session that follows it. One that has no room for it
// loses the feed, also if the feed's requests were made on its behalf.
func TestExhaustion_ABrowserThatKeepsTooMuchLeavesTheOthersAlone(t *testing.T) {
	for _, full := range []string{"ada 1", "ada 2"} {
		t.Run(full, func(t *testing.T) {
			h, c := browsers(t)
			here := map[string]*page{"ada 1": h.inside("ada 1"), "ada 2": h.inside("ada 2")}
			of := h.relay.accounts.of(full)
			held := of.held.Load()
			if held == 0 || held != h.relay.accounts.of("ada 1").held.Load() {
				t.Errorf("%s holds %d bytes", full, held)
			}
			of.chargeState(maxSessionHeld)
			event := c.happens("b")
			for name, p := range here {
				if name != full {
					p.happened(1, event)
					continue
				}
				m := p.next(1)
				for m.Type != wire.Failed {
					m = p.next(1)
				}
				if m.Status.Code != http.StatusRequestEntityTooLarge {
					t.Errorf("%+v", m.Status)
				}
			}
			if got := of.held.Load(); got != maxSessionHeld {
				t.Errorf("%d bytes are left to the one that lost the feed", got-maxSessionHeld)
			}
			if got := h.standing(); got == full {
				t.Errorf("%s stands for the feed", got)
			}
			if got := c.asked("watch"); len(got) != 1 {
				t.Errorf("%q", got)
			}
		})
	}
}

// TestTwoSessions_BrowsersComeAndGo: browsers of two people come and go while objects change 600 times, and watches end. Each gets
// every change once and in order.
func TestTwoSessions_BrowsersComeAndGo(t *testing.T) {
	h, c := browsers(t)
	briefly(h)
	random := rand.New(rand.NewPCG(3, 5))
	here, last := map[string]*page{}, map[string]int{}
	for n := range 600 {
		name := fmt.Sprintf("%s %d", []string{"ada", "ben"}[random.IntN(2)], random.IntN(4))
		switch p := here[name]; {
		case n%7 != 0:
		case p == nil:
			here[name], last[name] = h.inside(name), n+5
		default:
			p.leave()
			delete(here, name)
		}
		event := c.happens("x" + strconv.Itoa(random.IntN(9)))
		var all sync.WaitGroup
		var mu sync.Mutex
		for name, p := range here {
			all.Go(func() {
				for _, got := range p.everyEvent(event) {
					mu.Lock()
					if version := versionOf(t, got); version != last[name]+1 {
						t.Errorf("after %d, %s gets %q", last[name], name, got)
					}
					last[name]++
					mu.Unlock()
				}
			})
		}
		all.Wait()
		if t.Failed() {
			return
		}
	}
}
