package help

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/fieldmark/fieldmark/components"
)

func markup(t *testing.T, m Model) *html.Node {
	t.Helper()
	var b bytes.Buffer
	if err := m.View().Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	tree, err := html.Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// texts are what the elements of a tag show.
func texts(tree *html.Node, tag string) []string {
	var all []string
	for n := range tree.Descendants() {
		if n.Type != html.ElementNode || n.Data != tag {
			continue
		}
		text := ""
		for d := range n.Descendants() {
			if d.Type == html.TextNode {
				text += d.Data + " "
			}
		}
		all = append(all, strings.Join(strings.Fields(text), " "))
	}
	return all
}

func TestEveryKeyIsListedInItsGroup(t *testing.T) {
	m := Open("Pods", []components.Key{{Keys: []string{"/"}, Does: "Filter the rows"}, {Keys: []string{"j", "k"}, Does: "Next and previous row"}})
	tree := markup(t, m)
	if got := texts(tree, "h3"); !slices.Equal(got, []string{"Everywhere", "In the search", "On this page Pods"}) {
		t.Errorf("the groups are %q", got)
	}
	keys := texts(tree, "dt")
	if want := []string{"Ctrl K ⌘ K", ":", "Shift T", "?", "Esc", "↑ ↓", "Enter", "Esc", "/", "j k"}; !slices.Equal(keys, want) {
		t.Errorf("the keys are %q, want %q", keys, want)
	}
	if got := texts(tree, "dd"); len(got) != len(keys) || slices.Contains(got, "") {
		t.Errorf("they do %q", got)
	}
}

func TestAPageWithoutKeysHasNoGroupForThem(t *testing.T) {
	if got := texts(markup(t, Open("Overview", nil)), "h3"); !slices.Equal(got, []string{"Everywhere", "In the search"}) {
		t.Errorf("the groups are %q", got)
	}
}

func TestTheButtonThatClosesIsToHaveTheFocus(t *testing.T) {
	for n := range markup(t, Open("Pods", nil)).Descendants() {
		has := func(name, value string) bool {
			return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name && a.Val == value })
		}
		if has("data-autofocus", "") && (n.Data != "button" || !has("id", Close) || !has("data-close", "")) {
			t.Errorf("<%s> has the focus", n.Data)
		}
	}
}

func TestAHostileTitleIsShownVisibly(t *testing.T) {
	tree := markup(t, Open("x\u202e<img src=x>", nil))
	if len(texts(tree, "img")) > 0 {
		t.Error("the title became an element")
	}
	tree = markup(t, Open("x\u202e<img src=x>", []components.Key{{Keys: []string{"j"}, Does: "Down"}}))
	if got := texts(tree, "h3"); got[2] != `On this page x\u202e<img src=x>` {
		t.Errorf("%q", got)
	}
}
