package program

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// busy is an API server on which slow requests hang until the test ends, except ben's. It takes few requests at once on one connection, so that everybody who
// waits for a place on hers waits for ever.
type busy struct {
	*httptest.Server

	mu      sync.Mutex
	hanging map[string]int // by person
	most    int            // of one person
	release chan struct{}
}

// streams is how many requests the API server takes at once on one connection.
const streams = 4

func newBusy(t *testing.T) *busy {
	t.Helper()
	b := &busy{hanging: map[string]int{}, release: make(chan struct{})}
	b.Server = httptest.NewUnstartedServer(http.HandlerFunc(b.serve))
	b.EnableHTTP2 = true
	b.Config.HTTP2 = &http.HTTP2Config{MaxConcurrentStreams: streams}
	b.StartTLS()
	t.Cleanup(func() {
		close(b.release)
		b.Close()
	})
	return b
}

func (b *busy) serve(w http.ResponseWriter, r *http.Request) {
	person, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer token-of-")
	w.Header().Set("Content-Type", "application/json")
	switch {
	case strings.HasSuffix(r.URL.Path, "/selfsubjectreviews"):
		w.WriteHeader(http.StatusCreated)
		fmt.Fprintf(w, `{"status":{"userInfo":{"username":%q}}}`, person)
	case person != "ben" && strings.HasSuffix(r.URL.Path, "/slow"):
		b.hang(r.Context(), person)
	case strings.HasSuffix(r.URL.Path, "/large"):
		_, _ = io.WriteString(w, `{"kind":"List","items":["`+strings.Repeat("x", 4<<20)+`"]}`)
	default:
		_, _ = io.WriteString(w, `{"kind":"Seen"}`)
	}
}

func (b *busy) hang(ctx context.Context, person string) {
	b.mu.Lock()
	b.hanging[person]++
	b.most = max(b.most, b.hanging[person])
	b.mu.Unlock()
	select {
	case <-b.release:
	case <-ctx.Done():
	}
	b.mu.Lock()
	b.hanging[person]--
	b.mu.Unlock()
}

// full waits until a person has all requests here that one person may have, and fails if there are more.
func (b *busy) full(t *testing.T, person string) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		b.mu.Lock()
		now, most := b.hanging[person], b.most
		b.mu.Unlock()
		switch {
		case most > places:
			t.Fatalf("%d requests of one person are at the API server, and %d are allowed", most, places)
		case now == places:
			return
		case time.Now().After(deadline):
			t.Fatalf("only %d requests of %s are at the API server", now, person)
		}
	}
}

// places is how many requests of one person may be in progress: more than fit on a connection to the API server.
const places = 3 * streams

// TestExhaustion_AFloodHoldsUpNobodyElse: somebody uses all that one person may use, in one way after the other, and tries to get more. More is
// refused with 429, a time and words. Requests of somebody else are served, while all of it is still in progress.
func TestExhaustion_AFloodHoldsUpNobodyElse(t *testing.T) {
	server := newBusy(t)
	f := startShared(t, "--clusters", clustersFile(t, server.Server), "--shared-config",
		put(t, "c", fmt.Sprintf("quotas: {person: {requests: %d, sockets: 2, requestsPerSecond: 100000, burst: 100000}}", places), 0o600))
	for name, c := range map[string]struct {
		method, path string
		hangs        bool
		headers      []string
	}{
		"requests":                    {"GET", "/clusters/k/api/v1/slow", true, nil},
		"writes":                      {"POST", "/clusters/k/api/v1/slow", true, nil},
		"slow readers of large lists": {"GET", "/clusters/k/api/v1/large", false, nil},
		"sockets": {"GET", "/socket", false, []string{
			"Connection", "Upgrade", "Upgrade", "websocket", "Sec-Websocket-Version", "13", "Sec-Websocket-Key", "MDEyMzQ1Njc4OWFiY2RlZg==", "Origin", f.base,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			person := "flood-of-" + strings.ReplaceAll(name, " ", "-")
			b := (rights{f, person}).browser(t)
			refused := until429(t, func() *http.Response { return b.open(t, c.method, c.path, c.headers...) })
			if wait, err := strconv.Atoi(refused.Header.Get("Retry-After")); err != nil || wait < 1 {
				t.Errorf("Retry-After is %q", refused.Header.Get("Retry-After"))
			}
			var said struct{ Message string }
			if err := json.NewDecoder(refused.Body).Decode(&said); err != nil || !strings.Contains(said.Message, "You have reached a limit") {
				t.Errorf("the refusal says %q (%v)", said.Message, err)
			}
			if c.hangs {
				server.full(t, person)
			}
			for _, path := range []string{"/clusters/k/api/v1/pods", "/clusters/k/api/v1/large", "/clusters/k/api/v1/slow"} {
				if code, text := f.get("GET", f.base+path, "token-of-ben"); code != http.StatusOK {
					t.Errorf("%s of somebody else: %d %.200s", path, code, text)
				}
			}
		})
	}
}

// until429 repeats a request, each beside those before, until one is refused. They end with the test.
func until429(t *testing.T, open func() *http.Response) *http.Response {
	t.Helper()
	refused := make(chan *http.Response)
	ended := make(chan struct{})
	t.Cleanup(func() { close(ended) })
	for range places + 1 {
		go func() {
			if resp := open(); resp != nil && resp.StatusCode == http.StatusTooManyRequests {
				select {
				case refused <- resp:
				case <-ended:
				}
			}
		}()
	}
	select {
	case resp := <-refused:
		return resp
	case <-time.After(patience): // far more than a refusal takes
	}
	t.Fatal("nothing is refused")
	return nil
}

// open sends a request, and leaves the body of the response unread until the test ends. The result is nil if there is no response until then.
func (b *browser) open(t *testing.T, method, path string, headers ...string) *http.Response {
	r, err := http.NewRequestWithContext(t.Context(), method, b.base+path, nil)
	if err != nil {
		t.Error(err)
		return nil
	}
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	for _, c := range b.client.Jar.Cookies(r.URL) {
		r.AddCookie(c)
	}
	resp, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(r)
	if err != nil {
		return nil // the test has ended
	}
	context.AfterFunc(t.Context(), func() { resp.Body.Close() })
	return resp
}
