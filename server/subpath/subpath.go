// Package subpath serves Fieldmark below a path of its host. Handlers see addresses that begin at the root.
package subpath

import (
	"bytes"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/web/frame/subpath"
)

// Handler removes the path from requests, and puts it before the addresses in documents and redirects. Requests for other paths get 404.
// For the root it is next itself.
func Handler(below subpath.Path, next http.Handler) http.Handler {
	if below == "" {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		inner, ok := within(below, r)
		if !ok {
			http.NotFound(w, r)
			return
		}
		out := &response{ResponseWriter: w, below: below}
		next.ServeHTTP(out, inner)
		out.finish() // not after a panic: half a document must not look like a whole one
	})
}

// within is the request as the handlers see it. The path is removed from what the client has sent, so that the guard judges the rest of
// it character by character.
func within(below subpath.Path, r *http.Request) (*http.Request, bool) {
	target, ok := below.Local(r.RequestURI)
	if !ok {
		return nil, false
	}
	u, err := url.ParseRequestURI(target)
	if err != nil {
		return nil, false
	}
	inner := new(http.Request)
	*inner = *r
	inner.URL, inner.RequestURI = u, target
	return inner, true
}

// response changes the addresses in what a handler sends. Documents are collected first; everything else passes unchanged.
type response struct {
	http.ResponseWriter
	below  subpath.Path
	began  bool
	status int // of a document that is being collected; 0: there is none
	html   bytes.Buffer
}

// Unwrap is for http.ResponseController.
func (r *response) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (r *response) WriteHeader(status int) {
	if status < http.StatusOK && status != http.StatusSwitchingProtocols {
		r.ResponseWriter.WriteHeader(status) // another status follows
		return
	}
	if r.began {
		return // the first status code counts, as in net/http
	}
	r.began = true
	h := r.Header()
	if to := h.Get("Location"); to != "" {
		h.Set("Location", r.below.Address(to))
	}
	if strings.HasPrefix(h.Get("Content-Type"), "text/html") && h.Get("Content-Encoding") == "" {
		r.status = status
		return
	}
	r.ResponseWriter.WriteHeader(status)
}

// FlushError sends what was written so far, except for a document: templates flush, and its status code would be sent before the document is
// whole.
func (r *response) FlushError() error {
	if !r.began {
		r.WriteHeader(http.StatusOK)
	}
	if r.status != 0 {
		return nil
	}
	return http.NewResponseController(r.ResponseWriter).Flush()
}

// Write implements http.ResponseWriter.
func (r *response) Write(p []byte) (int, error) {
	if !r.began {
		r.WriteHeader(http.StatusOK)
	}
	if r.status != 0 {
		return r.html.Write(p) //nolint:wrapcheck // it has none
	}
	return r.ResponseWriter.Write(p)
}

// finish sends the document.
func (r *response) finish() {
	if r.status == 0 {
		return
	}
	text := r.below.HTML(r.html.String())
	if h := r.Header(); h.Get("Content-Length") != "" {
		h.Set("Content-Length", strconv.Itoa(len(text)))
	}
	r.ResponseWriter.WriteHeader(r.status)
	_, _ = r.ResponseWriter.Write([]byte(text)) // the client has gone
}
