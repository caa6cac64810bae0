package proxy

import (
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
)

// pass is the way of every request that does not upgrade.
func (p *Proxy) pass(w http.ResponseWriter, r *http.Request, c *call) {
	out := p.request(r, c)
	resp, err := p.send(out, c)
	if err != nil {
		p.refuse(w, r, c, err)
		return
	}
	defer resp.Body.Close()
	incoming(w.Header(), resp, c)
	p.number(w.Header(), resp.Header)
	if fromBrowser(r.Header) { // nothing of a cluster belongs on its disk (threat: secret values)
		w.Header()["Cache-Control"] = noStore
	}
	announceTrailers(w.Header(), resp.Trailer)
	w.WriteHeader(resp.StatusCode)
	if err := p.copy(w, resp, live(r, c.path)); err != nil {
		// The status is on its way: only a broken connection can still tell the client that this is
		// not the whole answer.
		panic(http.ErrAbortHandler)
	}
	for name, values := range resp.Trailer {
		if answerTrailers[name] != "" {
			w.Header()[name] = values
		}
	}
}

// fromBrowser tells a browser from other clients, also one whose page names a token.
func fromBrowser(h http.Header) bool {
	return h.Get("Authorization") == "" || h["Sec-Fetch-Site"] != nil || h["Cookie"] != nil
}

// request is the client's request as it goes upstream.
func (p *Proxy) request(r *http.Request, c *call) *http.Request {
	out := (&http.Request{
		Method: r.Method, URL: aim(c.target.Base, c.path, r.URL.RawQuery), Host: c.target.Base.Host,
		Header: outgoing(r.Header), ContentLength: r.ContentLength, Body: r.Body,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}).WithContext(r.Context())
	if r.ContentLength == 0 {
		out.Body = nil // a transport retries only what it can send again
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

// live tells of answers whose every piece must be flushed at once because somebody waits for it: watches, logs,
// whatever a workload sends. A get or a list is awaited whole, and larger writes make it arrive sooner.
func live(r *http.Request, path apipath.Path) bool {
	switch path.Kind {
	case apipath.KindCollection, apipath.KindObject:
		return path.Watch || strings.Contains(r.URL.RawQuery, "watch")
	case apipath.KindSubresource:
		return true
	}
	return false
}

func (p *Proxy) copy(w http.ResponseWriter, resp *http.Response, live bool) error {
	buffer := p.buffers.Get().(*[]byte)
	defer p.buffers.Put(buffer)
	if !live {
		return copyAll(w, resp.Body, *buffer)
	}
	return copyLive(w, resp.Body, *buffer)
}

func copyLive(w http.ResponseWriter, body io.Reader, buffer []byte) error {
	control := http.NewResponseController(w)
	if err := control.Flush(); err != nil { // the head: a watch may have nothing to say for minutes
		return err
	}
	return transfer(body, buffer, io.Reader.Read, func(p []byte) error {
		if _, err := w.Write(p); err != nil {
			return err
		}
		return control.Flush()
	})
}

// copyAll gathers small reads, which TLS makes of every answer, into writes worth a system call.
func copyAll(w io.Writer, body io.Reader, buffer []byte) error {
	return transfer(body, buffer, fill, func(p []byte) error {
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
