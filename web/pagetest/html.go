package pagetest

import (
	"net/url"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"golang.org/x/net/html"

	"github.com/fieldmark/fieldmark/components/golden"
)

// Tree is a component as a browser reads it.
func Tree(t testing.TB, c templ.Component) *html.Node {
	t.Helper()
	return parsed(t, golden.Render(t, c))
}

func parsed(t testing.TB, markup string) *html.Node {
	t.Helper()
	tree, err := html.Parse(strings.NewReader(markup))
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// All are the elements of a tree, in order, that have the tag (any for *) and each of the attributes,
// written name or name=value.
func All(tree *html.Node, tag string, attributes ...string) []*html.Node {
	var found []*html.Node
	for n := range tree.Descendants() {
		fits := n.Type == html.ElementNode && (tag == "*" || n.Data == tag)
		for _, a := range attributes {
			key, value, exact := strings.Cut(a, "=")
			got, has := attribute(n, key)
			fits = fits && has && (!exact || got == value)
		}
		if fits {
			found = append(found, n)
		}
	}
	return found
}

func attribute(n *html.Node, name string) (value string, has bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

// Value is that of an attribute; empty: there is none.
func Value(n *html.Node, name string) string { v, _ := attribute(n, name); return v }

// Said is what an element shows, with single spaces.
func Said(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// localAddress tells addresses that stay with us; what leads elsewhere must be http or https.
func localAddress(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Scheme == "" && u.Host == "" && (strings.HasPrefix(address, "/") && !strings.HasPrefix(address, "//") || strings.HasPrefix(address, "#") || strings.HasPrefix(address, "?"))
}

func safeAddress(address string) bool {
	return localAddress(address) || strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://")
}

// accessibleName is what assistive technology calls an element.
func accessibleName(tree, n *html.Node) string {
	if label := Value(n, "aria-label"); label != "" {
		return label
	}
	if id := Value(n, "aria-labelledby"); id != "" {
		if labels := All(tree, "*", "id="+id); len(labels) == 1 {
			return Said(labels[0])
		}
		return ""
	}
	if n.Data == "input" {
		return labelOf(tree, n)
	}
	if said := Said(n); said != "" {
		return said
	}
	return Value(n, "title")
}

func labelOf(tree, input *html.Node) string {
	for p := range input.Ancestors() {
		if p.Data == "label" {
			return Said(p)
		}
	}
	if id := Value(input, "id"); id != "" {
		for _, l := range All(tree, "label", "for="+id) {
			return Said(l)
		}
	}
	return ""
}
