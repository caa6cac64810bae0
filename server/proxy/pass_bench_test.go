package proxy_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/proxy"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/server/wiretap"
)

// apiServer responds to each request as an API server does, without a connection.
type apiServer struct{ body string }

// RoundTrip implements http.RoundTripper.
func (s apiServer) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r, ContentLength: int64(len(s.body)),
		Body: io.NopCloser(strings.NewReader(s.body)),
		Header: http.Header{
			"Content-Type": {"application/json"}, "Cache-Control": {"no-cache, private"}, "Audit-Id": {"5a4f8c1e"}, "Date": {"Tue, 24 Nov 2026 15:00:00 GMT"},
			"X-Kubernetes-Pf-Flowschema-Uid": {"7b1d"}, "X-Kubernetes-Pf-Prioritylevel-Uid": {"9c2e"}, "Content-Length": {"546"},
		},
	}, nil
}

// BenchmarkPass is all that Fieldmark itself does for a small GET, from the guard to the upstream's transport, with recording.
func BenchmarkPass(b *testing.B) {
	g, err := guard.New(guard.Options{Listen: []string{"127.0.0.1:8080"}, Token: launchToken})
	if err != nil {
		b.Fatal(err)
	}
	base, _ := url.Parse("https://127.0.0.1:6443")
	target := upstream.Through(base, apiServer{strings.Repeat("x", 546)}, nil)
	handler := g.Wrap(proxy.New(proxy.Options{
		Resolve: func(context.Context, string) (*upstream.Target, error) { return target, nil }, Tap: wiretap.New(wiretap.Options{}),
		Session: func(ctx context.Context) (string, bool) { s, _ := guard.SessionFrom(ctx); return s.ID, false },
	}))
	r := httptest.NewRequestWithContext(b.Context(), http.MethodGet, "/clusters/one/api/v1/namespaces/shop", nil)
	r.Host = "127.0.0.1:8080"
	r.Header.Set("Authorization", "Bearer "+launchToken)
	r.Header.Set("User-Agent", "kubectl/v1.37.1")
	r.Header.Set("Accept", "application/json")
	b.ReportAllocs()
	for b.Loop() {
		handler.ServeHTTP(httptest.NewRecorder(), r)
	}
}
