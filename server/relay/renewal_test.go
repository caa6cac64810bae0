package relay

import (
	"sync"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/web/frame/wire"
)

func TestConnectionsEndWhenTheirSessionMustBeRenewed(t *testing.T) {
	h, _ := scripted(t, fiveWithA, stays())
	var mu sync.Mutex
	until := map[string]time.Time{"later": time.Now().Add(time.Hour), "s": time.Now().Add(time.Hour), "moved": time.Now().Add(leastRenewal + time.Second)}
	asked := map[string]int{}
	h.relay.opt.Renew = func(session string) time.Time {
		mu.Lock()
		defer mu.Unlock()
		asked[session]++
		if asked[session] > 1 && session == "moved" {
			return time.Now().Add(time.Hour) // another request renewed it meanwhile
		}
		return until[session]
	}
	for _, stays := range []string{"later", "moved"} {
		p := h.dial(stays)
		p.want(0, wire.Hello)
	}
	until["due"] = time.Now().Add(-time.Minute)
	began := time.Now()
	p := h.dial("due")
	p.want(0, wire.Hello)
	if end := p.closed(); int(end.Code) != wire.Renew || end.Reason == "" {
		t.Errorf("closed with %+v", end)
	}
	if lasted := time.Since(began); lasted < leastRenewal {
		t.Errorf("a connection of a session that isn't renewed lasted only %s", lasted)
	}
	open := func(session string) (found bool) {
		h.relay.each(func(c *conn) { found = found || c.session == session })
		return found
	}
	for deadline := time.Now().Add(patience); open("due"); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the connection is still known")
		}
	}
	again := func() bool {
		mu.Lock()
		defer mu.Unlock()
		return asked["moved"] > 1
	}
	for deadline := time.Now().Add(patience); !again(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("a connection doesn't look again when its session was to be renewed")
		}
	}
	if !open("later") || !open("moved") {
		t.Error("a connection was closed whose session need not be renewed yet")
	}
}
