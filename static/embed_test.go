package static

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

func loaded(t *testing.T) *Assets {
	t.Helper()
	a, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func serve(a *Assets, method, url, encoding string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, url, nil)
	r.Header.Set("Accept-Encoding", encoding)
	w := httptest.NewRecorder()
	a.ServeHTTP(w, r)
	return w
}

func TestFilesAreImmutableAndTyped(t *testing.T) {
	a := loaded(t)
	for url, mediaType := range map[string]string{a.Stylesheet(): "text/css; charset=utf-8", a.Icon(): "image/svg+xml"} {
		w := serve(a, http.MethodGet, url, "")
		if w.Code != 200 || w.Header().Get("Content-Type") != mediaType || !strings.Contains(w.Header().Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d %v", url, w.Code, w.Header())
		}
		if !regexp.MustCompile(`\.[\w-]{12}\.(css|svg)$`).MatchString(url) {
			t.Errorf("%s holds no hash", url)
		}
	}
}

func TestCompressedFormIsTheSame(t *testing.T) {
	a := loaded(t)
	plain := serve(a, http.MethodGet, a.Stylesheet(), "").Body.String()
	w := serve(a, http.MethodGet, a.Stylesheet(), "br, gzip")
	if w.Header().Get("Content-Encoding") != "gzip" {
		t.Fatal("not compressed")
	}
	r, err := gzip.NewReader(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	unpacked, err := io.ReadAll(r)
	if err != nil || string(unpacked) != plain {
		t.Errorf("unpacks to something else (%v)", err)
	}
}

func TestOnlyReading(t *testing.T) {
	a := loaded(t)
	if w := serve(a, http.MethodPost, a.Stylesheet(), ""); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", w.Code)
	}
	if w := serve(a, http.MethodGet, "/static/../embed.go", ""); w.Code != http.StatusNotFound {
		t.Errorf("other file: %d", w.Code)
	}
	if w := serve(a, http.MethodHead, a.Stylesheet(), ""); w.Body.Len() != 0 || w.Header().Get("Content-Length") == "0" {
		t.Errorf("HEAD: %d bytes, %v", w.Body.Len(), w.Header())
	}
}

func TestStylesheetNamesOnlyWhatIsServed(t *testing.T) {
	a := loaded(t)
	css := serve(a, http.MethodGet, a.Stylesheet(), "").Body.String()
	for _, m := range regexp.MustCompile(`url\("?([^")]+)"?\)`).FindAllStringSubmatch(css, -1) {
		if _, ok := a.served[m[1]]; !ok && len(a.served) > 2 {
			t.Errorf("the stylesheet names %s, which is not served", m[1])
		}
	}
	for _, banned := range []string{"@import", "http://", "https://"} {
		if strings.Contains(css, banned) {
			t.Errorf("the stylesheet holds %s", banned)
		}
	}
}
