package web_test

import (
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/glossary"
	"github.com/fieldmark/fieldmark/web/learn/guide"
	"github.com/fieldmark/fieldmark/web/learn/progress"
)

// guide are the map of the field guide and its glossary, before and after the browser has told what it kept.
func (s sample) guide() map[string]templ.Component {
	kept := func(m guide.Model, b progress.Book, did ...page.Msg) templ.Component {
		var p page.Page = m
		p, _ = p.Awake(time.Time{})
		for _, msg := range append([]page.Msg{page.Kept{Values: map[string]string{progress.Key: b.String()}}}, did...) {
			p, _ = p.Update(msg)
		}
		return page.View(p)
	}
	titled := s.outsideShell()
	titled.Title, titled.Here = "The field guide", "/learn"
	m := guide.Model{Frame: page.Frame{Shell: titled}, Practice: true, Terms: 2, Lessons: []guide.Lesson{
		{ID: "kinds", Title: "Kinds", Summary: "What a kind is.", Minutes: 5, Paths: []string{"beginners"}, Steps: []string{"a", "b"}},
		{ID: "paths", Title: "Paths", Summary: "What a path is.", Minutes: 10, After: []string{"kinds"}, Steps: []string{"a"}},
		{ID: "fields", Title: "Fields", Summary: "Who owns one.", Minutes: 10, After: []string{"kinds", "paths"}, Steps: []string{"a"}},
	}}
	m.Chapters = []guide.Chapter{{Title: "Types", About: "What objects are.", Lessons: []string{"kinds", "paths"}}, {Title: "Owners", About: "Who owns what.", Lessons: []string{"fields"}}}
	m.Chart = guide.Draw(m.Chapters, m.Lessons)
	without, authors := m, m
	without.Practice, without.Cluster, without.Path = false, s.text(), "beginners"
	authors.Path = "controller-authors"
	some := progress.Book{Learner: s.text()}.With("kinds", progress.Lesson{Done: true}).With("paths", progress.Lesson{Cluster: s.text(), Step: s.text()})
	g := glossary.Model{Frame: page.Frame{Shell: titled}, Terms: []glossary.Term{
		{ID: "kind", Title: "kind", HTML: `<p>A name, see <a href="/learn/glossary#watch">watch</a>.</p>`, Text: "A name", Lesson: &glossary.Named{ID: "kinds", Title: "Kinds"}, Seen: []glossary.Named{{ID: "paths", Title: "Paths"}, {ID: "fields", Title: "Fields"}}},
		{ID: "watch", Title: "watch", HTML: "<p>It stays open.</p>", Text: "It stays open."},
	}}
	filtered := g
	filtered.Filter = s.text()
	return map[string]templ.Component{
		"map": page.View(m), "map, kept": kept(m, some), "map, nothing kept": kept(without, progress.Book{}), "map, a path without lessons": page.View(authors),
		"map, forgetting": kept(m, some, page.Acted{Action: "forget"}), "map, on a cluster": page.View(without),
		"glossary": page.View(g), "glossary, filtered": page.View(filtered),
	}
}

func TestTheMapHasEveryLessonInOrder(t *testing.T) {
	pages := sample("some-text").guide()
	for name, want := range map[string]string{
		"map": "kinds new, paths new, fields new", "map, kept": "kinds done, paths under, fields new", "map, on a cluster": "kinds new",
	} {
		_, tree := render(t, pages[name])
		var got []string
		for _, l := range all(tree, "li", "data-lesson", "data-state") {
			got = append(got, value(l, "data-lesson")+" "+value(l, "data-state"))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %s", name, strings.Join(got, ", "))
		}
	}
	_, tree := render(t, pages["map, kept"])
	for looks, stop := range map[string]string{"stop done": "kinds", "stop under": "paths", "stop new next": "fields"} {
		if found := all(tree, "a", "class="+looks, "data-stop="+stop, "href=/learn/"+stop, "tabindex=-1"); len(found) != 1 {
			t.Errorf("%s is not drawn as %q", stop, looks)
		}
	}
	if len(all(tree, "path", "class=edge gone", "data-wire=kinds paths")) != 1 {
		t.Error("the way that was gone is not drawn")
	}
	if links := all(tree, "a", "class=to-guide", "href=/learn", "aria-current=page"); len(links) != 1 || text(links[0]) != "Learn" {
		t.Error("the bar at the top does not tell where one is")
	}
}

func TestEveryTermHasAnAnchorAndItsLessons(t *testing.T) {
	_, tree := render(t, sample("some-text").guide()["glossary"])
	for id, want := range map[string]string{"kind": "/learn/kinds /learn/paths /learn/fields", "watch": ""} {
		terms := all(tree, "section", "id="+id)
		if len(terms) != 1 {
			t.Fatalf("%d terms %s", len(terms), id)
		}
		var links []string
		for _, p := range all(terms[0], "p", "class=leads-to soft") {
			for _, a := range all(p, "a") {
				links = append(links, value(a, "href"))
			}
		}
		if got := strings.Join(links, " "); got != want {
			t.Errorf("%s leads to %q", id, got)
		}
	}
}
