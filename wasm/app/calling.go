package app

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Caller makes requests whose responses are reported in parts.
type Caller interface {
	// Call makes a request, and blocks only its goroutine. It reports the response's headers, then its body part by part, and
	// returns when the body has ended, with an error if it was cut off. It passes on only as many bytes of the body as should be
	// kept; 0: all. Its functions are called one at a time, and not after it has returned.
	Call(ctx context.Context, o Outgoing, keep int64, head func(Head), part func(Part)) error
	// Wire is how many bytes the body of the last response from an address had before it was decompressed; 0: nobody knows.
	Wire(ctx context.Context, address string) int64
}

// Part is a part of a body.
type Part struct {
	Data  []byte // nil: after the kept part
	Bytes int64  // of the body so far, with this part
}

// The headers between the browser's program and the proxy; the API server gets neither.
const (
	codingField = "Fieldmark-Accept-Encoding"
	rereadField = "Fieldmark-Reread"
	entryField  = "fieldmark-request"
)

// Calls lets an app make calls in parts. Programs whose pages make none don't link it.
func Calls(a *App, by Caller) { a.more = append(a.more, &calling{app: a, by: by}) }

// calling has the calls in parts of a page that are in progress.
type calling struct {
	app   *App
	by    Caller
	visit int // of the page whose calls they are
	open  map[string]*call
}

// call is one of these calls. Reports of a call are dropped if another call has its id now.
type call struct {
	id       string
	cancel   context.CancelFunc
	canceled bool // by the page
}

// ofCall is a report about a call, for the page.
type ofCall struct {
	of *call
	m  page.Msg
}

func (c *calling) enterPage(page.Page) { c.turn() }

// turn ends the calls of the page that was left. The new page may make calls before enterPage is called.
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

func (c *calling) busy() bool { return len(c.open) > 0 }

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
		c.app.updatePage(t.m)
		c.app.dirtyLater() // a stream need not be painted at every part
		return
	}
	c.app.update(t.m)
}

// call makes a call in parts. It replaces an earlier call with the same id.
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
	out.Header = slices.Clip(out.Header)
	if coding := coding(cmd); coding != "" {
		out.Header = append(out.Header, request.Header{Name: codingField, Value: coding})
	}
	if cmd.Reread {
		out.Header = append(out.Header, request.Header{Name: rereadField, Value: "true"})
	}
	go c.make(ctx, open, out, cmd.Keep)
}

// coding is the Accept-Encoding to send. An API server may compress a watch as several gzip members, one after the other. Browsers read
// only the first member, so the rest of the stream would be lost without an error.
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

// make makes a call, and posts its reports.
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
