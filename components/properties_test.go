package components_test

import (
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/golden"
)

// parse reads a piece of a page as a browser would.
func parse(t testing.TB, markup string) *html.Node {
	t.Helper()
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := html.ParseFragment(strings.NewReader(markup), body)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range nodes {
		body.AppendChild(n)
	}
	return body
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// TestEveryComponentKeepsTheRules looks at all golden files, so that a new case is held to them too.
func TestEveryComponentKeepsTheRules(t *testing.T) {
	files := golden.Files(t)
	if len(files) < 20 {
		t.Fatalf("only %d golden files", len(files))
	}
	for _, file := range files {
		markup, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for n := range parse(t, string(markup)).Descendants() {
			if n.Type == html.ElementNode {
				for _, broken := range rulesBrokenBy(n) {
					t.Errorf("%s: <%s> %s", file, n.Data, broken)
				}
			}
		}
	}
}

// attributes are those that components use, besides data-*. A list, because a slip of the pen in a
// template can become an attribute that nobody meant.
var attributes = []string{
	"action", "aria-activedescendant", "aria-autocomplete", "aria-controls", "aria-current", "aria-disabled", "aria-expanded", "aria-hidden", "aria-label", "aria-labelledby",
	"aria-modal", "aria-pressed", "aria-rowcount", "aria-rowindex", "aria-selected", "aria-sort", "autocapitalize", "autocomplete", "checked", "class", "colspan", "cx", "cy", "d", "for", "form", "height",
	"href", "id", "method", "name", "placeholder", "preserveAspectRatio", "r", "rel", "role", "rows", "rx", "scope", "spellcheck", "tabindex", "target", "title", "type", "value", "viewBox", "width", "wrap", "x", "y",
}

func rulesBrokenBy(n *html.Node) []string {
	var broken []string
	if slices.Contains([]string{"script", "style", "iframe", "object", "embed", "base", "meta", "link"}, n.Data) {
		broken = append(broken, "has no place in a component")
	}
	for _, a := range n.Attr {
		switch {
		case a.Key == "style" || strings.HasPrefix(a.Key, "on"):
			broken = append(broken, "has the attribute "+a.Key+", which the content security policy refuses")
		case slices.Contains([]string{"href", "src", "action", "formaction"}, a.Key) && !safeAddress(a.Val):
			broken = append(broken, "leads to "+a.Val)
		}
	}
	if i := slices.IndexFunc(n.Attr, func(a html.Attribute) bool {
		return !slices.Contains(attributes, a.Key) && !strings.HasPrefix(a.Key, "data-")
	}); i >= 0 {
		broken = append(broken, "has the attribute "+n.Attr[i].Key+", which no component is known to use: add it to attributes if it is meant")
	}
	if interactive(n) && name(n) == "" {
		broken = append(broken, "has no accessible name")
	}
	if n.Data == "a" && attribute(n, "href") == "" {
		broken = append(broken, "leads nowhere")
	}
	if attribute(n, "tabindex") == "0" && attribute(n, "role") == "" {
		broken = append(broken, "can be focused, and has no role to tell what it is")
	}
	return broken
}

// safeAddress tells local and web addresses from all others, such as javascript: and //host.
func safeAddress(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	if u.Scheme == "http" || u.Scheme == "https" {
		return u.Host != ""
	}
	return u.Scheme == "" && u.Host == "" && (strings.HasPrefix(address, "/") || strings.HasPrefix(address, "#") || strings.HasPrefix(address, "?"))
}

func interactive(n *html.Node) bool {
	return slices.Contains([]string{"a", "button", "summary", "input", "select", "textarea"}, n.Data) || attribute(n, "tabindex") == "0"
}

// name is what assistive technology calls an element: its label, else its text, else its title.
func name(n *html.Node) string {
	if label := strings.TrimSpace(attribute(n, "aria-label")); label != "" {
		return label
	}
	if label := strings.TrimSpace(labelled(n)); label != "" {
		return label
	}
	if text := strings.TrimSpace(spoken(n)); text != "" && n.Data != "textarea" {
		return text
	}
	return strings.TrimSpace(attribute(n, "title"))
}

// labelled is the text of the label that is for a field.
func labelled(n *html.Node) string {
	id := attribute(n, "id")
	root := n
	for root.Parent != nil {
		root = root.Parent
	}
	for l := range root.Descendants() {
		if l.Data == "label" && id != "" && attribute(l, "for") == id {
			return spoken(l)
		}
	}
	return ""
}

func spoken(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	if attribute(n, "aria-hidden") == "true" {
		return ""
	}
	text := attribute(n, "alt")
	for c := range n.ChildNodes() {
		text += spoken(c)
	}
	return text
}

func TestRulesCanBeBroken(t *testing.T) {
	for _, markup := range []string{
		`<p style="color:red">x</p>`, `<script>1</script>`, `<p onclick="1">x</p>`, `<a href="javascript:1">x</a>`,
		`<a href="//evil.test">x</a>`, `<a href="data:text/html,x">x</a>`, `<a href="/"></a>`, `<button><span aria-hidden="true">x</span></button>`,
		`<p else>x</p>`, `<a>x</a>`, `<textarea>x</textarea>`, `<div tabindex="0">x</div>`, `<a href="c/x">x</a>`,
	} {
		if broken := rulesBrokenBy(parse(t, markup).FirstChild); len(broken) == 0 {
			t.Errorf("%s breaks no rule", markup)
		}
	}
}

// Hostile text leaves the elements and attributes of a component just as harmless text of the same
// length does: it can start or end nothing.
func TestHostileTextChangesNoMarkup(t *testing.T) {
	for what, text := range hostileTexts {
		harmless := everywhere(strings.Repeat("a", len(text)))
		for i, c := range everywhere(text) {
			got, want := skeleton(parse(t, golden.Render(t, c.Shown))), skeleton(parse(t, golden.Render(t, harmless[i].Shown)))
			if got != want {
				t.Errorf("%s in %s: %s", what, c.Name, golden.Difference(want, got))
			}
		}
	}
}

// skeleton is a tree without its texts and values.
func skeleton(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		switch d.Type {
		case html.ElementNode:
			b.WriteString(d.Data)
			for _, a := range d.Attr {
				b.WriteString(" " + a.Key)
			}
			b.WriteString("\n")
		case html.CommentNode, html.DoctypeNode:
			b.WriteString("<!\n")
		}
	}
	return b.String()
}

