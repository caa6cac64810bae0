package quota

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/identity"
)

// door lets everybody in as the person whom a header names: NAME, or NAME/WAY for one of several ways in.
type door struct{}

func (door) Who(_ http.ResponseWriter, r *http.Request) (guard.Session, guard.Refusal) {
	name := r.Header.Get("Person")
	if name == "" {
		return guard.Session{}, guard.Refusal{Code: http.StatusUnauthorized}
	}
	subject, _, _ := strings.Cut(name, "/")
	return guard.Session{ID: name, Kind: guard.Bearer, Person: &identity.Person{Key: name, Subject: subject}}, guard.Refusal{}
}
func (door) Own(*http.Request) http.Handler      { return nil }
func (door) Invite(*http.Request, *guard.Notice) {}
func (door) Sweep()                              {}

// house is a quota behind its guard. Requests to /held stay in progress until release is called.
type house struct {
	*Quota
	t       *testing.T
	server  *httptest.Server
	mu      sync.Mutex
	now     time.Time
	slept   time.Duration // what responses waited, all together
	held    chan struct{}
	arrived chan struct{}
}

func newHouse(t *testing.T, person, process Limits) *house {
	t.Helper()
	h := &house{t: t, now: time.Now(), held: make(chan struct{}), arrived: make(chan struct{}, 100)}
	h.server = httptest.NewUnstartedServer(nil)
	g, err := guard.New(guard.Options{Listen: []string{h.server.Listener.Addr().String()}, Door: door{}})
	if err != nil {
		t.Fatal(err)
	}
	h.Quota = New(Options{
		Person: person, Process: process, Deny: g.Deny, Now: h.clock, Sleep: h.sleep,
		Socket: func(r *http.Request) bool { return r.URL.Path == "/socket" },
	})
	h.server.Config.Handler = g.Wrap(h.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/held") || r.Header.Get("Upgrade") != "" {
			h.arrived <- struct{}{}
			<-h.held
		}
		_, _ = io.WriteString(w, strings.Repeat("x", len(r.URL.Query().Get("long"))*1000))
	})))
	h.server.Start()
	t.Cleanup(h.server.Close)
	return h
}

func (h *house) clock() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}

func (h *house) sleep(_ context.Context, d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.slept += d
}

func (h *house) pass(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = h.now.Add(d)
}

// ask sends a request, and returns the status code and the text of the response.
func (h *house) ask(person, path string, headers ...string) (*http.Response, string) {
	h.t.Helper()
	req, err := http.NewRequestWithContext(h.t.Context(), http.MethodGet, h.server.URL+path, nil)
	if err != nil {
		h.t.Error(err)
		return nil, ""
	}
	req.Header.Set("Person", person)
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		h.t.Error(err)
		return nil, ""
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	return resp, string(text)
}

func (h *house) want(code int, person, path string, headers ...string) {
	h.t.Helper()
	resp, text := h.ask(person, path, headers...)
	if resp == nil {
		return
	}
	if resp.StatusCode != code {
		h.t.Errorf("%s gets %d for %s: %s", person, resp.StatusCode, path, text)
	}
	if code == http.StatusTooManyRequests && (resp.Header.Get("Retry-After") == "" || !strings.Contains(text, "limit")) {
		h.t.Errorf("%s isn't told why and how long: %v %s", person, resp.Header, text)
	}
}

func TestExhaustion_AFloodOfOnePersonLeavesTheOthersAlone(t *testing.T) {
	h := newHouse(t, Limits{Requests: 10, Burst: 20}, Limits{})
	for range 20 {
		h.want(200, "ada", "/")
	}
	for range 50 {
		h.want(429, "ada", "/")
		h.want(200, fmt.Sprint("ben", len(h.people)), "/")
	}
	h.pass(time.Second)
	for range 10 {
		h.want(200, "ada", "/")
	}
	h.want(429, "ada", "/")
}

func TestExhaustion_PlacesOfOnePerson(t *testing.T) {
	upgrade := []string{"Connection", "Upgrade", "Upgrade", "websocket"}
	for name, c := range map[string]struct {
		path    string
		headers []string
	}{
		"requests are in progress": {"/held", nil},
		"live pages":               {"/socket", upgrade},
		"connections to workloads": {"/other", upgrade},
	} {
		h := newHouse(t, Limits{Open: 2, Sockets: 2, Upgrades: 2}, Limits{Open: 3, Sockets: 3, Upgrades: 3})
		var ended sync.WaitGroup
		hold := func(person string) {
			ended.Go(func() { _, _ = h.ask(person, c.path, c.headers...) })
			<-h.arrived
		}
		hold("ada/browser")
		hold("ada/kubectl")
		if _, text := h.ask("ada/proxy", c.path, c.headers...); !strings.Contains(text, name) {
			t.Errorf("%s: %s", name, text)
		}
		hold("ben")
		if _, text := h.ask("ben", c.path, c.headers...); !strings.Contains(text, "All people together") {
			t.Errorf("%s, for all: %s", name, text)
		}
		close(h.held)
		ended.Wait()
		for _, a := range []*account{h.of("ada"), h.of("ben"), h.all} {
			if a.open != [kinds]int{} {
				t.Errorf("%s: places stay taken: %v", name, a.open)
			}
		}
	}
}

func TestExhaustion_BytesOfOnePerson(t *testing.T) {
	h := newHouse(t, Limits{Bytes: 100}, Limits{}) // 6,000 bytes in a minute
	h.want(200, "ada", "/?long=12345678")
	h.want(429, "ada", "/")
	h.want(200, "ben", "/")
	h.pass(19 * time.Second)
	h.want(429, "ada", "/")
	h.pass(2 * time.Second)
	h.want(200, "ada", "/")
}

// TestExhaustion_ResponsesOfOnePersonArePaced: nobody sends a minute's bytes in one second, which would delay others. A small response never waits.
func TestExhaustion_ResponsesOfOnePersonArePaced(t *testing.T) {
	for name, c := range map[string]struct {
		long  int // kilobytes of each response
		times int
		want  time.Duration
	}{
		"a small one":             {5, 1, 0},
		"after the first half":    {10, 1, 125 * time.Millisecond}, // 5 of 10 kB, at 40 kB in a second
		"many small ones":         {5, 5, (125 + 250 + 375 + 500) * time.Millisecond},
		"more than fits at once":  {20, 1, 375 * time.Millisecond},
		"slow, and not forbidden": {100, 1, 2375 * time.Millisecond},
	} {
		h := newHouse(t, Limits{Bytes: 10_000}, Limits{})
		for range c.times {
			h.want(200, "ada", "/?long="+strings.Repeat("x", c.long))
		}
		h.mu.Lock()
		if h.slept != c.want {
			t.Errorf("%s: waited %s, want %s", name, h.slept, c.want)
		}
		h.slept = 0
		h.mu.Unlock()
		if h.want(200, "ben", "/?long=xxxxx"); h.slept != 0 {
			t.Errorf("%s: somebody else waits %s", name, h.slept)
		}
	}
}

func TestPeopleAreForgotten(t *testing.T) {
	h := newHouse(t, Limits{}, Limits{})
	h.want(200, "ada", "/")
	h.Sweep()
	if len(h.people) != 1 {
		t.Error("ada is forgotten at once")
	}
	h.pass(2 * time.Minute)
	h.Sweep()
	if len(h.people) != 0 {
		t.Error("ada is kept")
	}
}
