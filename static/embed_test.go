package static

import (
	"compress/gzip"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

func loaded(t *testing.T, files fs.FS) *Assets {
	t.Helper()
	a, err := load(files, "")
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func serve(a *Assets, method, url string, encodings ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, url, nil)
	for _, encoding := range encodings {
		r.Header.Add("Accept-Encoding", encoding)
	}
	w := httptest.NewRecorder()
	a.ServeHTTP(w, r)
	return w
}

// only is the URL of the one file with that name.
func only(t *testing.T, a *Assets, name string) string {
	t.Helper()
	for url := range a.served {
		if strings.HasPrefix(url, Prefix+name+".") {
			return url
		}
	}
	t.Fatalf("no %s is served", name)
	return ""
}

func TestFilesAreImmutableAndTyped(t *testing.T) {
	a := loaded(t, tree())
	for url, mediaType := range map[string]string{
		a.Stylesheet():       "text/css; charset=utf-8",
		a.Icon():             "image/svg+xml",
		a.Script():           "text/javascript; charset=utf-8",
		only(t, a, "worker"): "text/javascript; charset=utf-8",
		a.Program(Read):      "application/wasm",
		only(t, a, "inter"):  "font/woff2",
	} {
		h := serve(a, http.MethodGet, url).Header()
		if h.Get("Content-Type") != mediaType || h.Get("Cache-Control") != "public, max-age=31536000, immutable" || h.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: %v", url, h)
		}
	}
	for url := range a.served {
		if !hashed.MatchString(url) {
			t.Errorf("%s holds no hash", url)
		}
	}
}

func TestCompressedFormIsTheSame(t *testing.T) {
	a := loaded(t, files)
	plain := serve(a, http.MethodGet, a.Stylesheet()).Body.String()
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
	a := loaded(t, tree())
	if w := serve(a, http.MethodPost, a.Stylesheet()); w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d %v", w.Code, w.Header())
	}
	for _, url := range []string{"/static/../embed.go", "/static/", "/static/read.wasm", "/static/js/fieldmark.js", a.Program(Read) + ".br"} {
		if w := serve(a, http.MethodGet, url); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", url, w.Code)
		}
	}
}

// TestFilesOfAnotherBuildAreAskedForAgain: a page of another version gets them from the next replica, and no cache keeps that this one lacks them.
func TestFilesOfAnotherBuildAreAskedForAgain(t *testing.T) {
	files := tree()
	files["dist/worker.js"] = text("another worker")
	files["dist/read.wasm.sha256"] = text(stamped("another program"))
	files["dist/fonts/inter.woff2"] = text("another font")
	here, there := loaded(t, tree()), loaded(t, files)
	others := 0
	for url := range there.served {
		if _, ok := here.served[url]; ok {
			continue
		}
		others++
		h := serve(here, http.MethodGet, url).Result()
		if h.StatusCode != http.StatusServiceUnavailable || h.Header.Get("Retry-After") == "" || h.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %s, %v", url, h.Status, h.Header)
		}
	}
	if others < 4 { // the program, the worker, the font, and the stylesheet that names it
		t.Errorf("the two builds differ in %d files", others)
	}
	if h := serve(here, http.MethodGet, "/static/nothing.js").Result(); h.StatusCode != http.StatusNotFound || h.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("what no build has: %s, %v", h.Status, h.Header)
	}
	if w := serve(here, http.MethodGet, here.Script()+"?again=2"); w.Code != http.StatusOK {
		t.Errorf("asked for again: %d", w.Code)
	}
}

func TestHEADSaysWhatGETSends(t *testing.T) {
	a := loaded(t, tree())
	server := httptest.NewServer(a)
	defer server.Close()
	for url := range a.served {
		for _, coding := range []string{"br", "gzip", "identity"} {
			get, head := ask(t, http.MethodGet, server.URL+url, coding), ask(t, http.MethodHead, server.URL+url, coding)
			unpackedOnTheWay := (strings.HasSuffix(url, ".wasm") || url == a.Editor() || url == a.Terminal()) && coding == "identity" // its size shows at its end
			if head.size != 0 || !unpackedOnTheWay && (head.said != get.said || get.said != int64(get.size)) {
				t.Errorf("%s as %s: HEAD says %d bytes and sends %d, GET says %d and sends %d", url, coding, head.said, head.size, get.said, get.size)
			}
		}
	}
}

type sizes struct {
	said int64
	size int
}

func ask(t *testing.T, method, url, coding string) sizes {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept-Encoding", coding)
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s %s: %s, %v", method, url, answer.Status, err)
	}
	return sizes{answer.ContentLength, len(body)}
}

func TestWithoutFontsTheStylesheetIsServed(t *testing.T) {
	files := tree()
	for _, name := range fonts {
		delete(files, "dist/fonts/"+name)
	}
	if a := loaded(t, files); serve(a, http.MethodGet, a.Stylesheet()).Code != http.StatusOK {
		t.Error("no stylesheet")
	}
}

func TestStylesheetNamesOnlyWhatIsServed(t *testing.T) {
	checkStylesheet(t, loaded(t, tree()))
	if _, err := fs.Stat(files, "dist/fonts/"+fonts[0]); err == nil {
		checkStylesheet(t, loaded(t, files))
	}
}

func checkStylesheet(t *testing.T, a *Assets) {
	t.Helper()
	css := serve(a, http.MethodGet, a.Stylesheet()).Body.String()
	for _, m := range regexp.MustCompile(`url\("?([^")]+)"?\)`).FindAllStringSubmatch(css, -1) {
		if _, ok := a.served[m[1]]; !ok {
			t.Errorf("the stylesheet names %s, which is not served", m[1])
		}
	}
	for _, banned := range []string{"@import", "http://", "https://"} {
		if strings.Contains(css, banned) {
			t.Errorf("the stylesheet holds %s", banned)
		}
	}
}
