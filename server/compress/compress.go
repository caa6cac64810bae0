// Package compress sends documents compressed to browsers on other machines.
package compress

import (
	"io"
	"net/http"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// The content codings.
const (
	codingZstd = "zstd"
	codingGzip = "gzip"
)

// window is how far back zstd looks for text that repeats, in bytes. A larger one needs more memory, and makes no document smaller.
const window = 1 << 20

// encoder writes in one content coding. Encoders are used again, because a new one needs a megabyte.
type encoder interface {
	io.WriteCloser
	Flush() error
	Reset(io.Writer)
}

// Handler compresses the documents of next, for the clients that Coding says. What a document is, its handler says with Allow: everything else
// passes unchanged. shared says that no client counts as being on this machine, because the other end of a connection is a proxy.
func Handler(next http.Handler, shared bool) http.Handler {
	unused := map[string]*sync.Pool{
		codingGzip: {New: func() any { return must(gzip.NewWriterLevel(io.Discard, gzip.BestSpeed)) }},
		codingZstd: {New: func() any {
			return must(zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(window)))
		}},
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		coding := Coding(r, shared)
		if coding == "" {
			next.ServeHTTP(w, r)
			return
		}
		out := &response{ResponseWriter: w, coding: coding, unused: unused[coding]}
		next.ServeHTTP(out, r)
		out.finish() // not after a panic: half a document must not look like a whole one
	})
}

// must is for options that are constants.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// Allow says that the response to a request is a document, which may be compressed. Call it before the response begins.
func Allow(w http.ResponseWriter) {
	for {
		if r, ok := w.(*response); ok {
			r.allowed = true
			return
		}
		inner, ok := w.(interface{ Unwrap() http.ResponseWriter })
		if !ok {
			return
		}
		w = inner.Unwrap()
	}
}

// response compresses what a handler sends, if it is a document.
type response struct {
	http.ResponseWriter
	coding  string
	unused  *sync.Pool
	allowed bool
	began   bool
	out     encoder // nil: the response passes unchanged
}

// Unwrap is for http.ResponseController.
func (r *response) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (r *response) WriteHeader(status int) {
	if !r.began && (status >= http.StatusOK || status == http.StatusSwitchingProtocols) {
		r.began = true
		if r.allowed && compressible(status, r.Header()) {
			r.Header().Set("Content-Encoding", r.coding)
			r.Header().Del("Content-Length")
			r.out = r.unused.Get().(encoder)
			r.out.Reset(r.ResponseWriter)
		}
	}
	r.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (r *response) Write(p []byte) (int, error) {
	if !r.began {
		r.WriteHeader(http.StatusOK)
	}
	if r.out == nil {
		return r.ResponseWriter.Write(p)
	}
	return r.out.Write(p)
}

// FlushError sends what was written so far, so that a browser can show it.
func (r *response) FlushError() error {
	if !r.began {
		r.WriteHeader(http.StatusOK)
	}
	if r.out != nil {
		if err := r.out.Flush(); err != nil {
			return err
		}
	}
	return http.NewResponseController(r.ResponseWriter).Flush()
}

// finish sends the end of a document.
func (r *response) finish() {
	if r.out == nil {
		return
	}
	_ = r.out.Close() // an error means that the client has gone
	r.out.Reset(io.Discard)
	r.unused.Put(r.out)
}
