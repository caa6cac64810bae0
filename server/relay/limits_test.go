package relay

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/server/wiretap"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// many are rows of so many objects.
func many(n int) []string {
	rows := make([]string, n)
	for i := range rows {
		rows[i] = row("o"+strconv.Itoa(i), 1)
	}
	return rows
}

// fed is a watch that says what comes in.
func fed(lines <-chan string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		says("")(w, r)
		w.(http.Flusher).Flush()
		for {
			select {
			case <-r.Context().Done():
				return
			case line := <-lines:
				_, _ = io.WriteString(w, line)
				w.(http.Flusher).Flush()
			}
		}
	}
}

// until waits for something to be so of a subscription, on the only connection there is.
func (h *house) until(id uint32, so func(*subscription) bool) {
	h.t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		found := false
		h.relay.each(func(c *conn) {
			if s := c.sub(id); s != nil {
				h.relay.hub.mu.Lock()
				found = s.feed != nil && so(s)
				h.relay.hub.mu.Unlock()
			}
		})
		if found {
			return
		}
	}
	h.t.Fatal("it is never so")
}

// pending is the bookmark that waits.
func (o *outbox) pending() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.bookmark
}

func (o *outbox) overflowed() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.slow
}

// at tells whether the feed has come to a version.
func (f *feed) at(version string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.state.version == version
}

// A page that gives no credit gets Window messages and no more; what happens meanwhile waits, the newest of each
// object, while the API server is read on.
func TestASlowPageGetsTheNewestOfEachObject(t *testing.T) {
	lines := make(chan string)
	h, _ := scripted(t, says(tableOf(5, "", 0, many(wire.Window*perMessage)...)), fed(lines))
	p := h.open()
	p.follow(1)
	for range wire.Window {
		p.want(1, wire.Rows)
	}
	for v := range 1000 {
		lines <- event("MODIFIED", "o"+strconv.Itoa(v%3), 10+v)
	}
	lines <- event("ADDED", "new", 2000) + event("DELETED", "o7", 2001) + event("MODIFIED", "new", 2002) + bookmark(2003)
	h.until(1, func(s *subscription) bool { return s.outbox.pending() == "2003" })
	p.send(wire.Request{Type: wire.Credit, ID: 1, N: 1})
	if m := p.want(1, wire.Synced); m.ResourceVersion != "5" {
		t.Errorf("%+v", m)
	}
	p.send(wire.Request{Type: wire.Credit, ID: 1, N: 100})
	var got []string
	var m wire.Message
	for m = p.next(1); m.Type == wire.Events; m = p.next(1) {
		got = append(got, words(m.Events)...)
	}
	want := []string{"MODIFIED o1 1007", "MODIFIED o2 1008", "MODIFIED o0 1009", "DELETED o7 2001", "ADDED new 2002"}
	if !slices.Equal(got, want) || m.Type != wire.Bookmark || m.ResourceVersion != "2003" {
		t.Errorf("%q, then %+v", got, m)
	}
}

// What passes the bound is dropped, and the page gets the state anew once it gives credit again. It is known here:
// nothing is asked for again.
func TestATooSlowPageBeginsAnew(t *testing.T) {
	lines := make(chan string)
	h, s := scripted(t, says(tableOf(5, "", 0, many(wire.Window*perMessage)...)), fed(lines))
	p := h.open()
	p.follow(1)
	for range wire.Window {
		p.want(1, wire.Rows)
	}
	var all strings.Builder
	for v := range maxWaiting + 1 {
		all.WriteString(event("ADDED", "n"+strconv.Itoa(v), 10+v))
	}
	lines <- all.String() + event("DELETED", "o1", 90_000)
	h.until(1, func(s *subscription) bool { return s.outbox.overflowed() && s.feed.at("90000") })
	p.send(wire.Request{Type: wire.Credit, ID: 1, N: 1000})
	m := p.next(1)
	if m.Type != wire.Gap || m.Reason != watch.Slow || m.Gen != 2 {
		t.Fatalf("%+v", m)
	}
	rows := 0
	for m = p.next(1); m.Type == wire.Rows && m.Gen == 2; m = p.next(1) {
		rows += len(m.Rows)
	}
	if want := wire.Window*perMessage + maxWaiting; rows != want || m.Type != wire.Synced || m.ResourceVersion != "90000" {
		t.Errorf("%d rows, want %d, then %+v", rows, want, m)
	}
	lines <- event("MODIFIED", "o2", 90_001)
	p.happened(1, "MODIFIED o2 90001")
	if got := s.Versions(); !slices.Equal(got, []string{"5"}) {
		t.Errorf("watched from %q", got)
	}
}

