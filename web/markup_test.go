package web_test

import (
	"bytes"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/a-h/templ"
	"golang.org/x/net/html"
)

// render gives a page's HTML and its tree as a browser would read it.
func render(t *testing.T, page templ.Component) (string, *html.Node) {
	t.Helper()
	var b bytes.Buffer
	if err := page.Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	tree, err := html.Parse(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), tree
}

// all are the elements of a tree, in order, that have the tag (any for *) and each of the attributes,
// written name or name=value.
func all(tree *html.Node, tag string, attributes ...string) []*html.Node {
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

func value(n *html.Node, name string) string { v, _ := attribute(n, name); return v }

// text is what an element shows, with single spaces.
func text(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// skeleton is a tree without its texts and values.
func skeleton(tree *html.Node) string {
	var b strings.Builder
	for n := range tree.Descendants() {
		switch n.Type {
		case html.ElementNode:
			b.WriteString(n.Data)
			for _, a := range n.Attr {
				b.WriteString(" " + a.Key)
			}
			b.WriteString("\n")
		case html.CommentNode:
			b.WriteString("<!--\n")
		}
	}
	return b.String()
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
	if label := value(n, "aria-label"); label != "" {
		return label
	}
	if id := value(n, "aria-labelledby"); id != "" {
		if labels := all(tree, "*", "id="+id); len(labels) == 1 {
			return text(labels[0])
		}
		return ""
	}
	if n.Data == "input" {
		return labelOf(tree, n)
	}
	if said := text(n); said != "" {
		return said
	}
	return value(n, "title")
}

func labelOf(tree, input *html.Node) string {
	for p := range input.Ancestors() {
		if p.Data == "label" {
			return text(p)
		}
	}
	if id := value(input, "id"); id != "" {
		for _, l := range all(tree, "label", "for="+id) {
			return text(l)
		}
	}
	return ""
}

// deceptive are characters that are not seen or turn the direction of text.
func deceptive(r rune) bool {
	return r != '\n' && r != '\t' && r != '\u200d' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r))
}

// shown are the texts of an element's attributes that people see or hear, or the text itself.
func shown(n *html.Node) []string {
	if n.Type == html.TextNode {
		return []string{n.Data}
	}
	var texts []string
	for _, a := range n.Attr {
		if slices.Contains([]string{"title", "aria-label", "alt", "placeholder"}, a.Key) {
			texts = append(texts, a.Val)
		}
	}
	return texts
}
