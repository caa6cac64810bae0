package related

import (
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components/dependents"
	"github.com/fieldmark/fieldmark/kube/reference"
	"github.com/fieldmark/fieldmark/web/read/object/tab"
)

// An object that is gone can't be looked for again, and the time of the search is told by the reader's clock.
func TestOwnership(t *testing.T) {
	noon := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	a := tab.About{Now: noon.In(time.FixedZone("", 3600))}
	m := Model{Search: dependents.Search{At: noon, Finished: true}, Owners: []dependents.Ref{{Kind: "App", Name: "b", Controller: true, Blocks: true}}}
	show := func() string {
		var b strings.Builder
		if err := Ownership(m, a).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if got := show(); !strings.Contains(got, "13:00:00") || !strings.Contains(got, "Refresh") || !strings.Contains(got, "found no object that this object owns") {
		t.Error(got)
	}
	a.Gone = true
	if strings.Contains(show(), "Refresh") {
		t.Error("an object that is gone can be looked for")
	}
	if len(tags(m.Owners[0])) != 1 || tags(dependents.Ref{Blocks: true}) != nil {
		t.Error("who blocks the deletion isn't told")
	}
}

// The object is between its owners and the objects that it owns.
func TestTree(t *testing.T) {
	m := Model{
		Owners: []dependents.Ref{{Name: "top"}, {Name: "other", Depth: 1}, {Name: "owner", Depth: 1}},
		Owned:  []dependents.Ref{{Name: "child"}, {Name: "grandchild", Depth: 1}},
	}
	nodes, more := m.tree(tab.About{Title: "me"})
	below := nodes[0].Below
	if len(nodes) != 1 || more != 0 || len(below) != 2 || below[1].Name != "owner" {
		t.Fatalf("%+v", nodes)
	}
	me := below[1].Below[0]
	if !me.Current || me.Name != "me" || me.Below[0].Name != "child" || me.Below[0].Below[0].Name != "grandchild" {
		t.Errorf("%+v", me)
	}
	m.Owned = make([]dependents.Ref, tab.MostListed+7)
	if _, more := m.tree(tab.About{Title: "me"}); more != 7 {
		t.Errorf("%d aren't shown", more)
	}
}

func TestEndpointInWords(t *testing.T) {
	for want, e := range map[string]reference.Endpoint{
		"ready": {Ready: true, Serving: true}, "not ready": {}, "serving, not ready": {Serving: true},
		"terminating": {Terminating: true}, "terminating, still serving": {Terminating: true, Serving: true},
	} {
		if got := (Endpoint{Endpoint: e}).State(); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
