package gallery

import (
	"flag"
	"slices"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"golang.org/x/net/html"

	"github.com/fieldmark/fieldmark/components/golden"
	"github.com/fieldmark/fieldmark/components/specimen"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGolden holds the specimens of this package; package components holds its own.
func TestGolden(t *testing.T) {
	var own []specimen.Specimen
	for _, s := range append(foundations(), statesOfPages()...) {
		own = append(own, s.Specimens...)
	}
	golden.Check(t, *update, own)
}

func whole(t *testing.T) (string, *html.Node) {
	t.Helper()
	markup := golden.Render(t, Model{
		Shell: shell.Model{Title: "Components", Here: "/-/components", Assets: shell.Assets{Stylesheet: "/static/a.css", Icon: "/static/a.svg", Script: "/static/a.js"}},
		Tokens: []Token{
			{"Ink: what is read", "ink", "#000", "#fff"},
			{"Ink: what is read", "soft", "#333", "#ccc"},
			{"Type", "small", "12px", "12px"},
			{"Type", "sans", "Inter, serif", "Inter, serif"},
			{"Weights", "strong", "620", "620"},
			{"Space", "s1", "4px", "4px"},
			{"Motion", "quick", "110ms", "110ms"},
		},
	}.View())
	tree, err := html.Parse(strings.NewReader(markup))
	if err != nil {
		t.Fatal(err)
	}
	return markup, tree
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func TestEverySpecimenIsShownInTheLightAndInTheDark(t *testing.T) {
	_, tree := whole(t)
	halves := map[string][]string{}
	for n := range tree.Descendants() {
		if theme := attribute(n, "data-theme"); theme != "" {
			specimen := attribute(n.Parent.Parent, "id")
			halves[specimen] = append(halves[specimen], theme)
		}
	}
	for _, s := range Sections() {
		for _, one := range s.Specimens {
			if !slices.Equal(halves[one.Name], []string{"light", "dark"}) {
				t.Errorf("%s is shown in %v", one.Name, halves[one.Name])
			}
			if one.Title == "" || strings.HasSuffix(one.Title, ".") || one.Note != "" && !strings.HasSuffix(one.Note, ".") {
				t.Errorf("%s: titles have no full stop, notes have: %q, %q", one.Name, one.Title, one.Note)
			}
		}
	}
}

// TestWhatIsShownTwiceStaysApart: ids are of their own, what refers to them finds them, and nothing takes the focus.
func TestWhatIsShownTwiceStaysApart(t *testing.T) {
	markup, tree := whole(t)
	ids := map[string]int{}
	for n := range tree.Descendants() {
		if id := attribute(n, "id"); id != "" {
			ids[id]++
		}
	}
	for id, n := range ids {
		if n > 1 {
			t.Errorf("%d elements have the id %s", n, id)
		}
	}
	for n := range tree.Descendants() {
		for _, id := range refersTo(n) {
			if ids[id] == 0 {
				t.Errorf("<%s> refers to %s, which is not there", n.Data, id)
			}
		}
	}
	for _, word := range []string{" autofocus", " aria-modal", "<script", "style=", "javascript:"} {
		if strings.Contains(markup, word) {
			t.Errorf("the page holds %q", word)
		}
	}
}

func refersTo(n *html.Node) []string {
	var ids []string
	for _, key := range referring[1:] {
		ids = append(ids, strings.Fields(attribute(n, key))...)
	}
	if id, local := strings.CutPrefix(attribute(n, "href"), "#"); local {
		ids = append(ids, id)
	}
	return ids
}

func TestApart(t *testing.T) {
	for in, want := range map[string]string{
		`<p id="a">x &amp; y<br/></p>`:                                       `<p id="a-in-m">x &amp; y<br/></p>`,
		`<a href="#a">x</a>`:                                                 `<a href="#a">x</a>`,
		`<i aria-labelledby="a b" aria-label="c"></i>`:                       `<i aria-labelledby="a-in-m b-in-m" aria-label="c"></i>`,
		`<nav aria-label="Tabs"></nav>`:                                      `<nav aria-label="Tabs (m)"></nav>`,
		`<div role="region" aria-label="Rows"></div>`:                        `<div role="region" aria-label="Rows (m)"></div>`,
		`<input autofocus/><div aria-modal="true"></div>`:                    `<input/><div></div>`,
		`<h1>x</h1><h2>y</h2><hr/>`:                                          `<h1 aria-level="4">x</h1><h2 aria-level="4">y</h2><hr/>`,
		`<details name="menu"><summary>x</summary><b hidden>y</b></details>`: `<details><summary>x</summary><b hidden="">y</b></details>`,
	} {
		if got := golden.Render(t, apart(templ.Raw(in), "m", false)); got != want {
			t.Errorf("%s became %s, want %s", in, got, want)
		}
	}
	folded := `<details><summary>x</summary><b hidden>y</b></details>`
	if got, want := golden.Render(t, apart(templ.Raw(folded), "m", true)), `<details open=""><summary>x</summary><b>y</b></details>`; got != want {
		t.Errorf("%s became %s, want %s", folded, got, want)
	}
}

func TestGroupsKeepTheStylesheetsOrder(t *testing.T) {
	groups := Model{Tokens: []Token{{Group: "B: what for", Name: "1"}, {Group: "B: what for", Name: "2"}, {Group: "A", Name: "3"}}}.Groups()
	if len(groups) != 2 || groups[0].Title != "B" || groups[0].Note != "what for" || len(groups[0].Tokens) != 2 || groups[1].Title != "A" {
		t.Errorf("%+v", groups)
	}
}

func TestHelpInEveryComponentOpensANewTab(t *testing.T) {
	links := 0
	for _, s := range specimen.All() {
		tree := pagetest.Tree(t, s.Shown)
		for _, link := range pagetest.All(tree, "a", "href") {
			if web.Program(pagetest.Value(link, "href")) != web.LearnProgram || pagetest.Value(link, "data-stop") != "" { // a stop is on the guide's own map
				continue
			}
			links++
			if !pagetest.OpensNewTab(tree, link) {
				t.Errorf("%s: %q leads to %s in the same tab", s.Name, pagetest.Said(link), pagetest.Value(link, "href"))
			}
		}
	}
	if links < 10 {
		t.Errorf("only %d links to help were looked at", links)
	}
}
