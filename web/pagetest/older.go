package pagetest

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/fieldmark/fieldmark/components/golden"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// keepsItsState: a Model has one unexported field beside what it embeds. Where that is a value, or there is none, a Model stays as it is: whatever happens to
// a newer one, it shows what it did.
func keepsItsState(t *testing.T, p page.Page) {
	t.Helper()
	if shared := beside(t, p); !shared {
		outlives(t, t, p)
	}
}

// beside is the field of a Model in which everything lives that isn't embedded; see package page.
func beside(t *testing.T, p page.Page) (shared bool) {
	t.Helper()
	model := reflect.TypeOf(p)
	for i := range model.NumField() {
		f := model.Field(i)
		if f.IsExported() {
			continue
		}
		if f.Name != "live" {
			t.Errorf("%s keeps %s beside its embedded fields: put it into live", model, f.Name)
		}
		shared = shared || f.Type.Kind() == reflect.Pointer
	}
	return shared
}

// outlives tells a page whatever can happen to it, and looks at the Models from before.
func outlives(t *testing.T, tell teller, p page.Page) {
	t.Helper()
	show := func(p page.Page) string { return golden.Render(t, page.Main(p)) }
	p, commands := p.Awake(Now)
	for range 2 {
		tree := Tree(t, page.Main(p))
		for _, msg := range happenings(tree, commands) {
			before := show(p)
			next, did := p.Update(msg)
			if after := show(p); after != before {
				tell.Errorf("%T%+v changes what an older Model shows:\n%s\nit was\n%s", msg, msg, after, before)
				return
			}
			p, commands = next, append(commands, did...)
		}
	}
}

// posts is the method that creates. The standard library's name for it is in a package that pages don't link.
const posts = "POST"

// happenings are messages: of the socket, of the clock, of the reader's keys, of what is on the page, and answers to what was asked for.
func happenings(tree *html.Node, commands []page.Cmd) []page.Msg {
	row := &table.Row{UID: "u", Name: "some-text", ResourceVersion: "2"}
	object := []byte(`{"kind":"Scenario","metadata":{"name":"fight","uid":"u9","resourceVersion":"2"}}`)
	received := func(m wire.Message) page.Msg {
		m.ID, m.Gen = 1, 1
		return page.Received{Message: m, At: Now}
	}
	msgs := []page.Msg{
		page.Connection{State: page.Open},
		received(wire.Message{Type: wire.Rows, Rows: []table.Row{*row}, Objects: []json.RawMessage{object}}), received(wire.Message{Type: wire.Synced}),
		received(wire.Message{Type: wire.Events, Events: []wire.Event{{Type: watch.Modified, Row: row, Object: object}}}),
		page.Tick{Now: Now.Add(time.Minute)},
		page.Scrolled{Top: 2000, Height: 600},
		page.Pointed{Over: true},
		page.Kept{},
		page.Connection{State: page.Broken},
	}
	for _, key := range strings.Fields("j k g G h l m Enter Escape") {
		msgs = append(msgs, page.Pressed{Key: key})
	}
	for n := range tree.Descendants() {
		if do, has := attribute(n, "data-do"); has {
			msgs = append(msgs, page.Acted{Action: do})
		}
		if name, has := attribute(n, "name"); has {
			msgs = append(msgs, page.Typed{Field: name, Text: "7"}, page.Tick{Now: Now.Add(time.Hour)}, page.Tick{Now: Now.Add(2 * time.Hour)})
		}
	}
	body := []byte(`{"metadata":{"resourceVersion":"9","continue":"more"},"items":[{"metadata":{"name":"a","uid":"a"}}]}`)
	for _, c := range commands {
		if c, is := c.(page.Call); is {
			if c.Parts {
				msgs = append(msgs, page.Opened{ID: c.ID, Status: 200}, page.Arrived{ID: c.ID, Part: body}, page.Ended{ID: c.ID, How: page.Whole})
				continue
			}
			answer := page.Response{ID: c.ID, Status: 200, Body: body}
			if c.Method == posts {
				answer.Status, answer.Body = 201, object
			}
			msgs = append(msgs, answer)
		}
	}
	return msgs
}
