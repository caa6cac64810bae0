package palette

import (
	"slices"
	"testing"

	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

func TestAllClustersAreOffered(t *testing.T) {
	at := func(m Model) int {
		return slices.IndexFunc(m.options(), func(p place) bool { return p == place{offerList, offerEverywhere} })
	}
	m, _ := Open(frameAt(t, "/api/v1/pods"), Everything, nil)
	m = typing(m, " rare   one ")
	i := at(m)
	if i < 0 || i != len(m.options())-1 {
		t.Fatalf("%d of %d", i, len(m.options()))
	}
	if e := m.index.entry(m.options()[i]); e.Text != "Search all 3 clusters" || e.Beside != "for “rare one”" || e.Href != "/-/search?q=rare+one" {
		t.Errorf("%+v", e)
	}
	if chosen, ok := must(t, press(t, m, "End"), "Enter").Chosen(); !ok || chosen.Href != "/-/search?q=rare+one" {
		t.Errorf("%+v", chosen)
	}
	for _, query := range []string{"r", "", ":rare"} {
		if at(typing(m, query)) >= 0 {
			t.Errorf("offered for %q", query)
		}
	}
	alone := frameAt(t, "/api/v1/pods")
	alone.Clusters = alone.Clusters[:1]
	if m, _ := Open(alone, Everything, nil); at(typing(m, "rare")) >= 0 {
		t.Error("offered, and there is one cluster only")
	}
	outside := frameAt(t, "/")
	outside.Cluster = shell.Cluster{}
	m, _ = Open(outside, Everything, nil)
	if m = typing(m, "qqqq"); at(m) != 0 || m.Announcement() != "Nothing found. Search all 3 clusters?" {
		t.Errorf("outside of a cluster: %d, %q", at(m), m.Announcement())
	}
}

// must presses a key that leads somewhere.
func must(t *testing.T, m Model, key string) Model {
	t.Helper()
	next, commands := m.Update(page.Pressed{Key: key})
	if len(commands) != 1 {
		t.Fatalf("%s gives %v", key, commands)
	}
	return next
}

// The search without a dialog finds objects as the palette does, and neither pages nor clusters.
func TestSearchWithoutADialog(t *testing.T) {
	frame := frameAt(t, "/")
	frame.Clusters, frame.Namespaces = nil, nil
	m, commands := Search(frame, "rare", false)
	if len(fetches(t, commands)) != mostAtOnce {
		t.Fatalf("%v", commands)
	}
	for _, body := range []string{"pods", "deployments.apps", "services", "configmaps"} {
		m, _ = answered(t, m, body, 200, listOf("", "shop/rare-"+body))
	}
	f := m.Finding()
	if len(f.Entries) != 4 || f.More != 0 || !f.Ahead || f.Entries[0].Kind != Object {
		t.Errorf("%+v", f)
	}
	m, _ = answered(t, m, "nodes", 403, "")
	if f = m.Finding(); len(f.Notes) != 1 || f.Notes[0] != "You don’t have permission to list nodes in all namespaces" {
		t.Errorf("%q", f.Notes)
	}
	if m, commands := Search(frame, "glossary", false); len(m.Finding().Entries) != 0 || len(commands) == 0 {
		t.Errorf("%+v", m.Finding())
	}
	if _, commands := Search(frame, "x", true); len(commands) != 0 || Searchable("x") || !Searchable(" x y ") {
		t.Errorf("%v", commands)
	}
}
