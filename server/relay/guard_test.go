//nolint:staticcheck // as in socket.go
package relay

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"nhooyr.io/websocket"

	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/wiretap"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

const launchToken = "a-token-that-is-long-enough"

// guarded is a relay behind its guard, as the program puts them together, and a browser that is signed in.
type guarded struct {
	t      *testing.T
	server *httptest.Server
	cookie string
}

func newGuarded(t *testing.T) *guarded {
	t.Helper()
	s := newScript(t, fiveWithA, stays())
	relay := New(Options{
		Resolve: s.Resolve, Tap: wiretap.New(wiretap.Options{}),
		Session: func(r *http.Request) string { s, _ := guard.SessionFrom(r.Context()); return s.ID },
	})
	server := httptest.NewUnstartedServer(nil)
	g, err := guard.New(guard.Options{
		Listen: []string{server.Listener.Addr().String()}, Token: launchToken, SessionEnded: relay.EndSession,
	})
	must(t, err)
	server.Config = g.Server(g.Wrap(relay))
	server.Listener = guard.Listener(server.Listener)
	server.Start()
	t.Cleanup(server.Close)
	t.Cleanup(func() { relay.Close(context.Background()) })
	b := &guarded{t: t, server: server}
	signedIn := b.do("POST", guard.SignInPath, "token="+launchToken)
	if len(signedIn.Cookies()) != 1 {
		t.Fatalf("signing in answers %d", signedIn.StatusCode)
	}
	b.cookie = signedIn.Cookies()[0].String()
	return b
}

// do sends a request as a page of ours does.
func (b *guarded) do(method, path, form string) *http.Response {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.server.URL+path, strings.NewReader(form))
	must(b.t, err)
	r.Header.Set("Origin", b.server.URL)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Cookie", b.cookie)
	resp, err := http.DefaultTransport.RoundTrip(r)
	must(b.t, err)
	_, _ = io.Copy(io.Discard, resp.Body)
	b.t.Cleanup(func() { resp.Body.Close() })
	return resp
}

// dial asks for a WebSocket with these fields in the request's head, and gives the code of a refusal.
func (b *guarded) dial(head ...string) (p *page, refused int) {
	b.t.Helper()
	h := http.Header{}
	for i := 0; i+1 < len(head); i += 2 {
		h.Set(head[i], head[i+1])
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	fresh := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // a refused upgrade ends its connection
	ws, resp, err := websocket.Dial(ctx, b.server.URL+"/socket", &websocket.DialOptions{HTTPHeader: h, HTTPClient: fresh})
	if err != nil {
		if resp == nil {
			b.t.Fatal(err)
		}
		return nil, resp.StatusCode
	}
	b.t.Cleanup(func() { _ = ws.CloseNow() })
	return newPage(b.t, ws), 0
}

func TestForeignSocket_OnlyOurOwnPagesComeIn(t *testing.T) {
	b := newGuarded(t)
	own, _ := url.Parse(b.server.URL)
	for name, c := range map[string]struct {
		head []string
		code int
	}{
		"nobody":                {nil, 401},
		"no session":            {[]string{"Origin", b.server.URL}, 401},
		"wrong token":           {[]string{"Authorization", "Bearer nonsense-nonsense-nonsense"}, 401},
		"no origin":             {[]string{"Cookie", b.cookie}, 403},
		"null":                  {[]string{"Cookie", b.cookie, "Origin", "null"}, 403},
		"another site":          {[]string{"Cookie", b.cookie, "Origin", "http://evil.test"}, 403},
		"another port":          {[]string{"Cookie", b.cookie, "Origin", "http://127.0.0.1:1"}, 403},
		"another scheme":        {[]string{"Cookie", b.cookie, "Origin", "https://" + own.Host}, 403},
		"another name for us":   {[]string{"Cookie", b.cookie, "Origin", "http://localhost:" + own.Port()}, 403},
		"a token elsewhere":     {[]string{"Authorization", "Bearer " + launchToken, "Origin", "http://evil.test"}, 403},
		"our own page":          {[]string{"Cookie", b.cookie, "Origin", b.server.URL}, 0},
		"a program":             {[]string{"Authorization", "Bearer " + launchToken}, 0},
		"a program that poses":  {[]string{"Authorization", "Bearer " + launchToken, "Origin", b.server.URL}, 0},
		"a cookie that is none": {[]string{"Cookie", "x" + b.cookie, "Origin", b.server.URL}, 401},
	} {
		p, code := b.dial(c.head...)
		if code != c.code {
			t.Errorf("%s: refused with %d, want %d", name, code, c.code)
		}
		if p != nil {
			p.want(0, wire.Hello)
		}
	}
}

// A page can find out whether it is still signed in.
func TestPlainRequestsTellWhetherOneIsSignedIn(t *testing.T) {
	b := newGuarded(t)
	if got := b.do("GET", "/socket", "").StatusCode; got != 426 {
		t.Errorf("signed in: %d", got)
	}
	b.do("POST", guard.SignOutPath, "")
	if got := b.do("GET", "/socket", "").StatusCode; got != 401 {
		t.Errorf("signed out: %d", got)
	}
}

func TestSigningOutEndsTheConnection(t *testing.T) {
	b := newGuarded(t)
	mine, _ := b.dial("Cookie", b.cookie, "Origin", b.server.URL)
	program, _ := b.dial("Authorization", "Bearer "+launchToken)
	for _, p := range []*page{mine, program} {
		p.want(0, wire.Hello)
		p.follow(1)
		p.began(1)
	}
	b.do("POST", guard.SignOutPath, "")
	if end := mine.closed(); end.Code != SessionOver {
		t.Errorf("closed with %+v", end)
	}
	program.follow(2)
	program.began(2)
}
