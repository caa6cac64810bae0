package wiretap

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/record"
	"github.com/fieldmark/fieldmark/server/redact"
	"github.com/fieldmark/fieldmark/server/upstream"
)

// exchange is a request that is being recorded. Its counters are atomic, so that a stream needs no lock for each read.
type exchange struct {
	session *tape
	prefix  int // bytes kept of each body at most
	id      uint64
	who     Who
	start   time.Time
	method  string
	path    string
	query   string
	verb    string
	server  string // scheme and host of the API server
	because string // why bodies are withheld
	weight  int    // bytes that this takes without its bodies; guarded by the session

	request, answer tally
	events          atomic.Int64
	tail            atomic.Uint32 // the last four bytes of a compressed answer

	mu       sync.Mutex
	first    time.Duration
	total    time.Duration
	done     bool
	status   int
	proto    string
	form     string // the format of the response, in a word
	coding   string // how it is compressed
	unpacked int64
	warnings []string
	err      string
}

// tally is what is recorded of one direction.
type tally struct {
	media  string
	header fields
	coding string
	bytes  atomic.Int64
	length int64       // the Content-Length; -1: there is none
	ended  atomic.Bool // it was read to its end

	mu   sync.Mutex
	body []byte
	full bool // no more is kept
	lost bool // a part was kept, and was dropped for newer requests
}

// fixed is the size of an empty exchange with its place in the ring, in bytes. A test measures it.
const fixed = 640

func (l *Log) startExchange(who Who, r *http.Request) *exchange {
	p, err := apipath.Parse(r.URL.EscapedPath())
	x := &exchange{
		session: l.openSession(who.Session), prefix: l.prefixFor(who), who: who, start: l.opt.Now(),
		method: r.Method, server: r.URL.Scheme + "://" + r.URL.Host, path: clip(Path(r.URL.EscapedPath(), p, err == nil), maxTarget),
		query: clip(redactQuery(r.URL.RawQuery, p), maxTarget), because: withhold(p, err == nil),
	}
	x.verb = verbOf(r, p, err == nil)
	x.request.media, x.request.header = clip(r.Header.Get("Content-Type"), maxValue), redactHeader(r.Header, x.because != "")
	x.request.coding, x.request.length = coding(r.Header), r.ContentLength
	x.weight = fixed + len(x.server) + len(x.path) + len(x.query) + x.request.header.weight()
	x.session.addExchange(x)
	return x
}

// prefixFor is how many bytes are kept of each body of a client's request.
func (l *Log) prefixFor(who Who) int {
	if who.Reread {
		return l.opt.Reread
	}
	return l.opt.Prefix
}

func verbOf(r *http.Request, p apipath.Path, known bool) string {
	if !known {
		return strings.ToLower(r.Method)
	}
	if !strings.Contains(r.URL.RawQuery, "watch") {
		return apipath.Verb(r.Method, p, nil)
	}
	query, _ := url.ParseQuery(r.URL.RawQuery)
	return apipath.Verb(r.Method, p, query)
}

// coding is how a body is compressed; empty: it isn't.
func coding(h http.Header) string {
	c := strings.ToLower(strings.TrimSpace(h.Get("Content-Encoding")))
	switch c {
	case "identity":
		return ""
	case "", "gzip", "deflate", "br", "zstd", "compress":
		return c
	}
	return "an unknown coding"
}

func (x *exchange) answered(resp *http.Response) {
	header := redactHeader(resp.Header, x.because != "")
	warnings := bounded(resp.Header["Warning"])
	if x.because != "" {
		warnings = slices.Repeat(redacted, len(warnings))
	}
	x.mu.Lock()
	x.first, x.status, x.proto = x.session.now().Sub(x.start), resp.StatusCode, resp.Proto
	x.warnings = warnings
	x.answer.media, x.answer.header = clip(resp.Header.Get("Content-Type"), maxValue), header
	x.form = redact.Text(record.Word(x.answer.media))
	x.coding = coding(resp.Header)
	x.answer.coding, x.answer.length = x.coding, resp.ContentLength
	x.mu.Unlock()
	x.session.grow(x, header.weight())
	x.session.changed()
}

func (x *exchange) endExchange(err error) {
	x.mu.Lock()
	if x.done {
		x.mu.Unlock()
		return
	}
	x.done, x.total = true, x.session.now().Sub(x.start)
	if err != nil {
		x.err = errorText(err)
	}
	x.mu.Unlock()
	x.session.changed()
}

