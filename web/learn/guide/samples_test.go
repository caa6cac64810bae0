package guide

import (
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/progress"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples) }

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	kept := func(m Model, b progress.Book, did ...page.Msg) page.Page {
		return pagetest.LiveAt(time.Time{}, m, append([]page.Msg{page.Kept{Values: map[string]string{progress.Key: b.String(), progress.TasksKey: `{"kinds":{"solved":true,"alone":true}}`}}}, did...)...)
	}
	titled := s.Outside()
	titled.Title, titled.Here = "The field guide", "/learn"
	m := Model{Frame: page.Frame{Kind: Kind, Shell: titled}, Practice: true, Terms: 2, Lessons: []Lesson{
		{ID: "kinds", Title: "Kinds", Summary: "What a kind is.", Minutes: 5, Paths: []string{"beginners"}, Steps: []string{"a", "b"}, Task: "Find the kind"},
		{ID: "paths", Title: "Paths", Summary: "What a path is.", Minutes: 10, After: []string{"kinds"}, Steps: []string{"a"}},
		{ID: "fields", Title: "Fields", Summary: "Who owns one.", Minutes: 10, After: []string{"kinds", "paths"}, Steps: []string{"a"}},
	}}
	m.Chapters = []Chapter{{Title: "Types", About: "What objects are.", Lessons: []string{"kinds", "paths"}}, {Title: "Owners", About: "Who owns what.", Lessons: []string{"fields"}}}
	m.Chart = Draw(m.Chapters, m.Lessons)
	without, authors := m, m
	without.Practice, without.Cluster, without.Path = false, s.String(), "beginners"
	authors.Path = "controller-authors"
	some := progress.Book{Learner: s.String()}.With("kinds", progress.Lesson{Done: true}).With("paths", progress.Lesson{Cluster: s.String(), Step: s.String()})
	return map[string]page.Page{
		"map": m, "map, kept": kept(m, some), "map, nothing kept": kept(without, progress.Book{}), "map, a path without lessons": authors,
		"map, forgetting": kept(m, some, page.Acted{Action: "forget"}), "map, on a cluster": without,
	}
}

func TestTheMapHasEveryLessonInOrder(t *testing.T) {
	pages := samples("some-text")
	for name, want := range map[string]string{
		"map": "kinds new, paths new, fields new", "map, kept": "kinds done, paths under, fields new", "map, on a cluster": "kinds new",
	} {
		tree := pagetest.Tree(t, page.View(pages[name]))
		var got []string
		for _, l := range pagetest.All(tree, "li", "data-lesson", "data-state") {
			got = append(got, pagetest.Value(l, "data-lesson")+" "+pagetest.Value(l, "data-state"))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %s", name, strings.Join(got, ", "))
		}
	}
	tree := pagetest.Tree(t, page.View(pages["map, kept"]))
	for looks, stop := range map[string]string{"stop done": "kinds", "stop under": "paths", "stop new next": "fields"} {
		if found := pagetest.All(tree, "a", "class="+looks, "data-stop="+stop, "href=/learn/"+stop, "tabindex=-1"); len(found) != 1 {
			t.Errorf("%s is not drawn as %q", stop, looks)
		}
	}
	if len(pagetest.All(tree, "path", "class=edge gone", "data-wire=kinds paths")) != 1 {
		t.Error("the way that was gone is not drawn")
	}
	if links := pagetest.All(tree, "a", "class=to-guide", "href=/learn", "aria-current=page"); len(links) != 1 || pagetest.Said(links[0]) != "Learn" {
		t.Error("the bar at the top does not tell where one is")
	}
}
