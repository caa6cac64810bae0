package web_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/fieldmark/fieldmark/kube/access"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/health"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/errorpage"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
	"github.com/fieldmark/fieldmark/web/lab"
	"github.com/fieldmark/fieldmark/web/lab/chunks"
	"github.com/fieldmark/fieldmark/web/lab/contention"
	"github.com/fieldmark/fieldmark/web/lab/versions"
	"github.com/fieldmark/fieldmark/web/learn"
	"github.com/fieldmark/fieldmark/web/learn/glossary"
	"github.com/fieldmark/fieldmark/web/learn/guide"
	"github.com/fieldmark/fieldmark/web/read"
	"github.com/fieldmark/fieldmark/web/read/clusters"
	"github.com/fieldmark/fieldmark/web/read/events"
	"github.com/fieldmark/fieldmark/web/read/overview"
	"github.com/fieldmark/fieldmark/web/read/watched"
	"github.com/fieldmark/fieldmark/web/read/whoami"
	"github.com/fieldmark/fieldmark/web/write"
	explainpage "github.com/fieldmark/fieldmark/web/write/explain"
)

// sets are all kinds of pages that live in the browser.
func sets() []page.Set {
	return []page.Set{read.Pages(), write.Pages(), lab.Pages(), learn.Pages()}
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

func TestOneFieldLivesBesideAModel(t *testing.T) {
	for _, set := range sets() {
		for kind, reader := range set {
			p, err := reader([]byte("{}"))
			if err != nil {
				t.Fatalf("%s: %v", kind, err)
			}
			beside(t, p)
		}
	}
}

// values are pages whose Models are values: live is one, or there is none.
func values() map[string]page.Page {
	s := sample("some-text")
	in, outside := s.shell(apipath.Path{}), s.outsideShell()
	target := call.Target{Path: apipath.Collection("", "v1", "shop", "pods")}
	lessons := []guide.Lesson{{ID: "kinds", Title: "Kinds", Minutes: 5, Steps: []string{"a"}}, {ID: "paths", Title: "Paths", Steps: []string{"a"}}}
	chapters := []guide.Chapter{{Title: "Types", Lessons: []string{"kinds", "paths"}}}
	return map[string]page.Page{
		errorpage.Kind:   errorpage.Model{Frame: page.Frame{Kind: errorpage.Kind, Shell: in}, Notice: s.notice()},
		events.Kind:      events.Model{Frame: page.Frame{Kind: events.Kind, Shell: in}, Groups: []health.EventGroup{{Reason: "BackOff", Count: 2}}},
		clusters.Kind:    clusters.Model{Frame: page.Frame{Kind: clusters.Kind, Shell: outside}, Refresh: true},
		overview.Kind:    overview.Model{Frame: page.Frame{Kind: overview.Kind, Shell: in}, Fight: &overview.Fight{}},
		chunks.Kind:      chunks.Model{Frame: page.Frame{Kind: chunks.Kind, Shell: in}, Target: target, Text: target.Path.String(), Limit: 5},
		versions.Kind:    versions.Model{Frame: page.Frame{Kind: versions.Kind, Shell: in}, Target: target, Text: target.Path.String(), Cell: "list-exact.old"},
		contention.Kind:  contention.Model{Frame: page.Frame{Kind: contention.Kind, Shell: in}, Form: contention.Form{Seconds: 60}, Run: &report.Run{Phase: report.Watching, Lasts: time.Minute}},
		whoami.Kind:      whoami.Model{Frame: page.Frame{Kind: whoami.Kind, Shell: in}, Query: whoami.ParseQuery(nil), Now: now, Rules: &whoami.Rules{Rows: []access.Granted{{Path: "/healthz", Verbs: []string{"get"}}}, Match: 1, Total: 1}},
		watched.Kind:     watched.Model{Frame: page.Frame{Kind: watched.Kind, Shell: in}, Objects: []report.Watched{{Object: report.Object{Path: "/api/v1/pods", Name: "some-text"}, Began: now}}},
		explainpage.Kind: explainpage.Model{Frame: page.Frame{Kind: explainpage.Kind, Shell: in}, Text: "a text"},
		guide.Kind:       guide.Model{Frame: page.Frame{Kind: guide.Kind, Shell: outside}, Practice: true, Lessons: lessons, Chapters: chapters, Chart: guide.Draw(chapters, lessons)},
		glossary.Kind:    glossary.Model{Frame: page.Frame{Kind: glossary.Kind, Shell: outside}, Terms: []glossary.Term{{ID: "kind", Title: "kind", Text: "A name"}}},
	}
}

// Where live is a value, or there is none, a Model stays as it is: whatever happens to a newer one, it shows what it did.
func TestAnOlderModelShowsWhatItDid(t *testing.T) {
	pages := values()
	for _, set := range sets() {
		for kind, reader := range set {
			p, err := reader([]byte("{}"))
			if err != nil {
				t.Fatal(err)
			}
			if shared := beside(t, p); shared == (pages[kind] != nil) {
				t.Errorf("%s is shared by its copies: %v; there is a page of it: %v", kind, shared, pages[kind] != nil)
			}
		}
	}
	for kind, p := range pages {
		t.Run(kind, func(t *testing.T) { outlives(t, p) })
	}
}

// outlives tells a page whatever can happen to it, and looks at the Models from before.
func outlives(t *testing.T, p page.Page) {
	t.Helper()
	show := func(p page.Page) string {
		markup, _ := render(t, page.Main(p))
		return markup
	}
	p, commands := p.Awake(now)
	for range 2 {
		_, tree := render(t, page.Main(p))
		for _, msg := range happenings(tree, commands) {
			before := show(p)
			next, did := p.Update(msg)
			if after := show(p); after != before {
				t.Fatalf("%T%+v changes what an older Model shows:\n%s\nit was\n%s", msg, msg, after, before)
			}
			p, commands = next, append(commands, did...)
		}
	}
}

// happenings are messages: of the socket, of the clock, of the reader's keys, of what is on the page, and answers to what was asked for.
func happenings(tree *html.Node, commands []page.Cmd) []page.Msg {
	row := &table.Row{UID: "u", Name: "some-text", ResourceVersion: "2"}
	object := []byte(`{"kind":"Scenario","metadata":{"name":"fight","uid":"u9","resourceVersion":"2"}}`)
	received := func(m wire.Message) page.Msg {
		m.ID, m.Gen = 1, 1
		return page.Received{Message: m, At: now}
	}
	msgs := []page.Msg{
		page.Connection{State: page.Open},
		received(wire.Message{Type: wire.Rows, Rows: []table.Row{*row}, Objects: []json.RawMessage{object}}), received(wire.Message{Type: wire.Synced}),
		received(wire.Message{Type: wire.Events, Events: []wire.Event{{Type: watch.Modified, Row: row, Object: object}}}),
		page.Tick{Now: now.Add(time.Minute)},
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
			msgs = append(msgs, page.Typed{Field: name, Text: "7"}, page.Tick{Now: now.Add(time.Hour)}, page.Tick{Now: now.Add(2 * time.Hour)})
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
			if c.Method == "POST" {
				answer.Status, answer.Body = 201, object
			}
			msgs = append(msgs, answer)
		}
	}
	return msgs
}
