package wiretap

import (
	"fmt"
	"strings"
	"testing"
)

// TestExhaustion_AllSessionsShareTheirBound lets many people send requests. Nobody's record takes the room of the others.
func TestExhaustion_AllSessionsShareTheirBound(t *testing.T) {
	const all, people = 4 << 20, 64
	l := New(Options{All: all, Sessions: 2 * people})
	who := func(n int) Who { return Who{Session: fmt.Sprint("person-", n), Cluster: "one"} }
	ask := func(n, times int) {
		for range times {
			send(t, l, who(n), answers{status: 200, body: strings.Repeat("x", 9000)}, "GET", "/api/v1/pods", "")
		}
	}
	taken := func(n int) (bytes, weight int) {
		s := l.findSession(fmt.Sprint("person-", n))
		return s.bytes, s.weight
	}
	ask(0, 500)
	if bytes, weight := taken(0); bytes < all/4 || bytes > all/2 || weight > all/2 {
		t.Errorf("alone: %d bytes of bodies, %d of the rest", bytes, weight)
	}
	for n := range people {
		ask(n, 1+n%2*100)
	}
	for n := range people {
		if bytes, weight := taken(n); bytes > all/people/2 || weight > all/people/2 || bytes == 0 {
			t.Errorf("person %d: %d bytes of bodies, %d of the rest", n, bytes, weight)
		}
	}
	s := l.findSession("person-1")
	if newest, oldest := &s.at(s.n-1).answer, &s.at(0).answer; len(newest.body) != 9000 || len(oldest.body) > 0 {
		t.Errorf("of %d requests, %d bytes of the newest are kept, and %d of the oldest", s.n, len(newest.body), len(oldest.body))
	}
	for n := range people - 1 {
		l.Forget(fmt.Sprint("person-", n+1))
	}
	ask(0, 500)
	if bytes, _ := taken(0); bytes < all/4 {
		t.Errorf("alone again: %d bytes", bytes)
	}
}

// TestBodiesOfAForgottenSession are dropped although a watch goes on.
func TestBodiesOfAForgottenSession(t *testing.T) {
	l := New(Options{})
	send(t, l, me, answers{status: 200, body: "text"}, "GET", "/api/v1/pods", "")
	x := l.findSession("me").at(0)
	l.Forget("me")
	if len(x.answer.body) > 0 {
		t.Error("a body is kept")
	}
}

// TestTheRingGrows keeps the order and the newest.
func TestTheRingGrows(t *testing.T) {
	for _, most := range []int{1, minRing, minRing + 1, 50} {
		l := New(Options{Entries: most})
		for n := range 120 {
			send(t, l, me, answers{status: 200}, "GET", fmt.Sprint("/api/v1/nodes/", n), "")
			entries := l.Entries("me", 0)
			if len(entries) != min(n+1, most) || entries[len(entries)-1].Path != fmt.Sprint("/api/v1/nodes/", n) || entries[0].Path != fmt.Sprint("/api/v1/nodes/", n+1-len(entries)) {
				t.Fatalf("of %d, after %d: %d entries, the last one %s", most, n, len(entries), entries[len(entries)-1].Path)
			}
		}
	}
}
