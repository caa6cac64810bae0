package guard

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

const testToken = "launch-token-for-tests"

func newGuard(t *testing.T, opt Options) *Guard {
	t.Helper()
	if opt.Listen == nil {
		opt.Listen = []string{"127.0.0.1:8080"}
	}
	opt.Token = testToken
	g, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestDNSRebinding_WhichHostsAreOurs(t *testing.T) {
	for _, c := range []struct {
		listen, host string
		want         bool
	}{
		{"127.0.0.1:80", "127.0.0.1", true},
		{"127.0.0.1:80", "127.0.0.1:80", true},
		{"127.0.0.1:80", "[::1]", true},
		{"127.0.0.1:80", "localhost", true},
		{"127.0.0.1:80", "127.0.0.1:8080", false},
		{"127.0.0.1:8080", "127.0.0.1", false},
		{"127.0.0.1:8080", "127.0.0.1:08080", false},
		{"10.0.0.5:8080", "10.0.0.5:8080", true},
		{"10.0.0.5:8080", "localhost:8080", true},
		{"10.0.0.5:8080", "10.0.0.6:8080", false},
		{"0.0.0.0:8080", "0.0.0.0:8080", false},
		{"[::]:8080", "[::]:8080", false},
		{"[::]:8080", "[::1]:8080", true},
		{":8080", ":8080", false},
		{"127.0.0.1:8080", "fieldmark.lan:8080", true},
		{"127.0.0.1:8080", "FIELDMARK.lan:8080", true},
		{"127.0.0.1:8080", "fieldmark.lan", false},
		{"127.0.0.1:8080", "::1:8080", false},
		{"127.0.0.1:8080", "localhost:8080 ", false},
	} {
		g := newGuard(t, Options{Listen: []string{c.listen}, Hosts: []string{"fieldmark.lan:8080"}})
		if got := g.hostAllowed(c.host); got != c.want {
			t.Errorf("listening on %s, Host %q: %v", c.listen, c.host, got)
		}
	}
}

func TestNewRefusesWhatItCanNotGuard(t *testing.T) {
	for name, opt := range map[string]Options{
		"no address": {Token: testToken}, "port 0": {Token: testToken, Listen: []string{"127.0.0.1:0"}},
		"no port": {Token: testToken, Listen: []string{"127.0.0.1"}}, "no token": {Listen: []string{"127.0.0.1:80"}},
	} {
		if _, err := New(opt); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestTokenGuessing_NoRandomnessNoToken(t *testing.T) {
	broken := iotest.ErrReader(errors.New("dry"))
	if token, err := NewToken(broken); err == nil {
		t.Errorf("made %q of nothing", token)
	}
	g := newGuard(t, Options{Rand: broken})
	if l, err := g.Link("/"); err == nil {
		t.Errorf("made %q of nothing", l)
	}
	if w := answered(t, g, form(t, testToken, "/")); w.Code != http.StatusInternalServerError || len(w.Result().Cookies()) != 0 {
		t.Errorf("got %d", w.Code)
	}
}

func TestTokenGuessing_FailuresAreCountedForManyAddressesInBoundedMemory(t *testing.T) {
	now := time.Now()
	f := newFailures(func() time.Time { return now })
	for n := range 3 * maxAddresses {
		f.countFailure(string(rune('a'+n%26)) + strings.Repeat("x", n%100) + string(rune(n)))
	}
	if len(f.by) > maxAddresses {
		t.Errorf("%d addresses are remembered", len(f.by))
	}
	for range failureBurst {
		if wait := f.countFailure("one"); wait != 0 {
			t.Errorf("an early guess waits %v", wait)
		}
	}
	if wait := f.countFailure("one"); wait <= 0 || wait > failureEvery {
		t.Errorf("wait %v", wait)
	}
	if wait := f.countFailure("two"); wait != 0 {
		t.Errorf("another address waits %v", wait)
	}
}

// The right token passes, whatever others guess: otherwise anybody who can reach us could lock the owner out.
func TestTokenGuessing_TheRightTokenNeverWaits(t *testing.T) {
	var log strings.Builder
	now := time.Now()
	g := newGuard(t, Options{Now: func() time.Time { return now }, Log: logTo(&log)})
	bearer := func(value string) *http.Request {
		r := get(t, "/clusters/one/api/v1/pods")
		r.Header.Set("Authorization", value)
		return r
	}
	right := func(when string) {
		t.Helper()
		if w := answered(t, g, bearer("Bearer "+testToken)); w.Code != http.StatusNoContent {
			t.Errorf("%s, a program with the right token gets %d", when, w.Code)
		}
		if w := answered(t, g, form(t, testToken, "/")); w.Code != http.StatusSeeOther {
			t.Errorf("%s, the form with the right token gets %d", when, w.Code)
		}
	}
	// These come with no token at all; a page of another site can cause some of them.
	for range 3 * failureBurst {
		for _, value := range []string{"Basic YTpi", "Bearer", "Bearer ", "Negotiate x", ""} {
			if w := answered(t, g, bearer(value)); w.Code != http.StatusUnauthorized {
				t.Fatalf("%q: %d", value, w.Code)
			}
		}
		if w := visit(t, g, "http://127.0.0.1:8080/?code=wrong"); w.Code != http.StatusUnauthorized {
			t.Fatalf("a wrong code: %d", w.Code)
		}
	}
	for n := range 20 * failureBurst {
		want := http.StatusUnauthorized
		if n >= failureBurst {
			want = http.StatusTooManyRequests
		}
		guess := bearer("Bearer " + testToken[:len(testToken)-1])
		if n%2 == 1 {
			guess = form(t, testToken+"x", "/")
		}
		w := answered(t, g, guess)
		if w.Code != want {
			t.Fatalf("guess %d: %d", n, w.Code)
		}
		if want == http.StatusTooManyRequests && (w.Header().Get("Retry-After") == "" || w.Header().Get("Connection") != "close") {
			t.Fatalf("guess %d: %v", n, w.Header())
		}
	}
	right("after many guesses")
	if lines := strings.Count(log.String(), "a wrong launch token was offered"); lines != failureBurst {
		t.Errorf("guesses fill the log: %d lines", lines)
	}
	now = now.Add(failureEvery)
	if w := answered(t, g, bearer("Bearer wrong-wrong-wrong-wrong")); w.Code != http.StatusUnauthorized {
		t.Errorf("after a while: %d", w.Code)
	}
	right("after a while")
}

func logTo(w io.Writer) *slog.Logger { return slog.New(slog.NewTextHandler(w, nil)) }

// Cookies know hosts, not ports: two Fieldmarks on one host must not sign each other out.
func TestTokenInAddress_EachPortHasItsOwnCookie(t *testing.T) {
	one, two := newGuard(t, Options{}), newGuard(t, Options{Listen: []string{"127.0.0.1:8081"}})
	if one.launch.cookie == two.launch.cookie {
		t.Errorf("both use %s", one.launch.cookie)
	}
}

func TestPagesCanBeRenderedByTheCaller(t *testing.T) {
	for name, page := range map[string]func(io.Writer, Notice) error{
		"own": func(w io.Writer, n Notice) error { _, err := io.WriteString(w, "own "+n.Title); return err },
		"broken": func(w io.Writer, _ Notice) error {
			_, _ = io.WriteString(w, "half a page")
			return errors.New("broken")
		},
	} {
		g := newGuard(t, Options{Page: page, Stylesheet: func() string { return "/static/app.css" }})
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.Host = "127.0.0.1:8080"
		r.Header.Set("Accept", "text/html")
		g.Wrap(http.NotFoundHandler()).ServeHTTP(w, r)
		want := map[string]string{"own": "own Sign in", "broken": `<link rel="stylesheet" href="/static/app.css">`}[name]
		if w.Code != 401 || !strings.Contains(w.Body.String(), want) || strings.Contains(w.Body.String(), "half") {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
}

func TestPagePolicy_OurPagesHoldNoInlineStyleOrScript(t *testing.T) {
	var page bytes.Buffer
	if err := plainPage(&page, Notice{Title: "<t>", Words: "<w>", Stylesheet: "/s.css", SignIn: true, Form: true, Next: `"><script>`, Share: true, Link: "<script>", Again: "javascript:alert(1)"}); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"<script", "<style", "style=", "onclick", "<t>", "<w>", "javascript:"} {
		if strings.Contains(page.String(), bad) {
			t.Errorf("%q in %s", bad, page.String())
		}
	}
}

func TestPanic_AnAbortedHandlerStaysAborted(t *testing.T) {
	g := newGuard(t, Options{})
	for name, handler := range map[string]http.HandlerFunc{
		"by itself":   func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"in the body": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "half"); panic("oh") },
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/healthz", nil)
		r.Host = "127.0.0.1:8080"
		func() {
			defer func() {
				if got := recover(); got != http.ErrAbortHandler { //nolint:errorlint // panics carry this very value
					t.Errorf("%s: recovered %v", name, got)
				}
			}()
			g.Wrap(handler).ServeHTTP(w, r)
		}()
	}
}

func BenchmarkWrap(b *testing.B) {
	g, _ := New(Options{Listen: []string{"127.0.0.1:8080"}, Token: testToken})
	handler := g.Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) }))
	r := httptest.NewRequestWithContext(b.Context(), http.MethodGet, "/clusters/one/api/v1/namespaces/default", nil)
	r.Host = "127.0.0.1:8080"
	r.Header.Set("Authorization", "Bearer "+testToken)
	b.ReportAllocs()
	for b.Loop() {
		handler.ServeHTTP(httptest.NewRecorder(), r)
	}
}

// TestPagePolicy_OneInlineScriptIsNamedByItsHash: without a name for it, no inline script runs.
func TestPagePolicy_OneInlineScriptIsNamedByItsHash(t *testing.T) {
	for inline, want := range map[string]string{"": "script-src 'self' 'wasm-unsafe-eval';", "'sha256-abc='": "script-src 'self' 'wasm-unsafe-eval' 'sha256-abc=';"} {
		if got := contentPolicy(inline); !strings.Contains(got, want) || strings.Contains(got, "unsafe-inline") {
			t.Errorf("%q: %s", inline, got)
		}
	}
}
