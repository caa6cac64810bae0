package relay

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"nhooyr.io/websocket"

	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/server/wiretap"
	"github.com/fieldmark/fieldmark/web/wire"
)

// patience is how long a test waits for what must come. It is long: the machine may be busy.
const patience = 60 * time.Second

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// house is a relay behind an HTTP server, without its guard.
type house struct {
	t      testing.TB
	relay  *Relay
	tap    *wiretap.Log
	server *httptest.Server
}

// newHouse serves a relay. The session is what a request says it is.
func newHouse(t testing.TB, resolve func(context.Context, string) (*upstream.Target, error)) *house {
	t.Helper()
	h := &house{t: t, tap: wiretap.New(wiretap.Options{})}
	h.relay = New(Options{
		Resolve: resolve, Tap: h.tap, Build: "b1",
		Session: func(r *http.Request) string { return r.Header.Get("Session") },
	})
	h.server = httptest.NewServer(h.relay)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		h.relay.Close(ctx)
		h.server.Close()
	})
	return h
}

// page is the browser's end of a connection.
type page struct {
	t  testing.TB
	ws *websocket.Conn
	// seen holds messages that were received while another was awaited, per subscription.
	seen map[uint32][]wire.Message
}

func (h *house) dial(session string) *page {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	ws, _, err := websocket.Dial(ctx, h.server.URL, &websocket.DialOptions{HTTPHeader: http.Header{"Session": {session}}})
	must(h.t, err)
	ws.SetReadLimit(64 << 20)
	h.t.Cleanup(func() { _ = ws.CloseNow() })
	return &page{t: h.t, ws: ws, seen: map[uint32][]wire.Message{}}
}

// open is dial for a page that is told hello.
func (h *house) open() *page {
	h.t.Helper()
	p := h.dial("s")
	if m := p.next(0); m.Type != wire.Hello || m.Build != "b1" {
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

// next is the next message of a subscription; those of others are kept for later.
func (p *page) next(id uint32) wire.Message {
	p.t.Helper()
	if kept := p.seen[id]; len(kept) > 0 {
		p.seen[id] = kept[1:]
		return kept[0]
	}
	for {
		m, err := p.read()
		must(p.t, err)
		if m.ID == id {
			return m
		}
		p.seen[m.ID] = append(p.seen[m.ID], m)
	}
}

func (p *page) read() (m wire.Message, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_, text, err := p.ws.Read(ctx)
	if err != nil {
		return m, err
	}
	return m, json.Unmarshal(text, &m)
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

// closed waits for the end of the connection, and gives its code and reason.
func (p *page) closed() websocket.CloseError {
	p.t.Helper()
	for {
		_, err := p.read()
		if err == nil {
			continue
		}
		var end websocket.CloseError
		if !asClose(err, &end) {
			p.t.Fatalf("the connection ended without a word: %v", err)
		}
		return end
	}
}

// script is an API server that does what each test says.
type script struct {
	t      testing.TB
	server *httptest.Server

	mu    sync.Mutex
	asked []string
	list  http.HandlerFunc
	watch http.HandlerFunc
}

// newScript answers lists and watches as told; nil answers 404.
func newScript(t testing.TB, list, watch http.HandlerFunc) *script {
	t.Helper()
	s := &script{t: t, list: list, watch: watch}
	s.server = httptest.NewServer(s)
	t.Cleanup(s.server.Close)
	return s
}

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked = append(s.asked, r.URL.RequestURI())
	answer := s.list
	if r.URL.Query().Get("watch") != "" {
		answer = s.watch
	}
	s.mu.Unlock()
	if answer == nil {
		http.NotFound(w, r)
		return
	}
	answer(w, r)
}

func (s *script) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.asked...)
}

func (s *script) resolve(context.Context, string) (*upstream.Target, error) {
	base, err := url.Parse(s.server.URL)
	if err != nil {
		return nil, err
	}
	return upstream.New(base, upstream.Config{}), nil
}

// scripted is a house whose only cluster is the script.
func scripted(t testing.TB, list, watch http.HandlerFunc) (*house, *script) {
	t.Helper()
	s := newScript(t, list, watch)
	return newHouse(t, s.resolve), s
}

const pods = "/api/v1/namespaces/n/pods"

// follow subscribes to the script's pods as a Table.
func (p *page) follow(id uint32) {
	p.t.Helper()
	p.send(wire.Request{Type: wire.Subscribe, ID: id, Cluster: "k", Path: pods, As: wire.Table})
}

func row(name string, version int) string {
	return fmt.Sprintf(`{"cells":[%[1]q,"x"],"object":{"metadata":{"uid":"u-%[1]s","name":%[1]q,"namespace":"n","resourceVersion":"%[2]d"}}}`, name, version)
}

const columns = `"columnDefinitions":[{"name":"Name","type":"string","format":"name"},{"name":"State","type":"string"}]`

// tableOf is a list's answer.
func tableOf(version int, next string, remaining int, rows ...string) string {
	meta := fmt.Sprintf(`"resourceVersion":"%d"`, version)
	if next != "" {
		meta += fmt.Sprintf(`,"continue":%q,"remainingItemCount":%d`, next, remaining)
	}
	return fmt.Sprintf(`{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{%s},%s,"rows":[%s]}`, meta, columns, strings.Join(rows, ","))
}

// event is one line of a watch; the first of a watch has columns.
func event(kind, name string, version int) string {
	return fmt.Sprintf(`{"type":%q,"object":{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"%d"},"rows":[%s]}}`+"\n", kind, version, row(name, version))
}

func bookmark(version int) string { return event("BOOKMARK", "", version) }

func failure(code int, reason string) string {
	return fmt.Sprintf(`{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure","message":"m","reason":%q,"code":%d}}`+"\n", reason, code)
}

// says answers with a text.
func says(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, text)
	}
}

// refuses answers with a Status.
func refuses(code int, reason string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		_, _ = fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"no","reason":%q,"code":%d}`, reason, code)
	}
}

// turns answers each request with the next handler, and all after the last with the last.
func turns(handlers ...http.HandlerFunc) http.HandlerFunc {
	var mu sync.Mutex
	n := 0
	return func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		h := handlers[min(n, len(handlers)-1)]
		n++
		mu.Unlock()
		h(w, r)
	}
}

// stays opens a watch, says these lines, and stays open.
func stays(lines ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		says(strings.Join(lines, ""))(w, r)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
}

// cuts says these lines, then breaks the connection.
func cuts(lines ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		says(strings.Join(lines, ""))(w, r)
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
}
