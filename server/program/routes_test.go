package program

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/server/pages"
	"github.com/fieldmark/fieldmark/static"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

func TestHealthAndReadinessNeedNoSession(t *testing.T) {
	f := start(t, nil, "--practice", "off")
	for address, want := range map[string]string{"/healthz": "ok\n", "/readyz": "ready\n"} {
		if got := f.ask("GET", address); got.code != http.StatusOK || got.body != want {
			t.Errorf("%s answers %d %q", address, got.code, got.body)
		}
		if got := f.ask("HEAD", address); got.code != http.StatusOK || got.body != "" {
			t.Errorf("HEAD %s answers %d %q", address, got.code, got.body)
		}
	}
	if got := f.ask("GET", "/metrics"); got.code != http.StatusOK || !strings.Contains(got.body, "fieldmark_http_requests_total") {
		t.Errorf("/metrics answers %d", got.code)
	}
}

func TestAddressesWithAndWithoutSession(t *testing.T) {
	f := start(t, nil, "--practice", "off", "--kubeconfig", file(t, deadContext))
	for _, c := range []struct {
		method, address  string
		stranger, signed int
	}{
		{"GET", "/", 401, 200},
		{"HEAD", "/", 401, 200},
		{"GET", "/-/contexts", 401, 200},
		{"GET", "/c/dead", 401, 502},
		{"GET", "/c/dead/api/v1/pods", 401, 502},
		{"GET", "/c/dead/-/find?type=po", 401, 502},
		{"GET", "/c/nope", 401, 404},
		{"GET", "/clusters/dead/api/v1/pods", 401, 503},
		{"GET", "/clusters/nope/api", 401, 404},
		{"GET", "/nowhere", 401, 404},
		{"GET", "/c", 401, 404},
		{"GET", "/static/nope.css", 404, 404},
		{"GET", "/-/theme", 401, 405},
		{"POST", "/", 401, 405},
		{"DELETE", "/c/dead/api/v1/pods", 401, 405},
		{"PUT", "/healthz", 0, 405},
		{"POST", "/metrics", 0, 405},
	} {
		if got := f.ask(c.method, c.address); c.stranger != 0 && got.code != c.stranger {
			t.Errorf("%s %s without a session: %d, want %d", c.method, c.address, got.code, c.stranger)
		}
		if got := f.bearer(c.method, c.address); got.code != c.signed {
			t.Errorf("%s %s: %d, want %d: %.300s", c.method, c.address, got.code, c.signed, got.body)
		}
	}
}

// What is refused carries the headers of a page, too.
func TestRefusalsCarryTheHeaders(t *testing.T) {
	f := start(t, nil, "--practice", "off", "--kubeconfig", file(t, deadContext))
	for address, want := range map[string]int{"/": 401, "/c/dead": 401, "/clusters/dead/version": 401, "/-/theme": 401, "/?code=wrong": 401, "/healthz": 200} {
		got := f.ask("GET", address, "Accept", "text/html")
		if got.code != want {
			t.Errorf("%s: %d, want %d", address, got.code, want)
		}
		if policy := got.header.Get("Content-Security-Policy"); !strings.Contains(policy, "frame-ancestors 'none'") {
			t.Errorf("the policy of %s is %q", address, policy)
		}
		for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"} {
			if value := got.header.Get(name); value != want {
				t.Errorf("%s: %s is %q", address, name, value)
			}
		}
	}
}

// misspelled are addresses that a guard and a router could read differently: one as what needs no session, the other as
// a page. With a session each has one reading, or none (400).
var misspelled = map[string]int{
	"/%73tatic/x": 400, "/stati%63/x": 400, "/static%2fx": 400, "/%2fstatic/x": 400, "//static/x": 400, "/static//x": 400, "/./static/x": 400,
	"/static/../": 400, "/static/%2e%2e/": 400, "/static/..%2f": 400, "/static/..;/": 400, "/static;/x": 400, "/static/%00": 400, "/STATIC/x": 404, "/Static/x": 404,
	"/%68ealthz": 400, "/healthz%2f": 400, "/healthz/": 404, "/healthz;": 400, "/healthz;/c/dead": 400, "/healthz.": 404, "/healthz%20": 404, "/HEALTHZ": 404,
	"/healthz/../": 400, "//healthz": 400, "/%72eadyz": 400, "/metric%73": 400, "/metrics/": 404, "/metrics%3F": 404, "/metrics%23": 404, "/metrics%c0%ae": 400,
	"/%2D/sign-in": 400, "/-/sign%2Din": 400, "/-/sign-in/": 404, "/-/sign-in%2f..": 400, "/-//sign-in": 400,
	"/%63/dead": 400, "/c%2fdead": 400, "/%63lusters/dead/api": 400, "/cluster%73/dead/api": 400, "/clusters%2fdead": 400, "/C/dead": 404,
	"/%73ocket": 400, "/learn%2f": 400, "/%6Cearn": 400, "/learn/%67lossary": 400, "/\\static": 400, "/~": 404, "/static%E2%80%8B/": 404,
}