// whole ends an exchange whose response was read to its end. The last four bytes of a gzip stream are its decompressed length. Each
// response of an API server is one such stream.
func (x *exchange) whole() {
	if x.coding == "gzip" && x.answer.bytes.Load() > 0 {
		x.mu.Lock()
		x.unpacked = int64(x.tail.Load())
		x.mu.Unlock()
	}
	x.endExchange(nil)
}

// errorText describes an error without its own text, which may quote the output of a credentials plugin.
func errorText(err error) string {
	switch {
	case errors.Is(err, context.Canceled):
		return "The client closed the connection."
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "The response was cut off."
	}
	return upstream.Unreach(err).Words()
}

func (x *exchange) dropBodies() int {
	return x.request.drop() + x.answer.drop()
}

func (t *tally) drop() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(t.body)
	t.lost = t.lost || n > 0
	t.body, t.full = nil, true
	return n
}

// saw counts p and keeps as much of it as the prefix has room for.
func (x *exchange) saw(t *tally, p []byte) {
	if len(p) == 0 {
		return
	}
	t.bytes.Add(int64(len(p)))
	if x.because != "" {
		return
	}
	t.mu.Lock()
	n := 0
	if !t.full {
		n = min(len(p), x.prefix-len(t.body))
	}
	t.mu.Unlock()
	if n > 0 {
		x.keep(t, p[:n])
	}
}

func (x *exchange) keep(t *tally, p []byte) {
	room := x.session.keep(x, len(p))
	t.mu.Lock()
	kept := room && !t.full
	if kept {
		t.body = append(roomFor(t.body, len(p)), p...)
	}
	t.full = !kept || len(t.body) >= x.prefix
	t.mu.Unlock()
	if room && !kept { // the bodies were dropped in the meantime
		x.session.giveBack(len(p))
	}
}

// roomFor gives a body with room for n more bytes. Small ones get no more than that, because most of them have arrived.
func roomFor(body []byte, n int) []byte {
	const small = 32 << 10
	need := len(body) + n
	if cap(body) >= need || need > small {
		return body
	}
	return append(make([]byte, 0, need), body...)
}

// begins refines the format of the response by its first bytes.
func (x *exchange) begins(p []byte) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.coding == "" {
		x.form = record.Known(x.form, p)
	}
}

func (x *exchange) entry() Entry {
	x.mu.Lock()
	defer x.mu.Unlock()
	e := Entry{
		ID: x.id, Who: x.who, Start: x.start, First: x.first, Total: x.total, Done: x.done,
		Method: x.method, Server: x.server, Path: x.path, Query: x.query, Verb: x.verb, Status: x.status, Proto: x.proto,
		Request: x.request.side(x.because, x.prefix), Answer: x.answer.side(x.because, x.prefix),
		Events: x.events.Load(), Form: x.form, Coding: x.coding, Unpacked: x.unpacked, Error: x.err,
	}
	for _, w := range x.warnings {
		e.Warnings = append(e.Warnings, redact.Text(w))
	}
	if !x.done {
		e.Total = x.session.now().Sub(x.start)
	}
	return e
}

// line is a summary of the entry, without bodies and headers.
func (x *exchange) line() record.Line {
	x.mu.Lock()
	defer x.mu.Unlock()
	l := record.Line{
		ID: x.id, At: x.start.UnixMicro(), First: x.first.Microseconds(), Took: x.total.Microseconds(), Done: x.done,
		Origin: string(x.who.Origin), Method: x.method, Verb: x.verb, Path: x.path, Query: x.query,
		Status: x.status, MediaType: x.form, Sent: x.request.bytes.Load(), Got: x.answer.bytes.Load(),
		Coding: x.coding, Unpacked: x.unpacked, Events: x.events.Load(), Warnings: len(x.warnings), Error: x.err,
	}
	return l
}

// side is what is shown of one direction. Of each body, prefix bytes are kept at most.
func (t *tally) side(because string, prefix int) Side {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := Side{MediaType: redact.Text(t.media), Header: t.header.header(), Bytes: t.bytes.Load(), Withheld: because}
	switch {
	case t.lost:
		s.Withheld = "newer requests replaced the body, because the wire log was full"
	case because == "":
		t.shown(&s, prefix)
	}
	s.Cut = s.Cut || int64(len(t.body)) < s.Bytes
	return s
}

// shown fills in what may be shown of the kept part, up to prefix bytes.
func (t *tally) shown(s *Side, prefix int) {
	plain, cut, why := unpack(t.body, t.coding, max(maxUnpacked, 4*prefix))
	if s.Cut, s.Withheld = cut, why; why != "" {
		return
	}
	cut = cut || int64(len(t.body)) < s.Bytes || !t.ended.Load() && t.length != s.Bytes
	s.Body, s.Redacted, s.Withheld = redact.Body(plain, t.media, cut)
}
