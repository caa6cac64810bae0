//nolint:staticcheck // as in socket.go
package relay

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/time/rate"
	"nhooyr.io/websocket"

	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// Ten thousand subscriptions, over as many connections as there may be: each is refused in words that is too many, and
// what was there before goes on.
func TestExhaustion_TenThousandSubscriptions(t *testing.T) {
	h, s := scripted(t, fiveWithA, stays())
	h.relay.following.Pace.MinWatch, h.relay.following.Pace.MaxWatch = patience, patience // none is opened again meanwhile
	good := h.dial("good")
	good.want(0, wire.Hello)
	good.follow(1)
	good.began(1)
	refused := map[int]int{}
	for range maxConnections {
		p := h.open()
		for id := range uint32(10_000 / maxConnections) {
			path := fmt.Sprintf("/api/v1/namespaces/n%d/pods", id)
			p.send(wire.Request{Type: wire.Subscribe, ID: id + 1, Cluster: "k", Path: path, As: wire.Table})
		}
		for id := uint32(maxSubscriptions); id < 10_000/maxConnections; id++ {
			if m := p.next(id + 1); m.Type == wire.Failed {
				refused[m.Status.Code]++
			}
		}
	}
	if want := maxConnections * (10_000/maxConnections - maxSubscriptions); refused[429] != want {
		t.Errorf("%v are refused, want %d", refused, want)
	}
	if n := h.relay.accounts.of("s").subs.Load(); n > maxSessionSubscriptions {
		t.Errorf("there are %d subscriptions", n)
	}
	if n := watches(s); n > maxSubscriptions+1 {
		t.Errorf("there are %d watches, though pages share them", n)
	}
	good.follow(2)
	good.began(2)
}

// A page that follows one collection after another, and leaves each of them at once, can't make requests without end.
func TestExhaustion_SubscriptionsThatComeAndGo(t *testing.T) {
	h, _ := scripted(t, fiveWithA, stays())
	p := h.open()
	begun := h.relay.accounts.of("s").begun
	begun.SetLimit(0)
	begun.SetBurst(3)
	follow := func(id uint32) wire.Message {
		p.send(wire.Request{Type: wire.Subscribe, ID: id, Cluster: "k", Path: pods, As: wire.Table})
		p.send(wire.Request{Type: wire.Unsubscribe, ID: id})
		for {
			if m := p.next(id); m.Type == wire.Closed || m.Type == wire.Failed {
				return m
			}
		}
	}
	for id := range uint32(3) {
		if m := follow(id + 1); m.Type != wire.Closed {
			t.Fatalf("subscription %d: %+v", id+1, m)
		}
	}
	if m := follow(4); m.Type != wire.Failed || m.Status.Code != http.StatusTooManyRequests || !strings.Contains(m.Status.Message, "wait a moment") {
		t.Errorf("one more: %+v", m)
	}
	begun.SetBurst(4)
	begun.SetLimit(rate.Inf)
	if m := follow(5); m.Type != wire.Closed {
		t.Errorf("after a moment: %+v", m)
	}
}

// What pages send is counted, pings included. Later bytes wait.
func TestExhaustion_BytesOfPagesAreCounted(t *testing.T) {
	h, _ := scripted(t, fiveWithA, stays())
	p := h.open()
	incoming := h.relay.accounts.of("s").incoming
	incoming.SetLimit(0) // nothing is added while the test runs
	const number, size = 12, wire.MaxRequest / 2
	for range number {
		p.write(`{"type":"credit","id":9,"n":1}` + strings.Repeat(" ", size))
	}
	p.follow(1)
	p.began(1) // everything before it has been read
	if left := incoming.Tokens(); left > incomingBurst-number*size {
		t.Errorf("after %d bytes, %.0f of %d are left", number*size, left, incomingBurst)
	}
}

// Whatever a connection is fed with, it is answered, or ended with a code and a reason; nothing of it is left, and
// nobody else is disturbed.
func TestPanic_HostileSequences(t *testing.T) {
	h, _ := scripted(t, fiveWithA, stays(event("MODIFIED", "a", 6), bookmark(7)))
	good := h.dial("good")
	good.want(0, wire.Hello)
	good.follow(1)
	good.began(1)
	for seed := range uint64(60) {
		script := make([]byte, 40)
		random := rand.New(rand.NewPCG(seed, 23))
		for i := range script {
			script[i] = byte(random.Uint32())
		}
		feedWith(t, h, script)
	}
	good.send(wire.Request{Type: wire.Unsubscribe, ID: 1})
	for m := good.next(1); m.Type != wire.Closed; m = good.next(1) {
		if m.Type != wire.Events && m.Type != wire.Bookmark {
			t.Errorf("told %s", m.Type)
		}
	}
	for deadline := time.Now().Add(patience); h.relay.left("s"); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("something is left")
		}
	}
}

// left tells whether anything of a session is there.
func (r *Relay) left(session string) bool { return r.accounts.of(session) != nil }

// FuzzConnection feeds a connection with sequences that make sense here and there.
func FuzzConnection(f *testing.F) {
	f.Add([]byte{0, 8, 16, 1, 2, 3})
	f.Add([]byte("subscribe, subscribe, credit"))
	h, _ := scripted(f, fiveWithA, stays(event("MODIFIED", "a", 6), bookmark(7)))
	f.Fuzz(func(t *testing.T, script []byte) {
		mine := *h
		mine.t = t
		feedWith(t, &mine, script[:min(len(script), 200)])
	})
}

// feedWith sends one message for each byte, and leaves.
func feedWith(t *testing.T, h *house, script []byte) {
	t.Helper()
	p := h.dial("s")
	p.t = t
	for _, b := range script {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		err := p.ws.Write(ctx, websocket.MessageText, hostile(b))
		cancel()
		if err != nil {
			break // it was ended
		}
	}
	_ = p.ws.CloseNow()
}

// hostile is a message by a byte: most are well-formed, so that sequences get somewhere.
func hostile(b byte) []byte {
	id := uint32(b>>3)%5 + uint32(b>>7)*1_000_000
	r := wire.Request{Type: wire.Subscribe, ID: id, Cluster: "k", Path: pods, As: wire.Table, Gen: 1<<32 - 1 - uint32(b>>6)}
	switch b % 8 {
	case 1:
		r.ResourceVersion = "5"
	case 2:
		r.ResourceVersion, r.Continue, r.As = "\x00\u202e", strings.Repeat("x", 1000), wire.Object
	case 3, 4:
		r = wire.Request{Type: wire.Credit, ID: id, N: 1 << (b >> 3)}
	case 5:
		r = wire.Request{Type: wire.Unsubscribe, ID: id}
	case 6:
		r.Path = "/api/v1/namespaces/n/pods/../../secrets"
	case 7:
		if b > 200 {
			return slices.Repeat([]byte{b}, int(b))
		}
	}
	text, _ := json.Marshal(r)
	return text
}

// A reader that takes nothing in keeps nobody from stopping (threat: graceful stop).
func TestGracefulStop_StuckReadersAreCut(t *testing.T) {
	h, _ := scripted(t, says(tableOf(5, "", 0, many(5000)...)), stays())
	c, err := net.Dial("tcp", h.server.Listener.Addr().String())
	must(t, err)
	defer c.Close()
	must(t, shake(c))
	must(t, frame(c, `{"type":"subscribe","id":1,"cluster":"k","path":"`+pods+`","as":"table"}`))
	h.until(1, func(s *subscription) bool { return s.feed.at("5") })
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	h.relay.Close(ctx)
	for deadline := time.Now().Add(patience); h.relay.left(""); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it is kept")
		}
	}
}
