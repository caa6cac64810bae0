package contention

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/server/wiretap"
)

// patience is how long a test waits for what must come. It is long: the machine may be busy.
const patience = 60 * time.Second

var configmaps = discovery.Type{Version: "v1", Resource: "configmaps", Kind: "ConfigMap", Namespaced: true}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// lab is scans of servers that the test chooses.
type lab struct {
	*Scans
	t   testing.TB
	tap *wiretap.Log
}

func newLab(t testing.TB, resolve func(context.Context, string) (*upstream.Target, error)) *lab {
	t.Helper()
	l := &lab{t: t, tap: wiretap.New(wiretap.Options{})}
	l.Scans = New(Options{Resolve: resolve, Tap: l.tap, Random: func() float64 { return 0 }})
	t.Cleanup(l.Close)
	return l
}

func plan(types ...discovery.Type) Plan {
	return Plan{Types: types, Lasts: Longest, Served: func(string) bool { return true }}
}

// until waits until the scan is as wanted.
func (l *lab) until(session string, so func(r report.Run) bool) report.Run {
	l.t.Helper()
	var r report.Run
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		var ok bool
		if r, ok = l.Show(session, "c"); ok && so(r) {
			return r
		}
	}
	l.t.Fatalf("it did not come about: %+v", r)
	return r
}

func watching(r report.Run) bool { return r.Phase == report.Watching }

// script is an API server that does what each test says.
type script struct {
	server *httptest.Server
	list   http.HandlerFunc
	watch  http.HandlerFunc
	whole  http.HandlerFunc // watches that are to begin with the whole state; nil: they are refused

	mu    sync.Mutex
	asked []string
}

func newScript(t testing.TB, s *script) *script {
	t.Helper()
	s.server = httptest.NewServer(s)
	t.Cleanup(s.server.Close)
	return s
}

// ServeHTTP answers as told; where nothing was told, with 404.
func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	answer := s.list
	switch {
	case q.Get("sendInitialEvents") != "":
		if answer = s.whole; answer == nil {
			answer = refuses(http.StatusUnprocessableEntity, "Invalid")
		}
	case q.Get("watch") != "":
		answer = s.watch
	}
	s.mu.Lock()
	s.asked = append(s.asked, r.URL.RequestURI())
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

func refuses(code int, reason string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		_, _ = fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","code":%d,"reason":%q,"message":"no, says the server"}`, code, reason)
	}
}

func says(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, text) }
}

// streams sends events and then nothing, until whoever asked goes.
func streams(events ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprint(w, strings.Join(events, "\n")+"\n")
		w.(http.Flusher).Flush() //nolint:forcetypeassert // a test server's writer is one
		<-r.Context().Done()
	}
}

func configmap(name string, version int, value string) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":%q,"namespace":"n","uid":%q,"resourceVersion":"%d"},"data":{"a":%q}}`, name, name, version, value)
}

func event(kind, object string) string { return fmt.Sprintf(`{"type":%q,"object":%s}`, kind, object) }

func bookmark(version int, end bool) string {
	return event("BOOKMARK", fmt.Sprintf(`{"metadata":{"resourceVersion":"%d","annotations":{"k8s.io/initial-events-end":"%v"}}}`, version, end))
}
