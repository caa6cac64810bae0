// Package fake is an API server on loopback that does what a test says. It is for faults that a real API server can't produce on
// demand: a connection cut within a line, a repeated chunk, an invalid continue token.
package fake

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

	"github.com/fieldmark/fieldmark/server/upstream"
)

// Server responds to each kind of request with the handler for it, and with 404 if there is none.
type Server struct {
	*httptest.Server
	List  http.HandlerFunc
	Watch http.HandlerFunc
	// Whole handles watches that begin with the whole state; nil: they are refused, and are not in Requests.
	Whole http.HandlerFunc
	// Counts handles requests for the number of objects.
	Counts http.HandlerFunc
	// Version handles probes, which Probed counts.
	Version http.HandlerFunc

	t      testing.TB
	mu     sync.Mutex
	asked  []string
	probed int
}

// New starts a server for lists and watches.
func New(t testing.TB, list, watch http.HandlerFunc) *Server {
	t.Helper()
	s := Unstarted(t, list, watch)
	s.Start()
	return s
}

// Unstarted is New for a test that starts the server itself.
func Unstarted(t testing.TB, list, watch http.HandlerFunc) *Server {
	t.Helper()
	s := &Server{t: t, List: list, Watch: watch}
	s.Server = httptest.NewUnstartedServer(s)
	t.Cleanup(func() {
		s.CloseClientConnections() // otherwise Close would wait for open watches
		s.Close()
	})
	return s
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	answer := s.answer(r)
	s.mu.Unlock()
	if answer == nil {
		http.NotFound(w, r)
		return
	}
	answer(w, r)
}

func (s *Server) answer(r *http.Request) http.HandlerFunc {
	q := r.URL.Query()
	switch {
	case strings.Contains(r.Header.Get("Accept"), "PartialObjectMetadataList"):
		return s.Counts
	case q.Get("sendInitialEvents") != "" && s.Whole == nil:
		return Refuses(http.StatusUnprocessableEntity, "Invalid")
	case r.URL.Path == "/version":
		s.probed++
		return s.Version
	}
	s.asked = append(s.asked, r.URL.RequestURI())
	switch {
	case q.Get("sendInitialEvents") != "":
		return s.Whole
	case q.Get("watch") != "":
		return s.Watch
	}
	return s.List
}

// Requests are the lists and watches that arrived, in order.
func (s *Server) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.asked...)
}

// Probed is how many probes arrived.
func (s *Server) Probed() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.probed
}

// Versions are the resourceVersions that the watches began with.
func (s *Server) Versions() []string {
	s.t.Helper()
	var all []string
	for _, uri := range s.Requests() {
		u, err := url.Parse(uri)
		if err != nil {
			s.t.Fatal(err)
		}
		if q := u.Query(); q.Get("watch") != "" {
			all = append(all, q.Get("resourceVersion"))
		}
	}
	return all
}

// Resolve returns the server for every cluster name.
func (s *Server) Resolve(context.Context, string) (*upstream.Target, error) {
	base, err := url.Parse(s.URL)
	if err != nil {
		return nil, fmt.Errorf("the server's own address: %w", err)
	}
	return upstream.New(base, upstream.Config{}), nil
}

// Says responds with a text.
func Says(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, text)
	}
}

// Refuses responds with a Status.
func Refuses(code int, reason string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		_, _ = fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"no","reason":%q,"code":%d}`, reason, code)
	}
}

// Turns handles each request with the next handler. The last handler serves all further requests.
func Turns(handlers ...http.HandlerFunc) http.HandlerFunc {
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

// Stays opens a watch, says these lines, and stays open.
func Stays(lines ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		sendLines(w, r, lines)
		<-r.Context().Done()
	}
}

// Cuts says these lines, then breaks the connection.
func Cuts(lines ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		sendLines(w, r, lines)
		panic(http.ErrAbortHandler)
	}
}

// Hangs never responds.
func Hangs(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// After responds once the channel is closed.
func After(may <-chan struct{}, then http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-may:
			then(w, r)
		case <-r.Context().Done():
		}
	}
}

// Until uses one handler until a condition is true, and then another.
func Until(so <-chan struct{}, before, then http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-so:
			then(w, r)
		default:
			before(w, r)
		}
	}
}

func sendLines(w http.ResponseWriter, r *http.Request, lines []string) {
	Says(strings.Join(lines, ""))(w, r)
	w.(http.Flusher).Flush() // a test server's writer is one
}
