package proxy_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/proxy"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/server/wiretap"
)

const launchToken = "launch-token-for-tests-0123456789"

// house is guard, proxy and tap before one upstream, listening on a real port.
type house struct {
	addr  string
	guard *guard.Guard
	tap   *wiretap.Log

	sessions sync.Map // the ids of those that sent requests
}

type noCluster struct{ name string }

func (e noCluster) Error() string { return "There is no cluster " + e.name + "." }
func (noCluster) HTTPStatus() int { return http.StatusNotFound }

func build(t testing.TB, target *upstream.Target, change func(*guard.Options), serve ...func(*http.Server)) *house {
	t.Helper()
	return buildWith(t, target, change, func(proxy http.Handler) http.Handler { return proxy }, slog.New(slog.DiscardHandler), serve...)
}

// buildWith puts something between guard and proxy, and gives the proxy a log.
func buildWith(t testing.TB, target *upstream.Target, change func(*guard.Options), between func(http.Handler) http.Handler, log *slog.Logger, serve ...func(*http.Server)) *house {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	opt := guard.Options{Listen: []string{l.Addr().String()}, Token: launchToken}
	if change != nil {
		change(&opt)
	}
	g, err := guard.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	h := &house{addr: l.Addr().String(), guard: g, tap: wiretap.New(wiretap.Options{})}
	p := proxy.New(proxy.Options{
		Resolve: func(_ context.Context, name string) (*upstream.Target, error) {
			if name != "one" {
				return nil, noCluster{name}
			}
			return target, nil
		},
		Clusters: func() []string { return []string{"one"} },
		Tap:      h.tap,
		Log:      log,
		Session: func(ctx context.Context) (string, bool) {
			s, _ := guard.SessionFrom(ctx)
			h.sessions.Store(s.ID, true)
			return s.ID, s.Kind == guard.Cookie
		},
	})
	mux := http.NewServeMux()
	mux.Handle("/clusters/", between(p))
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "a page") })
	mux.HandleFunc("/panic", func(http.ResponseWriter, *http.Request) { panic("at the disco") })
	s := g.Server(g.Wrap(mux))
	for _, set := range serve {
		set(s)
	}
	go func() { _ = s.Serve(guard.Listener(l)) }()
	t.Cleanup(func() { _ = s.Close() })
	return h
}

func targetOf(t testing.TB, s *httptest.Server, wrap func(http.RoundTripper) http.RoundTripper) *upstream.Target {
	t.Helper()
	base, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	cfg := upstream.Config{Wrap: wrap}
	if base.Scheme == "https" {
		cfg.TLS = s.Client().Transport.(*http.Transport).TLSClientConfig
	}
	target := upstream.New(base, cfg)
	t.Cleanup(target.Close)
	return target
}

func (h *house) get(t *testing.T, path string) (*http.Response, string) {
	t.Helper()
	r, _ := http.NewRequest(http.MethodGet, "http://"+h.addr+path, nil)
	r.Header.Set("Authorization", "Bearer "+launchToken)
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(body)
}

func TestARequestPassesThrough(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"asked":"%s %s"}`, r.Method, r.URL.RequestURI())
	}))
	defer s.Close()
	h := build(t, targetOf(t, s, nil), nil)
	const asked = `{"asked":"GET /api/v1/pods?limit=5"}`
	resp, body := h.get(t, "/clusters/one/api/v1/pods?limit=5")
	if resp.StatusCode != 200 || body != asked {
		t.Fatalf("got %d %q", resp.StatusCode, body)
	}
	resp, body = h.get(t, "/clusters/two/api/v1/pods")
	if resp.StatusCode != 404 || !strings.Contains(body, "Known clusters: one") {
		t.Fatalf("got %d %q", resp.StatusCode, body)
	}
	entries := h.tap.Entries(h.guard.ClientSession().ID, 0)
	if len(entries) != 1 || entries[0].Verb != "list" || entries[0].Status != 200 || string(entries[0].Answer.Body) != asked {
		t.Fatalf("tap: %+v", entries)
	}
	resp, body = h.get(t, "/panic")
	if resp.StatusCode != 500 || strings.Contains(body, "disco") {
		t.Fatalf("got %d %q", resp.StatusCode, body)
	}
}