// A page that is too slow on a feed which began with what the page had gets the state by a feed that knows it.
func TestATooSlowPageOfAnUnknownState(t *testing.T) {
	lines := make(chan string)
	h, s := scripted(t, says(tableOf(90000, "", 0, row("z", 1))), turns(fed(lines), stays()))
	p := h.open()
	p.send(wire.Request{Type: wire.Subscribe, ID: 1, Cluster: "k", Path: pods, As: wire.Table, ResourceVersion: "5"})
	p.want(1, wire.Synced)
	lines <- event("ADDED", "n", 6)
	p.happened(1, "ADDED n 6")
	for range wire.Window - 2 {
		lines <- event("MODIFIED", "n", 7)
		p.want(1, wire.Events)
	}
	var all strings.Builder
	for v := range maxWaiting + 1 {
		all.WriteString(event("ADDED", "n"+strconv.Itoa(v), 10+v))
	}
	lines <- all.String()
	h.until(1, func(s *subscription) bool { return s.outbox.overflowed() })
	p.send(wire.Request{Type: wire.Credit, ID: 1, N: 100})
	if m := p.want(1, wire.Gap); m.Reason != watch.Slow || m.Gen != 2 {
		t.Errorf("%+v", m)
	}
	if m := p.want(1, wire.Rows); m.Gen != 2 || len(m.Rows) != 1 {
		t.Errorf("%+v", m)
	}
	p.want(1, wire.Synced)
	if got := s.Versions(); !slices.Equal(got, []string{"5", "90000"}) {
		t.Errorf("watched from %q", got)
	}
}

func TestUnsubscribeWhileListing(t *testing.T) {
	came, gone := make(chan struct{}), make(chan struct{})
	h, _ := scripted(t, func(_ http.ResponseWriter, r *http.Request) {
		close(came)
		<-r.Context().Done()
		close(gone)
	}, nil)
	p := h.open()
	p.follow(1)
	<-came
	p.send(wire.Request{Type: wire.Unsubscribe, ID: 1})
	p.want(1, wire.Closed)
	<-gone
	p.send(wire.Request{Type: wire.Unsubscribe, ID: 1}) // it may have been under way: nothing happens
	p.send(wire.Request{Type: wire.Credit, ID: 1, N: 5})
}

func TestUnsubscribeWithoutCredit(t *testing.T) {
	h, _ := scripted(t, says(tableOf(5, "", 0, many(wire.Window*perMessage+1)...)), stays())
	p := h.open()
	p.follow(1)
	for range wire.Window {
		p.want(1, wire.Rows)
	}
	p.send(wire.Request{Type: wire.Unsubscribe, ID: 1})
	p.want(1, wire.Closed)
}

func TestExhaustion_TooManySubscriptions(t *testing.T) {
	h, _ := scripted(t, fiveWithA, stays())
	p := h.open()
	for id := range uint32(maxSubscriptions) {
		p.follow(id + 1)
	}
	p.follow(100)
	if m := p.want(100, wire.Failed); m.Status.Code != 429 {
		t.Errorf("%+v", m.Status)
	}
	p.began(7)
	p.send(wire.Request{Type: wire.Unsubscribe, ID: 7})
	p.want(7, wire.Closed)
	p.follow(100)
	p.began(100)
}

func TestExhaustion_TooManyConnections(t *testing.T) {
	h, _ := scripted(t, fiveWithA, stays())
	first := h.open()
	for range maxConnections - 1 {
		h.open()
	}
	if end := h.dial("s").closed(); int(end.Code) != tryLater || end.Reason == "" {
		t.Errorf("closed with %+v", end)
	}
	other := h.dial("other")
	other.want(0, wire.Hello)
	first.follow(1)
	first.began(1)
	first.leave()
	deadline := time.Now().Add(patience)
	for p := h.dial("s"); ; p = h.dial("s") {
		if _, err := p.read(); err == nil {
			return // the place is free again
		}
		if time.Now().After(deadline) {
			t.Fatal("the place stays taken")
		}
	}
}

