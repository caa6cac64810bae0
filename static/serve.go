package static

import (
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

// retryAfter is after how many seconds a client asks again for a file of another build.
const retryAfter = "1"

// hashed is a URL as this or another build of Fieldmark names a file.
var hashed = regexp.MustCompile(`^` + Prefix + `[\w-]+\.[\w-]{12}\.(css|js|svg|wasm|woff2)$`)

// ServeHTTP serves a file under its hashed name. During an update, replicas have files of different builds: a file of another build is unavailable here, so
// that a client or a proxy asks again, and another replica gives it. Anything else is not found. Neither of the two is cached.
func (a *Assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f, ok := a.served[r.URL.Path]
	if !ok {
		w.Header().Set("Cache-Control", "no-store")
	}
	if !ok && hashed.MatchString(r.URL.Path) {
		w.Header().Set("Retry-After", retryAfter)
		http.Error(w, "this Fieldmark is of another version than the page that refers to this file; ask again, or reload the page", http.StatusServiceUnavailable)
		return
	}
	if !ok {
		http.Error(w, "no such file; reload the page that refers to it", http.StatusNotFound)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "static files can only be read", http.StatusMethodNotAllowed)
		return
	}
	coding, opens := f.choose(strings.Join(r.Header.Values("Accept-Encoding"), ","))
	b, err := opens()
	if err != nil { // can't happen: the file is part of the program and was opened at the start
		http.Error(w, "the file can't be read", http.StatusInternalServerError)
		return
	}
	defer b.Close()
	describe(w.Header(), f.mediaType, coding, b.size)
	if r.Method == http.MethodGet {
		_, _ = io.Copy(w, b) // an error means that the browser disconnected
	}
}

// describe sets the headers: the media type, and that browsers may keep the file forever.
func describe(h http.Header, mediaType, coding string, size int64) {
	h.Set("Content-Type", mediaType)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Vary", "Accept-Encoding")
	if coding != identity {
		h.Set("Content-Encoding", coding)
	}
	if size >= 0 {
		h.Set("Content-Length", strconv.FormatInt(size, 10))
	}
}
