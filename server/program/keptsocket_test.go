package program

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/server/lasting"
	"github.com/fieldmark/fieldmark/web"
)

// upgrade asks for the socket of a page.
func (b *browser) upgrade() *http.Response {
	b.t.Helper()
	q, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, b.base+web.Socket, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Connection": "Upgrade", "Upgrade": "websocket", "Sec-Websocket-Version": "13", "Sec-Websocket-Key": "MDEyMzQ1Njc4OWFiY2RlZg==", "Origin": b.base,
	} {
		q.Header.Set(name, value)
	}
	resp, err := b.client.Do(q)
	if err != nil {
		b.t.Fatal(err)
	}
	return resp
}

// TestExhaustion_APageHoldsItsPlaceWhileItIsOpen: the handler of a socket returns at once, but the place in the person's quota is free again only when
// the socket is closed. Until then, the request counts as open.
func TestExhaustion_APageHoldsItsPlaceWhileItIsOpen(t *testing.T) {
	f := startShared(t, "--shared-config", put(t, "c", "quotas: {person: {sockets: 1}}", 0o600))
	ada, ben := rights{f: f, person: "ada"}.browser(t), rights{f: f, person: "ben"}.browser(t)
	open := func(n string) bool {
		_, text := f.get("GET", f.monitor+"/metrics", "")
		return strings.Contains(text, `fieldmark_http_requests_open{kind="other"} `+n+"\n")
	}
	first := ada.upgrade()
	socket, ok := first.Body.(io.ReadWriteCloser)
	if !ok {
		t.Fatalf("no socket: %d", first.StatusCode)
	}
	if _, hello := frame(t, socket); !strings.Contains(hello, "hello") {
		t.Errorf("it begins with %q", hello)
	}
	if !open("1") {
		t.Error("the socket doesn't count as open")
	}
	second := ada.upgrade()
	second.Body.Close()
	if second.StatusCode != http.StatusTooManyRequests {
		t.Errorf("a second socket: %d", second.StatusCode)
	}
	other := ben.upgrade()
	if other.StatusCode != http.StatusSwitchingProtocols {
		t.Errorf("a socket of ben: %d", other.StatusCode)
	}
	other.Body.Close()
	if err := socket.Close(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(patience); !open("0"); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the sockets stay open")
		}
	}
	third := ada.upgrade()
	defer third.Body.Close()
	if third.StatusCode != http.StatusSwitchingProtocols {
		t.Errorf("after the first is closed: %d", third.StatusCode)
	}
}

// TestAKeptRequestIsCountedAtItsEnd, with its status code.
func TestAKeptRequestIsCountedAtItsEnd(t *testing.T) {
	m := newMetrics()
	var end func()
	h := m.countRequests(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusTeapot)
		end = lasting.Keep(r.Context())
	}))
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(lasting.Context(t.Context()), http.MethodGet, "/x", nil))
	for _, step := range []struct {
		before     func()
		has, hasnt string
	}{
		{func() {}, `fieldmark_http_requests_open{kind="other"} 1`, `fieldmark_http_requests_total{`},
		{end, `fieldmark_http_requests_total{code="418",kind="other"} 1`, `fieldmark_http_requests_open{kind="other"} 1`},
	} {
		step.before()
		w := httptest.NewRecorder()
		m.handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
		if text := w.Body.String(); !strings.Contains(text, step.has) || strings.Contains(text, step.hasnt) {
			t.Errorf("want %s, and not %s:\n%s", step.has, step.hasnt, text)
		}
	}
}
