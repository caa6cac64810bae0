package app

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Caller makes requests whose responses are told of in parts.
type Caller interface {
	// Call makes a request, and blocks its goroutine only. It tells of the response's head, then of its body part by part, and
	// returns when that has ended: with an error, if before its end. Of the body it hands over as many bytes as are to be kept; 0: all.
	// No more than one of its functions is called at a time, and none once it has returned.
	Call(ctx context.Context, o Outgoing, keep int64, head func(Head), part func(Part)) error
	// Wire is how many bytes the body of the last response from an address had before it was decompressed; 0: nobody knows.
	Wire(ctx context.Context, address string) int64
}

// Part is a part of a body.
type Part struct {
	Data  []byte // nil: past what is kept
	Bytes int64  // so far, with this part
}

// The fields by which the browser's program and the proxy understand each other; the API server sees neither.
const (
	codingField = "Fieldmark-Accept-Encoding"
	entryField  = "fieldmark-request"
)

// Calls has an app make the calls in parts that pages ask for. Programs whose pages make none don't link it.
func Calls(a *App, by Caller) { a.more = append(a.more, &calling{app: a, by: by}) }

// calling are the calls of a page that are told of in parts, and under way.
type calling struct {
	app   *App
	by    Caller
	visit int // of the page whose calls they are
	open  map[string]*call
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

func (c *calling) begin(page.Page) { c.turn() }

// turn ends the calls of a page that was left. A page that lives may call before it is said that it does.
func (c *calling) turn() {
	if c.open != nil && c.visit == c.app.visit {
		return
	}
	c.visit = c.app.visit
	for _, open := range c.open {
		open.cancel()
	}
	c.open = map[string]*call{}
}

func (c *calling) took() {}

func (c *calling) do(cmd page.Cmd) {
	c.turn()
	switch cmd := cmd.(type) {
	case page.Call:
		c.call(cmd)
	case page.Cancel:
		if open := c.open[cmd.ID]; open != nil {
			open.canceled = true
			open.cancel()
		}
	}
}

func (c *calling) handle(event any) {
	t, ok := event.(ofCall)
	if !ok || c.open[t.of.id] != t.of {
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

// call makes a call in parts, in place of a former one of its id.
func (c *calling) call(cmd page.Call) {
	if former := c.open[cmd.ID]; former != nil {
		former.cancel()
	}
	ctx, cancel := context.WithCancel(context.Background())
	open := &call{id: cmd.ID, cancel: cancel}
	c.open[cmd.ID] = open
	if strays(cmd.Path) {
		cancel()
		c.app.Post(ofCall{open, page.Ended{ID: cmd.ID, How: page.CutOff}})
		return
	}
	out := outgoing(cmd)
	if coding := coding(cmd); coding != "" {
		out.Header = append(out.Header[:len(out.Header):len(out.Header)], request.Header{Name: codingField, Value: coding})
	}
	go c.make(ctx, open, out, cmd.Keep)
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
func (c *calling) make(ctx context.Context, open *call, out Outgoing, keep int64) {
	defer open.cancel()
	began := c.app.now()
	since := func() time.Duration { return c.app.now().Sub(began) }
	tell := func(m page.Msg) { c.app.Post(ofCall{open, m}) }
	ended := page.Ended{ID: open.id, How: page.Whole}
	err := c.by.Call(ctx, out, keep, func(h Head) {
		tell(page.Opened{ID: open.id, Status: h.Status, Header: h.Header, Took: since(), At: c.app.now(), Entry: request.Field(h.Header, entryField)})
	}, func(p Part) {
		ended.Bytes = p.Bytes
		tell(page.Arrived{ID: open.id, Part: p.Data, Bytes: p.Bytes, After: since()})
	})
	ended.Took = since()
	if err != nil {
		ended.How = page.CutOff
	} else {
		ended.Wire = c.by.Wire(ctx, out.Address)
	}
	tell(ended)
}
