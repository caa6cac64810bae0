package proxy

import (
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
)

// pass passes on a request that does not upgrade its connection.
func (p *Proxy) pass(w http.ResponseWriter, r *http.Request, c *call) {
	out := p.request(r, c)
	resp, err := p.sendRequest(out, c)
	if err != nil {
		p.refuse(w, r, c, err)
		return
	}
	defer resp.Body.Close()
	incoming(w.Header(), resp, c)
	p.number(w.Header(), resp.Header)
	if fromBrowser(r.Header) { // a browser must not store data of a cluster on its disk (threat: secret values)
		w.Header()["Cache-Control"] = noStore
	}
	announceTrailers(w.Header(), resp.Trailer)
	w.WriteHeader(resp.StatusCode)
	if err := p.copy(w, resp, live(r, c.path)); err != nil {
		// The status code was sent already. Only a broken connection can tell the client that the
		// response is incomplete.
		panic(http.ErrAbortHandler)
	}
	for name, values := range resp.Trailer {
		if answerTrailers[name] != "" {
			w.Header()[name] = values
		}
	}
}

// fromBrowser tells whether a browser sent the request, even if its page added a token.
func fromBrowser(h http.Header) bool {
	return h.Get("Authorization") == "" || h["Sec-Fetch-Site"] != nil || h["Cookie"] != nil
}

// request is the request that goes to the API server in place of the client's.
func (p *Proxy) request(r *http.Request, c *call) *http.Request {
	out := (&http.Request{
		Method: r.Method, URL: aim(c.target.Base, c.path, r.URL.RawQuery), Host: c.target.Base.Host,
		Header: outgoing(r.Header), ContentLength: r.ContentLength, Body: r.Body,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}).WithContext(r.Context())
	if r.ContentLength == 0 {
		out.Body = nil // a transport retries only requests that have no body
	}
	return out
}

func announceTrailers(h, trailer http.Header) {
	for name := range trailer {
		if answerTrailers[name] != "" {
			h.Add("Trailer", name)
		}
	}
}

// live tells whether each piece of the response must be flushed at once, because the client waits for it: watches, logs, and all that
// a workload sends. For a get or a list the client waits until the end, and larger writes are faster.
func live(r *http.Request, path apipath.Path) bool {
	switch path.Kind {
	case apipath.KindCollection, apipath.KindObject:
		return path.Watch || strings.Contains(r.URL.RawQuery, "watch")
	case apipath.KindSubresource:
		return true
	}
	return false
}

// Sizes of the buffers for bodies. net/http writes each piece of a response with two system calls, so pieces are large. The first one is
// smaller, so that a client with a slow API server gets something soon. A watch has its buffer for hours.
const (
	firstPiece = 32 << 10
	piece      = 128 << 10
	events     = 32 << 10
)

func (p *Proxy) copy(w http.ResponseWriter, resp *http.Response, live bool) error {
	buffers, pass := &p.pieces, copyAll
	if live {
		buffers, pass = &p.events, copyLive
	}
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	return pass(w, resp.Body, *buffer)
}

func copyLive(w http.ResponseWriter, body io.Reader, buffer []byte) error {
	control := http.NewResponseController(w)
	if err := control.Flush(); err != nil { // sends the headers now: a watch may have no event for minutes
		return err
	}
	return transfer(body, buffer, io.Reader.Read, func(p []byte) error {
		if _, err := w.Write(p); err != nil {
			return err
		}
		return control.Flush()
	})
}

// copyAll gathers the small reads that TLS makes into larger writes, to save system calls.
func copyAll(w http.ResponseWriter, body io.Reader, buffer []byte) error {
	size := firstPiece
	fillPiece := func(r io.Reader, p []byte) (int, error) {
		n, err := fill(r, p[:size])
		size = len(p)
		return n, err
	}
	return transfer(body, buffer, fillPiece, func(p []byte) error {
		_, err := w.Write(p)
		return err
	})
}

// transfer reads until the end and passes on what it gets.
func transfer(body io.Reader, buffer []byte, read func(io.Reader, []byte) (int, error), write func([]byte) error) error {
	for {
		n, err := read(body, buffer)
		if n > 0 {
			if failed := write(buffer[:n]); failed != nil {
				return failed
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func fill(r io.Reader, buffer []byte) (n int, err error) {
	for n < len(buffer) && err == nil {
		var m int
		m, err = r.Read(buffer[n:])
		n += m
	}
	return n, err
}
