package program

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// byItsReader are the headers of a document that the reader of a browser opens.
var byItsReader = []string{"Accept-Encoding", "gzip", "Sec-Fetch-Site", "none", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-User", "?1"}

func TestDocumentsAreCompressedForOtherMachines(t *testing.T) {
	f := start(t, map[string]string{"FIELDMARK_TOKEN": testToken}, "--practice", "off")
	headers := append([]string{"Authorization", "Bearer " + testToken}, byItsReader...)
	if near := f.ask("GET", "/", headers...); near.header.Get("Content-Encoding") != "" || !strings.HasSuffix(strings.TrimSpace(near.body), "</html>") {
		t.Errorf("on this machine: %v", near.header)
	}
	far := f.ask("GET", "/", append(headers, "X-Forwarded-For", "192.0.2.7")...)
	if far.header.Get("Content-Encoding") != "gzip" || !strings.Contains(far.header.Get("Vary"), "Accept-Encoding") {
		t.Fatalf("through a proxy: %v", far.header)
	}
	if text := gunzip(t, strings.NewReader(far.body)); !strings.HasSuffix(strings.TrimSpace(text), "</html>") {
		t.Errorf("the document ends with %q", text[max(0, len(text)-40):])
	}
}

// TestSharedDocumentsAreCompressed has everything in front of a page that the shared mode can have: quotas, audit lines, and a path.
func TestSharedDocumentsAreCompressed(t *testing.T) {
	b := startBelow(t, "/tools/fieldmark").browser()
	form := url.Values{"cluster": {"k"}, "token": {"token-of-ada"}, "next": {"/"}}.Encode()
	if code, text := b.send(http.MethodPost, "/-/sign-in", form, "Sec-Fetch-Site", "same-origin", "Content-Type", "application/x-www-form-urlencoded"); code >= 400 {
		t.Fatalf("ada can't sign in: %d %s", code, text)
	}
	send := func(path string) *http.Response {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.base+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(byItsReader); i += 2 {
			r.Header.Set(byItsReader[i], byItsReader[i+1])
		}
		resp, err := b.client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = resp.Body.Close() })
		return resp
	}
	page := send("/")
	if page.StatusCode != http.StatusOK || page.Header.Get("Content-Encoding") != "gzip" {
		t.Fatalf("%d %v", page.StatusCode, page.Header)
	}
	if text := gunzip(t, page.Body); !strings.Contains(text, `<html data-base="/tools/fieldmark" `) || strings.Contains(text, `href="/static/`) {
		t.Error("the addresses aren't those below the path")
	}
	for _, path := range []string{"/clusters/k/api/v1/pods", "/healthz"} {
		if other := send(path); other.Header.Get("Content-Encoding") != "" {
			t.Errorf("%s is compressed", path)
		}
	}
}

func gunzip(t *testing.T, body io.Reader) string {
	t.Helper()
	r, err := gzip.NewReader(body)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