func TestNobodyIsToldOfAClusterByAnOddAddress(t *testing.T) {
	f := start(t, nil, "--practice", "off", "--kubeconfig", file(t, strings.Replace(deadContext, `"contexts":[`, `"contexts":[{"name":"treasure","context":{"cluster":"k","user":""}},`, 1)))
	if home := f.bearer("GET", "/"); !strings.Contains(home.body, `data-cluster="treasure"`) {
		t.Fatalf("the cluster's name is not on the page: %s", home.body)
	}
	for address, known := range misspelled {
		for _, accept := range []string{"*/*", "text/html", page.MediaType} {
			got := f.ask("GET", address, "Accept", accept)
			if (got.code != 401 && got.code != 400 && got.code != 404) || strings.Contains(got.body, "treasure") || got.code == 404 && known == 400 {
				t.Errorf("%s as %s: a stranger gets %d %s", address, accept, got.code, got.body)
			}
		}
		if got := f.bearer("GET", address); got.code != known {
			t.Errorf("%s: %d, want %d: %.300s", address, got.code, known, got.body)
		}
	}
	for _, address := range []string{"/c/dead/apis/x%2Ey/v1/a%3Ab", "/c/dead/api/v1/pods/a%3ab"} { // names may be escaped as people like
		if got := f.bearer("GET", address); got.code != http.StatusBadGateway {
			t.Errorf("%s: %d %.300s", address, got.code, got.body)
		}
	}
}

// The router asks for a session itself: what the guard lets through by mistake reaches nothing.
func TestTheRouterLetsNobodyInEither(t *testing.T) {
	assets, err := static.Load()
	if err != nil {
		t.Fatal(err)
	}
	routes := router(routing{pages: new(pages.Pages), assets: assets, metrics: newMetrics(), session: func(*http.Request) string { return "" }})
	ask := func(method, address string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		routes.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), method, address, nil))
		return w
	}
	for address := range misspelled {
		if address == "/\\static" {
			continue // no URL to net/http
		}
		if got := ask("GET", address); got.Code != http.StatusUnauthorized && !strings.HasPrefix(address, "/static/") {
			t.Errorf("%s: %d %s", address, got.Code, got.Body)
		}
	}
	for _, address := range []string{"/", "/c/dead", "/clusters/dead/api", "/socket", "/learn", "/-/theme", "/-/components", "/nowhere"} {
		for _, method := range []string{"GET", "POST", "DELETE"} {
			if got := ask(method, address); got.Code != http.StatusUnauthorized {
				t.Errorf("%s %s: %d %s", method, address, got.Code, got.Body)
			}
		}
	}
	if got := ask("GET", "/healthz"); got.Code != http.StatusOK {
		t.Errorf("/healthz: %d %s", got.Code, got.Body)
	}
}

func TestUnknownAddressIsAPage(t *testing.T) {
	f := start(t, nil, "--practice", "off")
	for _, address := range []string{"/nowhere", "/c", "/c/", "/%3Cscript%3E", "/learnt"} {
		got := f.bearer("GET", address)
		if got.code != http.StatusNotFound || !strings.HasPrefix(got.header.Get("Content-Type"), "text/html") || !strings.Contains(got.body, "<h1>") {
			t.Errorf("%s answers %d, %s: %.200s", address, got.code, got.header.Get("Content-Type"), got.body)
		}
		if strings.Contains(got.body, "<script>") {
			t.Errorf("%s puts the address into the page as it is: %.300s", address, got.body)
		}
	}
}

func TestGalleryIsThereForThoseWhoAskForIt(t *testing.T) {
	const address = "/-/components"
	shown := start(t, nil, "--practice", "off", "--dev")
	if got := shown.bearer("GET", address); got.code != http.StatusOK || !strings.Contains(got.body, `id="grid"`) || !strings.Contains(got.body, "--paper") {
		t.Errorf("with --dev: %d %.300s", got.code, got.body)
	}
	if got := shown.ask("GET", address); got.code != http.StatusUnauthorized {
		t.Errorf("a stranger gets %d", got.code)
	}
	hidden := start(t, nil, "--practice", "off")
	unknown := hidden.bearer("GET", "/-/nowhere")
	if got := hidden.bearer("GET", address); got.code != http.StatusNotFound || strings.ReplaceAll(got.body, "components", "nowhere") != unknown.body {
		t.Errorf("without --dev: %d %.300s", got.code, got.body)
	}
}

func TestWhatCanOnlyBeReadSaysSo(t *testing.T) {
	f := start(t, nil, "--practice", "off")
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE"} {
		got := f.bearer(method, "/")
		if got.code != http.StatusMethodNotAllowed || !strings.Contains(got.body, "only GET and HEAD") || got.header.Get("Allow") == "" {
			t.Errorf("%s answers %d %q, Allow %q", method, got.code, got.body, got.header.Get("Allow"))
		}
	}
}

func TestEveryAnswerHasThePolicy(t *testing.T) {
	f := start(t, nil, "--practice", "off")
	for _, address := range []string{"/", "/nowhere", "/healthz", "/metrics", "/static/nope", "/c/nope", "/clusters/nope/api"} {
		if policy := f.bearer("GET", address).header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'self'") && !strings.Contains(policy, "sandbox") && !strings.Contains(policy, "default-src 'none'") {
			t.Errorf("%s has the policy %q", address, policy)
		}
	}
}

func TestStylesheetOfThePageIsServed(t *testing.T) {
	f := start(t, nil, "--practice", "off")
	_, rest, found := strings.Cut(f.bearer("GET", "/").body, `rel="stylesheet" href="`)
	address, _, _ := strings.Cut(rest, `"`)
	if !found {
		t.Fatal("the page has no stylesheet")
	}
	if got := f.bearer("GET", address); got.code != http.StatusOK || !strings.HasPrefix(got.header.Get("Content-Type"), "text/css") {
		t.Errorf("%s answers %d %s", address, got.code, got.header.Get("Content-Type"))
	}
}
