package app

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Outgoing is a request as the screen makes it.
type Outgoing struct {
	Method  string
	Address string
	Header  []request.Header
	Body    []byte
	Whole   bool  // the response's body is wanted in one piece
	Keep    int64 // bytes of a body in parts that are handed over; 0: all
}

// Head is the status and the headers of a response.
type Head struct {
	Status  int
	Address string // after redirects; path and query
	Header  []request.Header
}

// Part is a part of a body.
type Part struct {
	Data  []byte // nil: past what is kept
	Bytes int64  // so far, with this part
}

// Answer is a whole response. Status 0: there was none, or it was cut off.
type Answer struct {
	Head
	Body []byte
}

// whole makes a request, and blocks its goroutine until all of the response is there.
func whole(s Screen, o Outgoing) Answer {
	o.Whole = true
	var a Answer
	err := s.Call(context.Background(), o, func(h Head) { a.Head = h }, func(p Part) { a.Body = append(a.Body, p.Data...) })
	if err != nil {
		return Answer{}
	}
	return a
}

// ask gets an address of ours in a media type; an empty one leaves it to the server.
func ask(s Screen, address, accept string) Answer {
	o := Outgoing{Method: request.Get, Address: address}
	if accept != "" {
		o.Header = []request.Header{{Name: "Accept", Value: accept}}
	}
	return whole(s, o)
}

// The fields by which the browser's program and the proxy understand each other; the API server sees neither.
const (
	codingField = "Fieldmark-Accept-Encoding"
	entryField  = "fieldmark-request"
)

// calling are the calls of a page that are told of in parts, and under way.
type calling struct {
	app  *App
	open map[string]*call
}

// call is one of them. What is told of a call that is no longer the one of its id goes nowhere.
type call struct {
	id       string
	cancel   context.CancelFunc
	canceled bool // by the page
}

// ofCall is something to tell the page about a call.
type ofCall struct {
	of *call
	m  page.Msg
}

// response is the whole response to a call of a page, or of the palette.
type response struct {
	visit  int // of the page
	answer page.Response
}

// leave ends the calls of a page that is left.
func (c *calling) leave() {
	for _, open := range c.open {
		open.cancel()
	}
	c.open = map[string]*call{}
}

func (c *calling) cancel(id string) {
	if open := c.open[id]; open != nil {
		open.canceled = true
		open.cancel()
	}
}

func (c *calling) handle(t ofCall) {
	if c.open[t.of.id] != t.of {
		return
	}
	if ended, ok := t.m.(page.Ended); ok {
		delete(c.open, t.of.id)
		if t.of.canceled && ended.How == page.CutOff {
			ended.How = page.Canceled
		}
		t.m = ended
	}
	if _, part := t.m.(page.Arrived); part {
		c.app.take(t.m)
		c.app.dirtyLater() // of what flows, not every drop is worth a paint
		return
	}
	c.app.update(t.m)
}

// call makes a call of a page's. A path that strays is not asked for at all: that is as if there were no response.
func (c *calling) call(cmd page.Call) {
	out := Outgoing{Method: cmd.Method, Address: web.API(cmd.Cluster, cmd.Path), Header: cmd.Header, Body: cmd.Body, Keep: cmd.Keep}
	astray := strays(cmd.Path)
	switch {
	case !cmd.Parts && astray:
		c.app.Post(response{c.app.visit, page.Response{ID: cmd.ID}})
	case !cmd.Parts:
		c.tell(cmd.ID, func() Answer { return whole(c.app.screen, out) })
	default:
		ctx, open := c.begin(cmd.ID)
		if coding := coding(cmd); coding != "" {
			out.Header = append(out.Header[:len(out.Header):len(out.Header)], request.Header{Name: codingField, Value: coding})
		}
		if astray {
			open.cancel()
			c.app.Post(ofCall{open, page.Ended{ID: cmd.ID, How: page.CutOff}})
			return
		}
		go c.make(ctx, open, out)
	}
}

// tell tells the page of a whole response. That the page is left meanwhile does not call the request back.
func (c *calling) tell(id string, request func() Answer) {
	visit, began := c.app.visit, c.app.now()
	go func() {
		a := request()
		c.app.Post(response{visit, page.Response{ID: id, Status: a.Status, Header: a.Header, Body: a.Body, Took: c.app.now().Sub(began)}})
	}()
}

// begin takes up a call in parts, in place of a former one of its id.
func (c *calling) begin(id string) (context.Context, *call) {
	if former := c.open[id]; former != nil {
		former.cancel()
	}
	ctx, cancel := context.WithCancel(context.Background())
	open := &call{id: id, cancel: cancel}
	c.open[id] = open
	return ctx, open
}

// strays tells whether a browser would make another address of a path than the one that stands there: one outside of the
// cluster that the page is about. Paths come from addresses that others may have written.
func strays(path string) bool {
	path, _, _ = strings.Cut(path, "?")
	if !strings.HasPrefix(path, "/") || strings.ContainsFunc(path, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '\\' || r == '#' }) {
		return true
	}
	for segment := range strings.SplitSeq(strings.ReplaceAll(strings.ToLower(path), "%2e", "."), "/") {
		if segment == "." || segment == ".." {
			return true
		}
	}
	return false
}

// coding is the coding to ask for. An API server may compress the initial events of a watch and what follows as gzip members one
// after the other, of which browsers read only the first: the rest of the stream would be lost without a word.
func coding(cmd page.Call) string {
	path, query, _ := strings.Cut(cmd.Path, "?")
	if cmd.Coding != "" {
		return cmd.Coding
	}
	at, err := apipath.Parse(path)
	values, queryErr := url.ParseQuery(query)
	if err == nil && queryErr == nil && apipath.Verb(cmd.Method, at, values) == "watch" {
		return "identity"
	}
	return ""
}

// make makes a call, and posts what comes of it.
func (c *calling) make(ctx context.Context, open *call, out Outgoing) {
	defer open.cancel()
	began := c.app.now()
	since := func() time.Duration { return c.app.now().Sub(began) }
	tell := func(m page.Msg) { c.app.Post(ofCall{open, m}) }
	ended := page.Ended{ID: open.id, How: page.Whole}
	err := c.app.screen.Call(ctx, out, func(h Head) {
		tell(page.Opened{ID: open.id, Status: h.Status, Header: h.Header, Took: since(), At: c.app.now(), Entry: request.Field(h.Header, entryField)})
	}, func(p Part) {
		ended.Bytes = p.Bytes
		tell(page.Arrived{ID: open.id, Part: p.Data, Bytes: p.Bytes, After: since()})
	})
	ended.Took = since()
	if err != nil {
		ended.How = page.CutOff
	} else {
		ended.Wire = c.app.screen.Wire(ctx, out.Address)
	}
	tell(ended)
}
