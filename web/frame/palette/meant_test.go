package palette

import (
	"slices"
	"testing"

	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/saved"
)

func TestATypingErrorHasASuggestion(t *testing.T) {
	frame := frameAt(t, "/apis/apps/v1/namespaces/shop/deployments/web")
	m, _ := Open(frame, Everything, Commands(frame))
	m, _ = m.Update(page.Response{ID: guideID, Status: 200, Body: []byte(`{"lessons":[{"id":"watch","title":"Watch a collection"}],"terms":[{"id":"field-manager","title":"Field manager"}]}`)})
	for query, want := range map[string]string{
		"deploymnets":    "Deployments",
		"confiigmap":     "ConfigMaps",
		"ingresess":      "Ingresses",
		"colros":         "Colors: light",
		"restrat":        "Restart…",
		"collectiom":     "Watch a collection",
		"field managger": "Field manager",
		"dicsovery":      "Discovery",
		":statefulsests": "StatefulSets",
	} {
		n := typing(m, query)
		i := slices.IndexFunc(n.groups, func(g group) bool { return g.title == "Did you mean" })
		if i < 0 {
			t.Errorf("%q has no suggestion: %q", query, lines(n))
			continue
		}
		if e := n.index.entry(n.groups[i].hits[0]); e.Text != want || len(n.groups[i].hits) > mostMeant {
			t.Errorf("%q suggests %q", query, lines(n))
		}
	}
	for _, query := range []string{"zz", "zzz", "qqqqqqqq", "deployments", "pods zzzzzz", ""} {
		n := typing(m, query)
		if slices.ContainsFunc(n.groups, func(g group) bool { return g.title == "Did you mean" }) {
			t.Errorf("%q suggests %q", query, lines(n))
		}
	}
}

func TestCommands(t *testing.T) {
	const at = "/apis/apps/v1/namespaces/shop/deployments/web"
	find := func(path, text string) Entry {
		frame := frameAt(t, path)
		for g := range frame.Catalog.Groups {
			for i, ty := range frame.Catalog.Groups[g].Versions[0].Types {
				if ty.Resource != "configmaps" {
					frame.Catalog.Groups[g].Versions[0].Types[i].Verbs = slices.Concat(ty.Verbs, []string{"patch", "delete"})
				}
			}
		}
		for _, e := range Commands(frame) {
			if e.Text == text {
				return e
			}
		}
		return Entry{Text: "missing"}
	}
	for _, c := range []struct{ path, text, href, run, unable string }{
		{at, "Edit…", "/c/practice/-/apply?edit=%2Fapis%2Fapps%2Fv1%2Fnamespaces%2Fshop%2Fdeployments%2Fweb", "", ""},
		{at, "Delete…", "/c/practice/-/delete?path=%2Fapis%2Fapps%2Fv1%2Fnamespaces%2Fshop%2Fdeployments%2Fweb", "", ""},
		{at, "Restart…", "/c/practice/-/act?act=restart&path=%2Fapis%2Fapps%2Fv1%2Fnamespaces%2Fshop%2Fdeployments%2Fweb", "", ""},
		{at, "Act…", "/c/practice/-/act?path=%2Fapis%2Fapps%2Fv1%2Fnamespaces%2Fshop%2Fdeployments%2Fweb", "", ""},
		{at, "Drain…", "", runAim, ""},
		{at, "Watch this object", "/c/practice" + at + "?tab=timeline", "", ""},
		{at, "Scale…", "", "", "No resource type of this cluster allows it."}, // in the catalog of these tests
		{"/api/v1/namespaces/shop/configmaps/web", "Delete…", "", runAim, ""},
		{"/api/v1/namespaces/shop/configmaps/web", "Restart…", "", runAim, ""},
		{"/apis/apps/v1/deployments", "Restart…", "", runAim, ""},
		{"/", "Colors: dark", "", "theme dark", ""},
		{"/", "Start a contention scan…", "/c/practice/-/contention", "", ""},
		{"/apis/apps/v1/deployments", "Remove Deployments from favorites", "", "favorite deployments.apps", ""},
		{"/apis/batch/v1/jobs", "Add Jobs to favorites", "", "favorite jobs.batch", ""},
	} {
		if e := find(c.path, c.text); e.Href != c.href || e.Run != c.run || e.Unable != c.unable {
			t.Errorf("%s on %s: %+v", c.text, c.path, e)
		}
	}
	frame := frameAt(t, "/api/v1/pods")
	m, _ := Open(frame, Everything, Commands(frame))
	m, commands := typing(m, "scale").Update(page.Pressed{Key: "Enter"})
	if _, done := m.Chosen(); done || !slices.Equal(commands, []page.Cmd{page.Announce{Words: "No resource type of this cluster allows it."}}) {
		t.Errorf("%v", commands)
	}
}

func TestSavedViewsAreFound(t *testing.T) {
	frame := frameAt(t, "/api/v1/pods")
	book := saved.Book{
		{Name: "Broken", Resource: "pods", Namespace: "shop", Query: "filter=Crash"},
		{Name: "Elsewhere", Cluster: "production", Resource: "pods"},
		{Name: "Gone", Group: "x.test", Resource: "things"},
	}
	m, _ := Open(frame, Everything, Views(frame, book))
	if got := lines(typing(m, "broken")); !slices.Equal(got, []string{"Views: Broken Pods"}) {
		t.Errorf("%q", got)
	}
	if e := Views(frame, book); len(e) != 1 || e[0].Href != "/c/practice/api/v1/namespaces/shop/pods?filter=Crash" {
		t.Errorf("%+v", e)
	}
}
