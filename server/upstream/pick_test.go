package upstream

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync/atomic"
	"testing"
	"time"
)

// secure is a TLS server that tells the HTTP version of each request, and how many connections it has seen.
func secure(t *testing.T, http2 bool) (s *httptest.Server, conns *atomic.Int32) {
	t.Helper()
	conns = new(atomic.Int32)
	s = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintf(w, "%s %s", r.Proto, r.Header.Get("Authorization"))
	}))
	s.EnableHTTP2 = http2
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			conns.Add(1)
		}
	}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s, conns
}

func secureTarget(t *testing.T, s *httptest.Server, cfg Config) *Target {
	t.Helper()
	base, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	cfg.TLS = s.Client().Transport.(*http.Transport).TLSClientConfig
	target := New(base, cfg)
	t.Cleanup(target.Close)
	return target
}

func get(t *testing.T, target *Target, path string, header ...string) string {
	t.Helper()
	r := request(t, target, http.MethodGet, path, "")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := target.Transport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestEachRequestTakesTheWayThatSuitsIt(t *testing.T) {
	for _, c := range []struct {
		http2        bool
		path, header string
		want         string
	}{
		{true, "/api/v1/pods", "", "HTTP/1.1 mine"},
		{true, "/api/v1/pods?watch=1", "", "HTTP/2.0 mine"},
		{true, "/api/v1/watch/pods", "", "HTTP/2.0 mine"},
		{true, "/api/v1/namespaces/x/pods/web/log?follow=true", "", "HTTP/2.0 mine"},
		{true, "/api/v1/namespaces/x/pods/web/exec", "websocket", "HTTP/1.1 mine"},
		{false, "/api/v1/pods?watch=1", "", "HTTP/1.1 mine"},
	} {
		s, _ := secure(t, c.http2)
		target := secureTarget(t, s, Config{Wrap: func(next http.RoundTripper) http.RoundTripper { return mine{next} }})
		var header []string
		if c.header != "" {
			header = []string{"Upgrade", c.header, "Connection", "Upgrade"}
		}
		if got := get(t, target, c.path, header...); got != c.want {
			t.Errorf("%s: got %q, want %q", c.path, got, c.want)
		}
	}
}

type mine struct{ next http.RoundTripper }

func (m mine) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "mine")
	return m.next.RoundTrip(r)
}

func TestConnectionsAreReusedButNotAfterUpgrades(t *testing.T) {
	s, conns := secure(t, true)
	target := secureTarget(t, s, Config{})
	for range 5 {
		get(t, target, "/api/v1/pods")
	}
	if n := conns.Load(); n != 1 {
		t.Errorf("five requests took %d connections", n)
	}
	for range 3 {
		get(t, target, "/api/v1/pods?watch=1")
	}
	if n := conns.Load(); n != 2 {
		t.Errorf("three watches took %d more", n-1)
	}
	for range 3 {
		get(t, target, "/exec", "Upgrade", "websocket", "Connection", "Upgrade")
	}
	if n := conns.Load(); n != 5 {
		t.Errorf("three upgrades took %d more", n-2)
	}
}

func TestAPathPrefixOfTheServerIsKept(t *testing.T) {
	base, _ := url.Parse("https://rancher.test/k8s/clusters/c-1/")
	if got := New(base, Config{}).Base.String(); got != "https://rancher.test/k8s/clusters/c-1" {
		t.Errorf("got %s", got)
	}
	if base.Path != "/k8s/clusters/c-1/" {
		t.Error("the caller's URL changed")
	}
}

func TestAnHTTPProxyOnTheWayIsUsed(t *testing.T) {
	via := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "by proxy to "+r.Host)
	}))
	t.Cleanup(via.Close)
	address, _ := url.Parse(via.URL)
	target := New(&url.URL{Scheme: "http", Host: "api.test"}, Config{Proxy: http.ProxyURL(address)})
	t.Cleanup(target.Close)
	if got := get(t, target, "/api"); got != "by proxy to api.test" {
		t.Errorf("got %q", got)
	}
}

// kinds are requests that take different ways.
var kinds = map[string]func(*http.Request){
	"plain":   func(*http.Request) {},
	"stream":  func(r *http.Request) { r.URL.RawQuery = "watch=1" },
	"upgrade": func(r *http.Request) { r.Header.Set("Upgrade", "websocket") },
}

func TestWhatCouldBeTwoRequestsIsRefused(t *testing.T) {
	s := serve(t, []act{say(ok)})
	target := s.target(t, Config{})
	for name, change := range map[string]func(*http.Request){
		"method":       func(r *http.Request) { r.Method = "GET / HTTP/1.1\r\nX: " },
		"header name":  func(r *http.Request) { r.Header["X\r\nY"] = []string{"1"} },
		"header value": func(r *http.Request) { r.Header["X"] = []string{"1\r\nY: 2"} },
		"query":        func(r *http.Request) { r.URL.RawQuery = "watch=1 HTTP/1.1\r\nX: y" },
		"host":         func(r *http.Request) { r.Host = "x\r\nY: 1" },
	} {
		for kind, become := range kinds {
			r := request(t, target, "GET", "/", "")
			become(r)
			change(r)
			if _, err := target.Transport.RoundTrip(r); err == nil {
				t.Errorf("%s, %s: not refused", kind, name)
			}
		}
	}
	if conns, _ := s.counts(); conns != 0 {
		t.Errorf("%d connections", conns)
	}
}

func TestASwitchOfProtocolsUnaskedIsRefused(t *testing.T) {
	s := serve(t, []act{say("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n")})
	target := s.target(t, Config{})
	for _, kind := range []string{"plain", "stream"} {
		r := request(t, target, "GET", "/", "")
		kinds[kind](r)
		if resp, err := target.Transport.RoundTrip(r); err == nil {
			t.Errorf("%s: got %d", kind, resp.StatusCode)
		}
	}
}

func TestTheConfigIsNotChanged(t *testing.T) {
	s, _ := secure(t, true)
	target := secureTarget(t, s, Config{})
	given := s.Client().Transport.(*http.Transport).TLSClientConfig
	protos, name := len(given.NextProtos), given.ServerName
	get(t, target, "/api")
	get(t, target, "/api?watch=1")
	if len(given.NextProtos) != protos || given.ServerName != name {
		t.Errorf("the TLS configuration changed: %v, %q", given.NextProtos, given.ServerName)
	}
	if cloneTLS(nil).MinVersion != tls.VersionTLS12 {
		t.Error("old TLS versions are offered")
	}
}

func TestASlowHandshakeIsGivenUp(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0") // connections are queued, and nobody speaks
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	target := New(&url.URL{Scheme: "https", Host: l.Addr().String()}, Config{})
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err = target.Transport.RoundTrip(request(t, target, "GET", "/", "").WithContext(ctx))
	if err == nil || Unreach(err).HTTPStatus() != http.StatusGatewayTimeout {
		t.Errorf("got %v", err)
	}
}
