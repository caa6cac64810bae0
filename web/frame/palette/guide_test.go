package palette

import (
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/web/frame/page"
)

const someGuide = `{"lessons":[{"id":"watch","title":"Watch, and miss nothing"},{"id":"conflicts","title":"Three ways out","foundBy":["the object has been modified"]}],
	"tasks":[{"id":"conflicts","title":"Get Ben through","foundBy":["the object has been modified"]}],
	"cases":[{"id":"stuck","title":"The season that can’t end","foundBy":["NamespaceFinalizersRemaining"]}],
	"terms":[{"id":"watch-cache","title":"watch cache"},{"id":"crd","title":"CustomResourceDefinition"}]}`

func TestTheGuideIsFound(t *testing.T) {
	for _, frame := range []string{"/api/v1/namespaces/shop/pods", ""} {
		m, commands := Open(frameAt(t, "/api/v1/pods"), Everything, nil)
		if frame == "" {
			outside := m.frame
			outside.Cluster.Slug, outside.Catalog.Groups = "", nil
			m, commands = Open(outside, Types, nil)
		}
		if !slices.Contains(commands, page.Cmd(page.Ask{ID: "palette/guide", Address: "/learn", Accept: MediaType})) {
			t.Errorf("at %q the guide is not asked for: %v", frame, commands)
		}
		atRest := lines(m)
		m, commands = m.Update(page.Response{ID: "palette/guide", Status: 200, Body: []byte(someGuide)})
		if len(commands) > 0 || !slices.Equal(lines(m), atRest) {
			t.Errorf("at %q the guide is shown before it is looked for: %q", frame, lines(m))
		}
		for query, want := range map[string]string{
			"miss nothing":        "Lessons: Watch, and miss nothing",
			"conflicts":           "Lessons: Three ways out", // by its id
			"watch cach":          "Glossary: watch cache",
			"Ben through":         "Tasks: Get Ben through",
			"FinalizersRemaining": "Tasks: The season that can’t end",
			// by what people have in front of them
			"object has been modified": "Tasks: Get Ben through",
			"been modified":            "Lessons: Three ways out",
		} {
			if got := lines(typing(m, query)); !slices.Contains(got, want) {
				t.Errorf("at %q, %q finds %q", frame, query, got)
			}
		}
		if got := lines(typing(m, ":watch")); slices.ContainsFunc(got, func(l string) bool { return strings.HasPrefix(l, "Lessons") }) {
			t.Errorf("a type finds %q", got)
		}
	}
}

func TestWhereTheGuideLeads(t *testing.T) {
	m, _ := Open(frameAt(t, "/api/v1/pods"), Everything, nil)
	m, _ = m.Update(page.Response{ID: "palette/guide", Status: 200, Body: []byte(someGuide)})
	for query, want := range map[string]string{"miss nothing": "/learn/watch", "watch cache": "/learn/glossary#watch-cache", "Ben through": "/learn/conflicts/task", "season": "/learn/cases/stuck", "field guide": "/learn"} {
		n := typing(m, query)
		if e := n.index.entry(n.options()[0]); e.Href != want {
			t.Errorf("%q leads to %s", query, e.Href)
		}
	}
}

func TestWithoutTheGuideAllElseIsFound(t *testing.T) {
	m := stocked(t, "/api/v1/namespaces/shop/pods")
	for _, f := range []page.Response{{Status: 0}, {Status: 500, Body: []byte("{}")}, {Status: 200, Body: []byte("{")}, {Status: 200, Body: []byte(`{"lessons":7}`)}} {
		f.ID = "palette/guide"
		n, commands := m.Update(f)
		if len(commands) > 0 || !slices.Equal(lines(n), lines(m)) {
			t.Errorf("%+v: %q", f, lines(n))
		}
	}
}