// shownAttributes are those whose values people see or hear.
var shownAttributes = []string{"title", "aria-label", "alt", "placeholder"}

// Whatever is shown is safe to look at, and is all there: nothing is dropped that a reader may need.
func TestHostileTextIsShownVisibly(t *testing.T) {
	for what, text := range hostileTexts {
		for _, c := range everywhere(text) {
			found := false
			for n := range parse(t, golden.Render(t, c.Shown)).Descendants() {
				for _, shown := range shownBy(n) {
					found = found || strings.Contains(shown, components.Visible(text))
					if strings.ContainsFunc(shown, golden.Deceptive) {
						t.Errorf("%s in %s: %q is shown as it is, in <%s>", what, c.Name, shown, n.Parent.Data)
					}
				}
			}
			if !found {
				t.Errorf("%s in %s: nothing shows %q", what, c.Name, components.Visible(text))
			}
		}
	}
}

func shownBy(n *html.Node) []string {
	if n.Type == html.TextNode {
		return []string{n.Data}
	}
	var shown []string
	for _, a := range n.Attr {
		if slices.Contains(shownAttributes, a.Key) {
			shown = append(shown, a.Val)
		}
	}
	return shown
}

// Rows and heads carry the data attributes that scripts and tests rely on, with the values unchanged.
func TestTableKeepsTheContractOfNames(t *testing.T) {
	for _, text := range []string{"web-1", hostileTexts["attribute"], hostileTexts["right-to-left"]} {
		row := components.GridRow{UID: "u" + text, Namespace: "n" + text, Name: text, ResourceVersion: "r" + text}
		tree := parse(t, golden.Render(t, components.Table(components.Grid{Head: []components.HeaderCell{{Name: text}}, Rows: []components.GridRow{row}})))
		var rows, heads int
		for n := range tree.Descendants() {
			switch {
			case n.Data == "tr" && attribute(n, "data-uid") == row.UID && attribute(n, "data-namespace") == row.Namespace &&
				attribute(n, "data-name") == row.Name && attribute(n, "data-rv") == row.ResourceVersion:
				rows++
			case n.Data == "th" && attribute(n, "data-column") == text:
				heads++
			}
		}
		if rows != 1 || heads != 1 {
			t.Errorf("%q: %d rows and %d heads are found by their attributes", text, rows, heads)
		}
	}
}
