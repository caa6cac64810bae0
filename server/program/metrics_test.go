package program

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestKindOfRequest(t *testing.T) {
	for path, want := range map[string]string{
		"/": "page", "/c/practice": "page", "/c/practice/api/v1/pods": "page", "/clusters/practice/api": "api",
		"/static/x.css": "static", "/healthz": "other", "/nowhere": "other", "/c": "other", "/clusters": "other", "": "other",
	} {
		if got := kindOf(path); got != want {
			t.Errorf("%s counts as %s, want %s", path, got, want)
		}
	}
}

// Anybody may read the metrics, so they hold no name of a cluster, namespace or object, and no address.
func TestMetricsHoldNoNames(t *testing.T) {
	f := start(t, nil, "--practice", "off", "--kubeconfig", file(t, strings.ReplaceAll(deadContext, `"dead"`, `"hidden-name"`)))
	for _, address := range []string{
		"/", "/c/hidden-name", "/c/hidden-name/api/v1/namespaces/hidden-name/pods/hidden-name", "/clusters/hidden-name/api/v1/hidden-name",
		"/hidden-name", "/static/hidden-name",
	} {
		f.bearer("GET", address)
	}
	got := f.ask("GET", "/metrics").body
	if strings.Contains(got, "hidden-name") || strings.Contains(got, "127.0.0.1") {
		t.Errorf("%s", got)
	}
	for _, line := range []string{
		`fieldmark_http_requests_total{code="200",kind="page"} 1`, `fieldmark_http_requests_total{code="404",kind="other"} 1`,
		`fieldmark_http_requests_total{code="404",kind="static"} 1`, `fieldmark_http_requests_total{code="503",kind="api"} 1`,
		`fieldmark_http_requests_open{kind="page"} 0`, `fieldmark_http_request_duration_seconds_count{kind="page"} 3`, "go_goroutines ",
	} {
		if !strings.Contains(got, line) {
			t.Errorf("nothing says %s", line)
		}
	}
}

func TestEveryCodeIsCountedOnce(t *testing.T) {
	m := newMetrics()
	h := m.countRequests(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/early":
			w.WriteHeader(http.StatusEarlyHints)
			w.WriteHeader(http.StatusTeapot)
		case "/panic":
			panic(http.ErrAbortHandler)
		}
	}))
	for _, path := range []string{"/early", "/silent", "/panic"} {
		func() {
			defer func() { _ = recover() }()
			h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, nil))
		}()
	}
	w := httptest.NewRecorder()
	m.handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	for _, line := range []string{
		`fieldmark_http_requests_total{code="418",kind="other"} 1`, `fieldmark_http_requests_total{code="200",kind="other"} `,
		`fieldmark_http_requests_open{kind="other"} 0`,
	} {
		if !strings.Contains(w.Body.String(), line) {
			t.Errorf("nothing says %s:\n%s", line, w.Body)
		}
	}
}
