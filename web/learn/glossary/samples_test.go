package glossary

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples) }

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	titled := s.Outside()
	titled.Title, titled.Here = "The field guide", "/learn"
	g := Model{Frame: page.Frame{Kind: Kind, Shell: titled}, Terms: []Term{
		{ID: "kind", Title: "kind", HTML: `<p>A name, see <a href="/learn/glossary#watch">watch</a>.</p>`, Text: "A name", Lesson: &Named{ID: "kinds", Title: "Kinds"}, Seen: []Named{{ID: "paths", Title: "Paths"}, {ID: "fields", Title: "Fields"}}},
		{ID: "watch", Title: "watch", HTML: "<p>It stays open.</p>", Text: "It stays open."},
	}}
	filtered := g
	filtered.Filter = s.String()
	return map[string]page.Page{
		"glossary": g, "glossary, filtered": filtered,
	}
}

func TestEveryTermHasAnAnchorAndItsLessons(t *testing.T) {
	tree := pagetest.Tree(t, page.View(samples("some-text")["glossary"]))
	for id, want := range map[string]string{"kind": "/learn/kinds /learn/paths /learn/fields", "watch": ""} {
		terms := pagetest.All(tree, "section", "id="+id)
		if len(terms) != 1 {
			t.Fatalf("%d terms %s", len(terms), id)
		}
		var links []string
		for _, p := range pagetest.All(terms[0], "p", "class=leads-to soft") {
			for _, a := range pagetest.All(p, "a") {
				links = append(links, pagetest.Value(a, "href"))
			}
		}
		if got := strings.Join(links, " "); got != want {
			t.Errorf("%s leads to %q", id, got)
		}
	}
}
