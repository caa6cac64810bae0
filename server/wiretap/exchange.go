package wiretap

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/server/upstream"
)

// exchange is an Entry in the making. The counters are atomic so that a stream costs no lock per read.
type exchange struct {
	session *session
	prefix  int
	id      uint64
	who     Who
	start   time.Time
	method  string
	path    string
	query   string
	verb    string
	at      string // the API server's address
	because string // why bodies are withheld

	request, answer tally
	events          atomic.Int64

	mu       sync.Mutex
	first    time.Duration
	total    time.Duration
	done     bool
	status   int
	proto    string
	warnings []string
	err      string
}

// tally is what passes in one direction.
type tally struct {
	media  string
	header fields
	bytes  atomic.Int64

	mu   sync.Mutex
	body []byte
	full bool // no more is kept
	lost bool // it was kept, and had to give way
}

func (l *Log) begin(who Who, r *http.Request) *exchange {
	p, err := apipath.Parse(r.URL.EscapedPath())
	x := &exchange{
		session: l.open(who.Session), prefix: l.opt.Prefix, who: who, start: l.opt.Now(),
		method: r.Method, at: r.URL.Host, path: r.URL.EscapedPath(), query: redactQuery(r.URL.RawQuery),
		because: withhold(p, err == nil),
	}
	x.verb = verbOf(r, p, err == nil)
	x.request.media, x.request.header = r.Header.Get("Content-Type"), redactHeader(r.Header)
	x.session.add(x)
	return x
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

func (x *exchange) answered(resp *http.Response) {
	header := redactHeader(resp.Header)
	x.mu.Lock()
	x.first, x.status, x.proto = x.session.now().Sub(x.start), resp.StatusCode, resp.Proto
	x.warnings = resp.Header["Warning"]
	x.answer.media, x.answer.header = resp.Header.Get("Content-Type"), header
	x.mu.Unlock()
	x.session.changed()
}

func (x *exchange) end(err error) {
	x.mu.Lock()
	if x.done {
		x.mu.Unlock()
		return
	}
	x.done, x.total = true, x.session.now().Sub(x.start)
	if err != nil {
		x.err = words(err)
	}
	x.mu.Unlock()
	x.session.changed()
}

// words keeps an error's own text out of the record: it may quote what a credentials plugin printed.
func words(err error) string {
	switch {
	case errors.Is(err, context.Canceled):
		return "The client went away."
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "The answer was cut off."
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
		t.body = append(t.body, p...)
	}
	t.full = !kept || len(t.body) >= x.prefix
	t.mu.Unlock()
	if room && !kept { // it had to give way while it asked for more
		x.session.giveBack(len(p))
	}
}

func (x *exchange) entry() Entry {
	x.mu.Lock()
	defer x.mu.Unlock()
	e := Entry{
		ID: x.id, Who: x.who, Start: x.start, First: x.first, Total: x.total, Done: x.done,
		Method: x.method, Path: x.path, Query: x.query, Verb: x.verb, Status: x.status, Proto: x.proto,
		Request: x.request.side(x.because), Answer: x.answer.side(x.because),
		Events: x.events.Load(), Warnings: x.warnings, Error: x.err,
	}
	if !x.done {
		e.Total = x.session.now().Sub(x.start)
	}
	return e
}

func (t *tally) side(because string) Side {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := Side{MediaType: t.media, Header: t.header.header(), Bytes: t.bytes.Load(), Withheld: because}
	s.Body = append(s.Body, t.body...)
	s.Cut = int64(len(s.Body)) < s.Bytes
	if t.lost {
		s.Withheld = "the record was full, and newer requests took its place"
	}
	return s
}
