package collection

import (
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/saved"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// kept is what the browser keeps in the end; ok is false if nothing is kept.
func kept(commands []page.Cmd) (value string, ok bool) {
	for _, c := range commands {
		if k, is := c.(page.Keep); is && k.Key == saved.Key {
			return k.Value, true
		}
	}
	return "", false
}

func rendered(t *testing.T, m Model) string {
	t.Helper()
	var b strings.Builder
	if err := page.Main(m).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func act(action string) page.Msg { return page.Acted{Action: action} }

func TestAViewIsSavedOpenedRenamedAndDeleted(t *testing.T) {
	m, _ := awake(t, "/api/v1/namespaces/shop/pods", "labelSelector=app%3Dweb&sort=-Name&continue=abc&wide=1")
	if !slices.Contains(m.Keeps(), saved.Key) || len(m.views()) != 0 {
		t.Fatalf("%v", m.views())
	}
	if _, ok := kept(send(&m, act(doSaveView))); ok || !strings.Contains(rendered(t, m), string(saved.NoName)) {
		t.Error("a view without a name is kept")
	}
	value, _ := kept(send(&m, page.Typed{Field: fieldViewName, Text: " Web "}, act(doSaveView)))
	want := saved.Book{{Name: "Web", Cluster: "practice", Resource: "pods", Namespace: "shop", Query: "labelSelector=app%3Dweb&sort=-Name&wide=1"}}
	if got := saved.Read(value); !slices.Equal(got, want) {
		t.Fatalf("%+v", got)
	}
	for _, words := range []string{
		`href="/c/practice/api/v1/namespaces/shop/pods?labelSelector=app%3Dweb&amp;sort=-Name&amp;wide=1"`,
		"in shop, labels app=web, sorted by Name, descending, all columns", `aria-current="true"`,
	} {
		if !strings.Contains(rendered(t, m), words) {
			t.Errorf("the menu doesn't have %s", words)
		}
	}
	send(&m, page.Typed{Field: fieldViewName, Text: "Everywhere"}, page.Typed{Field: fieldViewScope, Text: everyCluster}, act(doSaveView))
	if v := m.views(); len(v) != 2 || v[0].Name != "Everywhere" || v[0].Cluster != "" {
		t.Fatalf("%+v", v)
	}
	if _, ok := kept(send(&m, act(doRenameView+"2"), page.Typed{Field: fieldViewRename, Text: "Everywhere"}, act(doRenamedView))); !ok || m.views()[1].Name != "Everywhere" {
		t.Errorf("a view for one cluster may have the name of a view for all: %+v", m.views()) // they are different views
	}
	send(&m, act(doRenameView+"1"), page.Typed{Field: fieldViewRename, Text: "A"}, act(doRenamedView))
	if v := m.views(); v[0].Name != "A" || m.live.viewing.renaming != 0 {
		t.Errorf("%+v", v)
	}
	send(&m, act(doRenameView+"1"), act(doStayView))
	value, _ = kept(send(&m, act(doDeleteView+"1")))
	if len(saved.Read(value)) != 1 || !strings.Contains(rendered(t, m), "is deleted") {
		t.Errorf("%q", value)
	}
	value, _ = kept(send(&m, act(doUndoView)))
	if len(saved.Read(value)) != 2 {
		t.Errorf("%q", value)
	}
}

func TestOtherActionsMeanNothingToViews(t *testing.T) {
	m, _ := awake(t, "/api/v1/pods", "")
	for _, action := range []string{"", "x", doRenameView + "1", doDeleteView + "0", doDeleteView + "x", doRenamedView, doUndoView} {
		if c := send(&m, act(action)); len(c) > 0 {
			t.Errorf("%q: %v", action, c)
		}
	}
}

func TestViewsComeFromTheBrowser(t *testing.T) {
	m, _ := awake(t, "/api/v1/pods", "")
	book := saved.Book{{Name: "Mine", Resource: "pods"}, {Name: "Deployments", Group: "apps", Resource: "deployments"}, {Name: "Elsewhere", Cluster: "other", Resource: "pods"}}
	send(&m, page.Kept{Values: map[string]string{saved.Key: book.String()}})
	if v := m.views(); len(v) != 1 || v[0].Name != "Mine" {
		t.Errorf("%+v", v)
	}
	value, _ := kept(send(&m, act(doDeleteView+"1")))
	if got := saved.Read(value); len(got) != 2 {
		t.Errorf("views of other types and clusters are lost: %+v", got)
	}
	send(&m, act(doRenameView+"1"), page.Kept{})
	if len(m.views()) != 0 || m.live.viewing.renaming != 0 {
		t.Error("another tab deleted the views")
	}
}

func TestTheStarSaysWhatItDoes(t *testing.T) {
	m, _ := awake(t, "/api/v1/pods", "")
	if !strings.Contains(rendered(t, m), `aria-label="Remove Pods from favorites"`) {
		t.Error("Pods are a favorite at first")
	}
	send(&m, page.Preferred{Preferences: shell.Preferences{Chosen: true}})
	if !strings.Contains(rendered(t, m), `aria-label="Add Pods to favorites"`) {
		t.Error("the star doesn't follow")
	}
}
