package pagetest

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"github.com/fieldmark/fieldmark/components/golden"
)

// hostileTexts are what a cluster may answer with.
var hostileTexts = map[string]string{
	"markup":     "<script>alert(1)</script>" + `"><img src=x onerror=alert(1)>` + "' onmouseover='alert(1)",
	"javascript": "javascript:alert(1)",
	"unseen":     "invoice-\u202efdp.exe ad\u200bmin \x1b[31mred\x1b[0m",
	"unbroken":   strings.Repeat("unbroken", 38)[:300],
	"endings":    "</a></td></table></main></body></html><!-- ",
	"slashes":    "//evil.test/../..",
}

// harmlessLike is a harmless text of the same length. It keeps the dots, because an API group with a dot is shown as an added one.
func harmlessLike(hostile string) Text {
	plain := []byte(strings.Repeat("a", len(hostile)))
	for i := range plain {
		if hostile[i] == '.' {
			plain[i] = '.'
		}
	}
	return Text(plain)
}

// inert: hostile text leaves a page's elements and attributes just as harmless text of the same length does,
// and is shown as what it is. Nothing may lead out of Fieldmark, whatever a name looks like.
func inert(t teller, hostile, harmless *html.Node) {
	if got, want := skeleton(hostile), skeleton(harmless); got != want {
		t.Errorf("the markup differs: %s", golden.Difference(want, got))
	}
	for n := range hostile.Descendants() {
		for _, s := range shown(n) {
			if strings.ContainsFunc(s, deceptive) {
				t.Errorf("%q is shown as it is, in <%s>", s, n.Parent.Data)
			}
		}
		for _, key := range []string{"href", "action", "src"} {
			if address, has := attribute(n, key); has && !localAddress(address) {
				t.Errorf("<%s> leads to %s", n.Data, address)
			}
		}
	}
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

// deceptive are characters that are not seen or turn the direction of text. The pages' own list of them is another.
func deceptive(r rune) bool {
	return r != '\n' && r != '\t' && r != '\u200d' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r))
}