func TestExhaustion_SessionsOfOnePersonShareTheirBounds(t *testing.T) {
	h, _ := scripted(t, fiveWithA, stays())
	h.relay.opt.Account = func(r *http.Request) string { return strings.TrimRight(r.Header.Get("Session"), "0123456789") }
	for i := range maxConnections {
		h.dial(fmt.Sprintf("ada%d", i)).want(0, wire.Hello)
	}
	if end := h.dial("ada99").closed(); int(end.Code) != tryLater {
		t.Errorf("one more session of the same person: %+v", end)
	}
	h.dial("ben1").want(0, wire.Hello)
}

func TestPanic_MessagesThatMakeNoSense(t *testing.T) {
	h, _ := scripted(t, fiveWithA, stays())
	good := h.open()
	for text, says := range map[string]string{
		`{`: "malformed", `[]`: "malformed", ``: "malformed", `null`: "type", `{"type":"subscribe","id":1}`: "cluster",
		`{"type":"subscribe","id":1,"cluster":"k","path":"/api/v1/pods","as":"rows"}`: "as", `{"type":"nonsense"}`: "nonsense",
		`{"type":"subscribe","cluster":"k","path":"/api/v1/pods","as":"table"}`: "begin with 1", `{"type":"credit","id":-1}`: "malformed",
		`{"type":"` + strings.Repeat("é", 1000) + `"}`: "malformed",
	} {
		p := h.open()
		p.write(text)
		if end := p.closed(); int(end.Code) != malformed || !strings.Contains(end.Reason, says) {
			t.Errorf("%.60q: closed with %+v", text, end)
		}
	}
	twice := h.open()
	twice.follow(1)
	twice.follow(1)
	if end := twice.closed(); int(end.Code) != malformed || !strings.Contains(end.Reason, "already has this id") {
		t.Errorf("one id twice: closed with %+v", end)
	}
	large := h.open()
	large.write(strings.Repeat(" ", wire.MaxRequest+1))
	if end := large.closed(); end.Code != 1009 {
		t.Errorf("too large: closed with %+v", end)
	}
	good.follow(1)
	good.began(1)
}

func TestBytesAreNoMessage(t *testing.T) {
	h, _ := scripted(t, nil, nil)
	p := h.open()
	p.writeBytes([]byte(`{"type":"credit","id":1,"n":1}`))
	if end := p.closed(); int(end.Code) != malformed {
		t.Errorf("closed with %+v", end)
	}
}

// Each session asks for itself, and its requests are recorded as its own (threat: two sessions).
func TestTwoSessions_SessionsShareNothing(t *testing.T) {
	h, s := scripted(t, fiveWithA, stays())
	for i, session := range []string{"one", "two"} {
		want := 3 - i // the first learns that the server streams no lists
		p := h.dial(session)
		p.follow(1)
		p.want(0, wire.Hello)
		p.began(1)
		entries := h.tap.Entries(session, 0)
		if len(entries) != want || entries[0].Who != (wiretap.Who{Session: session, Cluster: "k", Origin: wiretap.Relay}) || entries[want-1].Verb != "watch" {
			t.Errorf("recorded: %+v", entries)
		}
	}
	if n := len(s.Requests()); n != 4 {
		t.Errorf("%d requests", n)
	}
}

func TestTheEndOfASessionEndsItsConnections(t *testing.T) {
	h, _ := scripted(t, fiveWithA, stays())
	p, other := h.open(), h.dial("other")
	p.follow(1)
	p.began(1)
	h.relay.EndSession("s")
	if end := p.closed(); end.Code != SessionOver {
		t.Errorf("closed with %+v", end)
	}
	other.want(0, wire.Hello)
	other.follow(1)
	other.began(1)
}

