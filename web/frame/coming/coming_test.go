package coming

import (
	"context"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/web/frame/errorpage"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// before is a page of a cluster with pods, at a path, which knows the state of one of them.
type before struct{ errorpage.Model }

func (before) Foretell(p apipath.Path) templ.Component {
	if p.Name != "web-1" {
		return nil
	}
	return page.Text("it runs")
}

func from(address string, path apipath.Path) before {
	pods := discovery.Type{Version: "v1", Resource: "pods", Kind: "Pod", Namespaced: true, Verbs: []string{"get", "list", "patch"}}
	return before{errorpage.Model{Frame: page.Frame{Shell: shell.Model{
		Here: address, Path: path, Cluster: shell.Cluster{Slug: "a", Name: "a"},
		Catalog: discovery.Catalog{Groups: []discovery.Group{{Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{pods}}}}}},
	}}, Notice: components.Notice{Title: "before"}}}
}

const object = "/c/a/api/v1/namespaces/shop/pods/web-1"

// TestKnows: from where to where something is known, by its title and what its head says.
func TestKnows(t *testing.T) {
	web1 := apipath.Object("", "v1", "shop", "pods", "web-1")
	overview := from("/c/a", apipath.Path{})
	there := from(object, web1)
	for _, c := range []struct {
		from    before
		address string
		title   string // empty: nothing is known
		says    []string
	}{
		{overview, "/c/a/api/v1/pods", "Pods", []string{"resource type"}},
		{overview, "/c/a/api/v1/namespaces/shop/pods?labelSelector=a%3Db", "Pods", []string{"shop"}},
		{overview, object, "web-1", []string{"it runs", "Pod · v1", "Edit…", "Fields", "Logs"}},
		{overview, object + "x?tab=yaml", "web-1x", []string{`aria-current="page" title="The object as YAML"`}},
		{overview, "/c/a/-/apply", "Apply preview", nil},
		{overview, "/c/a/-/apply?edit=%2Fapi%2Fv1%2Fnamespaces%2Fshop%2Fpods%2Fweb-1", "", nil},
		{overview, "/c/a/-/unheard-of", "", nil},
		{overview, "/c/b/api/v1/pods", "", nil},
		{overview, "/c/a", "", nil},
		{overview, "/c/a/api/v1/things", "", nil},
		{overview, "/c/a/api/v1", "", nil},
		{overview, object + "/status", "", nil},
		{overview, "/learn", "", nil},
		{overview, "://", "", nil},
		{there, object + "?tab=yaml", "", nil},
		{there, object + "?tab=logs", "web-1", []string{"Logs"}},
		{there, "/c/a/api/v1/namespaces/shop/pods", "Pods", nil},
	} {
		p, known := Of(c.from, c.address)
		if known != (c.title != "") || p.Shell.Title != c.title && known {
			t.Errorf("%s: known %v, title %q", c.address, known, p.Shell.Title)
			continue
		}
		if !known {
			continue
		}
		html := rendered(t, p)
		for _, words := range append(c.says, `class="skeleton"`, c.title) {
			if !strings.Contains(html, words) {
				t.Errorf("%s doesn't say %q: %s", c.address, words, html)
			}
		}
		if p.Shell.Here != c.address {
			t.Errorf("%s is at %s", c.address, p.Shell.Here)
		}
	}
}

func rendered(t *testing.T, p page.Page) string {
	t.Helper()
	var b strings.Builder
	if err := page.Main(p).Render(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
