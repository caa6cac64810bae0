package palette

import (
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// A command of a page without an object asks for one, among objects of the types that have the command.
func TestACommandAsksWhichObject(t *testing.T) {
	frame := frameAt(t, "/api/v1/namespaces/shop/pods")
	for g := range frame.Catalog.Groups {
		for i := range frame.Catalog.Groups[g].Versions[0].Types {
			ty := &frame.Catalog.Groups[g].Versions[0].Types[i]
			ty.Verbs = append(slices.Clone(ty.Verbs), "patch")
		}
	}
	m, _ := Open(frame, Everything, Commands(frame), Known{Type: kind(t, frame, "po"), Names: []Name{{"shop", "web-1"}}})
	m, commands := typing(m, "restart").Update(page.Pressed{Key: "Enter"})
	var asked []string
	for _, c := range commands {
		if c, is := c.(page.Call); is {
			path, _, _ := strings.Cut(c.Path, "?")
			asked = append(asked, path)
		}
	}
	if want := []string{"/apis/apps/v1/deployments", "/apis/apps/v1/statefulsets", "/apis/apps/v1/daemonsets"}; !slices.Equal(slices.Sorted(slices.Values(asked)), slices.Sorted(slices.Values(want))) {
		t.Fatalf("it requests the names of %v", asked)
	}
	if !slices.Contains(commands, page.Cmd(page.Announce{Words: "Restart: which object?"})) {
		t.Errorf("it announces %v", commands)
	}
	if shown := m.palette(); shown.Label != "Restart: which object?" || shown.Query != "" || len(m.options()) != 0 {
		t.Errorf("it shows %+v", shown)
	}
	id := prefixID + kind(t, frame, "deploy").FullName()
	m, _ = m.Update(page.Response{ID: id, Status: 200, Body: []byte(listOf("", "shop/web", "shop/api"))})
	if got := len(m.options()); got != 2 {
		t.Fatalf("before the reader types: %d objects", got)
	}
	m = typing(m, "web")
	if got := m.found.total[Object]; got != 1 {
		t.Fatalf("of objects named web, %d can be restarted", got)
	}
	_, commands = m.Update(page.Pressed{Key: "Enter"})
	want := frame.Cluster.Slug
	if to, is := commands[0].(page.Navigate); !is || to.Address != acting("restart")(want, apipath.Object("apps", "v1", "shop", "deployments", "web")) {
		t.Errorf("it opens %v", commands)
	}
}

// Of a command that every type has, names are requested when the reader has typed some of the name.
func TestACommandOfEveryTypeWaitsForAName(t *testing.T) {
	frame := frameAt(t, "/api/v1/namespaces/shop/pods")
	m, _ := Open(frame, Everything, Commands(frame), Known{Type: kind(t, frame, "po"), Names: []Name{{"shop", "web-1"}}, All: true})
	m, commands := typing(m, "watch this").Update(page.Pressed{Key: "Enter"})
	if m.aim == nil || len(commands) != 2 { // the focus, and what is announced
		t.Fatalf("%v", commands)
	}
	if e := m.entry(m.options()[0]); e.Href != "/c/practice/api/v1/namespaces/shop/pods/web-1?tab=timeline" {
		t.Errorf("it opens %s", e.Href)
	}
	if _, commands = typing(m, "nightly").Paused(); len(commands) == 0 {
		t.Error("it requests no names")
	}
}