func TestGracefulStop_StoppingSaysSo(t *testing.T) {
	h, _ := scripted(t, fiveWithA, stays())
	p := h.open()
	p.follow(1)
	p.began(1)
	done := make(chan struct{})
	go func() {
		defer close(done)
		h.relay.Close(context.Background())
	}()
	if end := p.closed(); int(end.Code) != goingAway {
		t.Errorf("closed with %+v", end)
	}
	<-done
	if end := h.dial("s").closed(); int(end.Code) != goingAway {
		t.Errorf("a late comer: closed with %+v", end)
	}
}

func TestPlainRequestsAreToldToUpgrade(t *testing.T) {
	h, _ := scripted(t, nil, nil)
	resp, err := http.Get(h.server.URL)
	must(t, err)
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusUpgradeRequired || resp.Header.Get("Upgrade") != "websocket" {
		t.Errorf("%d %v", resp.StatusCode, resp.Header)
	}
}

// A page that has gone without a word, or takes nothing in, loses the connection.
func TestExhaustion_PagesThatHang(t *testing.T) {
	for name, change := range map[string]func(*pace){
		"silent": func(p *pace) { p.ping, p.pong = 20*time.Millisecond, 500*time.Millisecond },
		"stuck":  func(p *pace) { p.write = 500 * time.Millisecond },
	} {
		t.Run(name, func(t *testing.T) {
			gone := make(chan struct{})
			h, _ := scripted(t, says(tableOf(5, "", 0, many(100)...)), func(w http.ResponseWriter, r *http.Request) {
				says("")(w, r)
				for i := 0; r.Context().Err() == nil; i++ {
					_, _ = io.WriteString(w, event("MODIFIED", "o"+strconv.Itoa(i%100), 10+i))
				}
				close(gone)
			})
			change(&h.relay.pace)
			c, err := net.Dial("tcp", h.server.Listener.Addr().String())
			must(t, err)
			defer c.Close()
			must(t, shake(c))
			must(t, frame(c, `{"type":"subscribe","id":1,"cluster":"k","path":"`+pods+`","as":"table"}`))
			must(t, frame(c, `{"type":"credit","id":1,"n":60000}`))
			select {
			case <-gone:
			case <-time.After(patience):
				t.Fatal("it is kept")
			}
		})
	}
}

// shake asks for a WebSocket and doesn't wait for the answer.
func shake(c net.Conn) error {
	_, err := io.WriteString(c, "GET /socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
	return err
}

// frame sends a text as browsers do, masked with zeros.
func frame(c net.Conn, text string) error {
	head := []byte{0x81, 0x80 | byte(len(text)), 0, 0, 0, 0}
	if len(text) > 125 {
		return fmt.Errorf("%d bytes don't fit into a small frame", len(text))
	}
	_, err := c.Write(append(head, text...))
	return err
}

// Whatever was going on when a connection ends, nothing of it is left.
func TestNothingIsLeftBehind(t *testing.T) {
	hangs := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	for name, c := range map[string]struct{ list, watch http.HandlerFunc }{
		"listing":        {hangs, nil},
		"without credit": {says(tableOf(5, "", 0, many(wire.Window*perMessage+1)...)), nil},
		"opening":        {fiveWithA, hangs},
		"watching":       {fiveWithA, stays(event("ADDED", "b", 6))},
		"waiting":        {refuses(503, "", "Retry-After", "100"), nil},
		"failed":         {refuses(403, "Forbidden"), nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScript(t, c.list, c.watch)
			target, err := s.Resolve(t.Context(), "k")
			must(t, err)
			h := newHouse(t, func(context.Context, string) (*upstream.Target, error) { return target, nil })
			before := runtime.NumGoroutine()
			for range 3 {
				p := h.open()
				for id := range uint32(5) {
					p.follow(id + 1)
				}
				for len(s.Requests()) == 0 {
					runtime.Gosched()
				}
				p.leave()
			}
			h.relay.Close(t.Context())
			settles(t, before, func() { target.Close(); s.CloseClientConnections(); h.server.CloseClientConnections() })
		})
	}
}

// settles waits until no more goroutines run than before. Idle connections are none of the relay's.
func settles(t *testing.T, before int, closeIdle func()) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for ; runtime.NumGoroutine() > before; time.Sleep(10 * time.Millisecond) {
		closeIdle()
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines, before %d:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		}
	}
}
