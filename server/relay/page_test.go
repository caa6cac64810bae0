//nolint:staticcheck // as in socket.go
package relay

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"testing"
	"time"

	"nhooyr.io/websocket"

	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// page is the browser's end of a connection.
type page struct {
	t  testing.TB
	ws *websocket.Conn
	// came is fed by a goroutine that reads all the time, as browsers do: pings are answered while a test is busy.
	came chan received
	// seen holds messages that were received while another was awaited, per subscription.
	seen map[uint32][]wire.Message
}

func (h *house) dial(session string) *page {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	ws, _, err := websocket.Dial(ctx, h.server.URL, &websocket.DialOptions{HTTPHeader: http.Header{"Session": {session}}})
	must(h.t, err)
	h.t.Cleanup(func() { _ = ws.CloseNow() })
	return newPage(h.t, ws)
}

func newPage(t testing.TB, ws *websocket.Conn) *page {
	ws.SetReadLimit(64 << 20)
	p := &page{t: t, ws: ws, came: make(chan received, 10_000), seen: map[uint32][]wire.Message{}}
	go p.receive()
	return p
}

// received is a message, or why there are no more.
type received struct {
	message wire.Message
	err     error
}

func (p *page) receive() {
	defer close(p.came)
	for {
		_, text, err := p.ws.Read(context.Background())
		r := received{err: err}
		if err == nil {
			r.err = json.Unmarshal(text, &r.message)
		}
		p.came <- r
		if err != nil {
			return
		}
	}
}

// open is dial for a page that is told hello.
func (h *house) open() *page {
	h.t.Helper()
	p := h.dial("s")
	m := p.next(0)
	for m.Type == wire.Beat { // at the pace of some tests, the first beat can be early
		m = p.next(0)
	}
	if m.Type != wire.Hello || m.Build != "b1" || m.Reader != "the reader" {
		h.t.Fatalf("the first message is %+v", m)
	}
	return p
}

func (p *page) send(r wire.Request) {
	p.t.Helper()
	text, err := json.Marshal(r)
	must(p.t, err)
	p.write(string(text))
}

func (p *page) write(text string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	must(p.t, p.ws.Write(ctx, websocket.MessageText, []byte(text)))
}

// tryCredit gives credit on a connection that may have ended.
func (p *page) tryCredit(id uint32) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	text, _ := json.Marshal(wire.Request{Type: wire.Credit, ID: id, N: 1})
	_ = p.ws.Write(ctx, websocket.MessageText, text)
}

func (p *page) writeBytes(bytes []byte) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	must(p.t, p.ws.Write(ctx, websocket.MessageBinary, bytes))
}

// leave goes without a word, as a tab that is closed.
func (p *page) leave() {
	p.t.Helper()
	must(p.t, p.ws.CloseNow())
}

// next is the next message of a subscription; those of others are kept for later.
func (p *page) next(id uint32) wire.Message {
	p.t.Helper()
	if kept := p.seen[id]; len(kept) > 0 {
		p.seen[id] = kept[1:]
		return kept[0]
	}
	late := time.After(patience) // beats, and what others are told, give no more time
	for {
		m, err := p.readBy(late)
		must(p.t, err)
		if m.ID == id {
			return m
		}
		p.seen[m.ID] = append(p.seen[m.ID], m)
	}
}

func (p *page) read() (wire.Message, error) {
	p.t.Helper()
	return p.readBy(time.After(patience))
}

func (p *page) readBy(late <-chan time.Time) (wire.Message, error) {
	p.t.Helper()
	select {
	case r := <-p.came:
		return r.message, r.err
	case <-late:
		p.t.Fatal("no message comes")
		panic("unreachable")
	}
}

// want is next for a message of a certain type.
func (p *page) want(id uint32, kind wire.MessageType) wire.Message {
	p.t.Helper()
	m := p.next(id)
	if m.Type != kind {
		text, _ := json.Marshal(m)
		p.t.Fatalf("wanted %s, got %.600s", kind, text)
	}
	return m
}

// arrives gives the names of the rows that come next, all of one generation.
func (p *page) arrives(id, gen uint32) []string {
	p.t.Helper()
	var names []string
	for {
		m := p.next(id)
		if m.Type != wire.Rows {
			p.seen[id] = append([]wire.Message{m}, p.seen[id]...)
			return names
		}
		if m.Gen != gen {
			p.t.Errorf("rows of generation %d, want %d", m.Gen, gen)
		}
		for _, r := range m.Rows {
			names = append(names, r.Name)
		}
	}
}

// follow subscribes to the script's pods as a Table.
func (p *page) follow(id uint32) {
	p.t.Helper()
	p.send(wire.Request{Type: wire.Subscribe, ID: id, Cluster: "k", Path: pods, As: wire.Table})
}

// closed waits for the end of the connection, and gives its code and reason.
func (p *page) closed() websocket.CloseError {
	p.t.Helper()
	for {
		_, err := p.read()
		if err == nil {
			continue
		}
		var end websocket.CloseError
		if !errors.As(err, &end) {
			p.t.Fatalf("the connection ended without a word: %v", err)
		}
		return end
	}
}
