package relay

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/server/wiretap"
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
		Resolve: resolve, Tap: h.tap, Build: "b1", Random: func() float64 { return 0 },
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

// script is an API server that does what each test says.
type script struct {
	t      testing.TB
	server *httptest.Server

	mu    sync.Mutex
	asked []string
	list  http.HandlerFunc
	watch http.HandlerFunc
	// whole answers watches that are to begin with the whole state; nil: they are refused, and not counted as asked.
	whole http.HandlerFunc
	// counts answers how many objects there are.
	counts http.HandlerFunc
	// version answers probes, which are counted apart.
	version http.HandlerFunc
	probed  int
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
	answer := s.answer(r)
	s.mu.Unlock()
	if answer == nil {
		http.NotFound(w, r)
		return
	}
	answer(w, r)
}

func (s *script) answer(r *http.Request) http.HandlerFunc {
	q := r.URL.Query()
	switch {
	case strings.Contains(r.Header.Get("Accept"), "PartialObjectMetadataList"):
		return s.counts
	case q.Get("sendInitialEvents") != "" && s.whole == nil:
		return refuses(422, "Invalid")
	}
	if r.URL.Path == "/version" {
		s.probed++
		return s.version
	}
	s.asked = append(s.asked, r.URL.RequestURI())
	switch {
	case q.Get("sendInitialEvents") != "":
		return s.whole
	case q.Get("watch") != "":
		return s.watch
	}
	return s.list
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

// after answers once it may.
func after(may <-chan struct{}, then http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-may:
			then(w, r)
		case <-r.Context().Done():
		}
	}
}
