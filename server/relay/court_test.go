package relay

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/server/follow"
	"github.com/fieldmark/fieldmark/server/identity"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// court is an API server with a collection that changes, and with rights: each session is a user. It answers lists, watches and reviews by the rights that
// the user has at this moment. A watch that is open goes on, as at a real API server.
type court struct {
	*httptest.Server
	t testing.TB

	mu      sync.Mutex
	version int
	past    []happening
	rows    map[string]int
	changed chan struct{} // closed by the next change
	denied  map[string]bool
	reviews map[string]http.HandlerFunc // by user, in place of an answer
	watched map[string]http.HandlerFunc // by user, in place of a watch
	log     []string                    // user and request
}

type happening struct {
	version    int
	kind, name string
}

func newCourt(t testing.TB) *court {
	c := &court{
		t: t, version: 5, rows: map[string]int{"a": 1}, changed: make(chan struct{}), denied: map[string]bool{},
		reviews: map[string]http.HandlerFunc{}, watched: map[string]http.HandlerFunc{},
	}
	c.Server = httptest.NewServer(c)
	t.Cleanup(func() {
		c.CloseClientConnections()
		c.Close()
	})
	return c
}

// asUser sends requests as the user of a session.
type asUser struct {
	next http.RoundTripper
	user string
}

func (a asUser) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("User", a.user)
	return a.next.RoundTrip(r)
}

// resolve is the way of a session to the court.
func (c *court) resolve(ctx context.Context, _ string) (*upstream.Target, error) {
	base, err := url.Parse(c.URL)
	if err != nil {
		return nil, err
	}
	target := upstream.New(base, upstream.Config{})
	return &upstream.Target{Base: base, Transport: asUser{target.Transport, identity.SessionOf(ctx)}}, nil
}

func (c *court) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	user, q := r.Header.Get("User"), r.URL.Query()
	kind := "list"
	switch {
	case strings.Contains(r.URL.Path, "selfsubjectaccessreviews"):
		body, _ := io.ReadAll(r.Body)
		kind = "review list"
		if strings.Contains(string(body), `"verb":"watch"`) {
			kind = "review watch"
		}
	case q.Get("sendInitialEvents") != "":
		refuses(http.StatusUnprocessableEntity, "Invalid")(w, r)
		return
	case strings.Contains(r.Header.Get("Accept"), "PartialObjectMetadataList"):
		http.NotFound(w, r)
		return
	case q.Get("watch") != "":
		kind = "watch"
	}
	handler := c.answer(user, kind, q.Get("resourceVersion"))
	handler(w, r)
}

// answer notes a request, and decides by the rights of now.
func (c *court) answer(user, kind, version string) http.HandlerFunc {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.log = append(c.log, strings.TrimSpace(user+" "+kind+" "+version))
	verb, isReview := strings.CutPrefix(kind, "review ")
	may := !c.denied[user] && !c.denied[user+" "+verb]
	switch {
	case isReview && c.reviews[user] != nil:
		return c.reviews[user]
	case isReview:
		return says(fmt.Sprintf(`{"kind":"SelfSubjectAccessReview","status":{"allowed":%t}}`, may))
	case !may:
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusForbidden)
			_, _ = fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"%s cannot %s pods","reason":"Forbidden","code":403}`, user, verb)
		}
	case kind == "watch" && c.watched[user] != nil:
		return c.watched[user]
	case kind == "watch":
		from, _ := strconv.Atoi(version)
		return func(w http.ResponseWriter, r *http.Request) { c.watch(w, r, from) }
	}
	var rows []string
	for name, version := range c.rows {
		rows = append(rows, row(name, version))
	}
	slices.Sort(rows)
	return says(tableOf(c.version, "", 0, rows...))
}

func (c *court) watch(w http.ResponseWriter, r *http.Request, from int) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	flush := w.(http.Flusher).Flush
	flush()
	for {
		c.mu.Lock()
		var lines strings.Builder
		for _, h := range c.past {
			if h.version > from {
				lines.WriteString(event(h.kind, h.name, h.version))
				from = h.version
			}
		}
		changed := c.changed
		c.mu.Unlock()
		_, _ = io.WriteString(w, lines.String())
		flush()
		select {
		case <-r.Context().Done():
			return
		case <-changed:
		}
	}
}

// happens changes an object, and returns the event in the words of a page.
func (c *court) happens(name string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	kind := "MODIFIED"
	if _, known := c.rows[name]; !known {
		kind = "ADDED"
	}
	c.version++
	c.rows[name] = c.version
	c.past = append(c.past, happening{c.version, kind, name})
	close(c.changed)
	c.changed = make(chan struct{})
	return fmt.Sprintf("%s %s %d", kind, name, c.version)
}

// set changes what the court does.
func (c *court) set(change func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change()
}

// asked are the requests of a kind, of all users.
func (c *court) asked(kind string) (all []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one := range c.log {
		if _, what, _ := strings.Cut(one, " "); strings.HasPrefix(what, kind) {
			all = append(all, one)
		}
	}
	return all
}

// sharing is a house whose people share watches, at a quick pace.
func sharing(t testing.TB) (*house, *court) {
	t.Helper()
	c := newCourt(t)
	h := newHouse(t, c.resolve)
	quicken(h)
	return h, c
}

// quicken lets people share the watches of a house. A watch lasts for a little more than a second: shorter ones count as faults.
func quicken(h *house) {
	h.relay.opt.Share = func(_, group string) bool { return group == "" }
	h.relay.pace.prove, h.relay.pace.proof, h.relay.pace.check = 100*time.Millisecond, 700*time.Millisecond, 300*time.Millisecond
	h.relay.following.Pace.MinWatch, h.relay.following.Pace.MaxWatch, h.relay.following.Pace.Grace = 1050*time.Millisecond, 1100*time.Millisecond, 0
}

// slowly is the usual pace of watches, for tests in which no watch must end by itself.
func slowly(h *house) { h.relay.following.Pace = follow.UsualPace() }

// enters is a page of a session that follows the pods.
func (h *house) enters(session string) *page {
	h.t.Helper()
	p := h.dial(session)
	p.want(0, wire.Hello)
	p.follow(1)
	return p
}

// inside is a page that has the state.
func (h *house) inside(session string) *page {
	h.t.Helper()
	p := h.enters(session)
	p.began(1)
	return p
}

// eventually waits until something is so.
func eventually(t testing.TB, what string, so func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !so(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it never happens that %s", what)
		}
	}
}

// sees waits for an event, past messages that say that the page waits or goes on.
func (p *page) sees(id uint32, want string) {
	p.t.Helper()
	for {
		m := p.next(id)
		switch m.Type {
		case wire.Events:
			p.send(wire.Request{Type: wire.Credit, ID: id, N: 1})
			if got := words(m.Events); slices.Contains(got, want) {
				return
			}
		case wire.Synced, wire.Bookmark:
			p.send(wire.Request{Type: wire.Credit, ID: id, N: 1})
		case wire.Waiting:
		default:
			p.t.Fatalf("wanted %q, got %s %+v", want, m.Type, m.Status)
		}
	}
}
