package drawer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/kube/record"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

func one(id uint64, verb string) record.Line {
	return record.Line{ID: id, Verb: verb, Method: "GET", Path: fmt.Sprint("/api/v1/nodes/n", id), Status: 200, Done: verb != "watch"}
}

var frame = shell.Model{Cluster: shell.Cluster{Slug: "practice"}}

func text(c templ.Component) string { return string(rendered(c)) }

// places are the numbers of the requests in the list, in its order.
func places(d *Drawer) string {
	var all []string
	for _, part := range strings.Split(text(d.List(frame)), `<li id="wire-`)[1:] {
		id, _, _ := strings.Cut(part, `"`)
		all = append(all, id)
	}
	return strings.Join(all, " ")
}

func TestWhatIsListed(t *testing.T) {
	var d Drawer
	if !d.Empty() {
		t.Error("it is not empty")
	}
	d.Hear(wire.Message{Anew: true, Lines: []record.Line{one(1, "get"), one(2, "watch"), one(3, "get")}})
	if got := places(&d); got != "3 2 1" {
		t.Errorf("listed: %s", got)
	}
	if html := text(d.Newest()); !strings.Contains(html, "/nodes/n3") || !strings.Contains(html, "3 requests") {
		t.Errorf("the newest: %s", html)
	}
	d.Hold(true)
	open := one(2, "watch")
	open.Events = 7
	d.Hear(wire.Message{Lines: []record.Line{open, one(4, "get")}})
	if got := places(&d); got != "3 2 1" || !strings.Contains(text(d.List(frame)), "7 events") {
		t.Errorf("listed while held: %s", got)
	}
	d.Hold(false)
	d.Filter("WATCH")
	if got := places(&d); got != "2" {
		t.Errorf("listed with a filter: %s", got)
	}
	d.Filter("nothing")
	if html := text(d.List(frame)); places(&d) != "" || !strings.Contains(html, "No request matches") {
		t.Errorf("nothing passes: %s", html)
	}
	d.Filter("")
	if html := text(d.List(frame)); !strings.Contains(html, `href="/c/practice/-/requests?entry=4"`) || !strings.Contains(html, "resource type") {
		t.Errorf("no link, or no anatomy: %s", html)
	}
	d.Hear(wire.Message{Anew: true, Lines: []record.Line{one(9, "get")}})
	if got := places(&d); got != "9" {
		t.Errorf("listed anew: %s", got)
	}
}

func TestItIsBounded(t *testing.T) {
	var d Drawer
	for id := range uint64(3 * Most) {
		d.Hear(wire.Message{Lines: []record.Line{one(id+1, "get")}})
	}
	all := strings.Fields(places(&d))
	if len(all) != Most || all[0] != fmt.Sprint(3*Most) || len(d.shown) != Most {
		t.Errorf("%d listed, %d kept, from %s", len(all), len(d.shown), all[0])
	}
}
