// Package subpath serves Fieldmark below a path of its host. Handlers see addresses that begin at the root.
package subpath

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
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
		_ = out.pass() // an error means that the client has gone. Not after a panic: half a document must not look like a whole one
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

// response changes the addresses in what a handler sends. Of a document, it collects what is written between two flushes; everything else passes
// unchanged.
type response struct {
	http.ResponseWriter
	below    subpath.Path
	began    bool
	document bool
	status   int // of a document; 0: it was sent
	html     bytes.Buffer
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
		h.Del("Content-Length")
		r.document, r.status = true, status
		return
	}
	r.ResponseWriter.WriteHeader(status)
}

// FlushError sends what was written so far. Templates flush between two elements, never within a tag, so no address is cut.
func (r *response) FlushError() error {
	if !r.began {
		r.WriteHeader(http.StatusOK)
	}
	if err := r.pass(); err != nil {
		return err
	}
	return http.NewResponseController(r.ResponseWriter).Flush()
}

// Write implements http.ResponseWriter.
func (r *response) Write(p []byte) (int, error) {
	if !r.began {
		r.WriteHeader(http.StatusOK)
	}
	if r.document {
		return r.html.Write(p) //nolint:wrapcheck // it has none
	}
	return r.ResponseWriter.Write(p)
}

// pass sends what was collected of a document.
func (r *response) pass() error {
	if !r.document {
		return nil
	}
	text := r.below.HTML(r.html.String())
	r.html.Reset()
	if r.status != 0 {
		r.ResponseWriter.WriteHeader(r.status)
		r.status = 0
	}
	_, err := io.WriteString(r.ResponseWriter, text)
	return err
}
