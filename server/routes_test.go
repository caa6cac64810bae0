package main

import (
	"net/http"
	"strings"
	"testing"
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
		if got.code != http.StatusMethodNotAllowed || !strings.Contains(got.body, "can only be read") || got.header.Get("Allow") == "" {
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
