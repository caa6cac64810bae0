package check

import (
	"bytes"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"github.com/fieldmark/fieldmark/kube/check"
)

// A parser of GitHub's Markdown finds no markup in the report that text from a cluster or a manifest put there.
func FuzzHostileTextIsPlainInMarkdown(f *testing.F) {
	for _, hostile := range []string{
		"plain", "[a](https://evil.example)", "![a](https://evil.example/x.png)", "<img src=x>", "<https://evil.example>", "</td></table>",
		"https://evil.example", "www.evil.example", "me@example.com", "ftp://evil.example", "mailto:me@example.com", "\n# head", "a\n\n---\n", "`x`", "```", "**b**", "~~s~~", "a|b", "\\|", "\\",
		"&lt;b&gt;", "<!--", "-->", "[a]: https://evil.example\n[a]", "\u202e", "xmpp:me@example.com",
	} {
		f.Add(hostile, hostile)
	}
	f.Fuzz(func(t *testing.T, object, why string) {
		r := found()
		r.ways = true
		r.Findings = r.Findings[:1]
		r.Findings[0].Object.Name, r.Findings[0].Path, r.Findings[0].Why = object, object, why
		r.Report = Report{Report: check.ReportOf("helm", 1, r.Findings)}
		var b bytes.Buffer
		if err := markdown(&b, r); err != nil {
			t.Fatal(err)
		}
		if said := markup(t, b.Bytes()); said["Heading"] != 1 || said["TableRow"] != 1 || said["TableCell"] != 8 || said["Emphasis"] != 1 || said["FencedCodeBlock"] != 1 {
			t.Errorf("%v in\n%s", said, &b)
		}
	})
}

// markup counts the nodes of Markdown by kind. Links, images, code and HTML other than empty comments fail the test.
func markup(t *testing.T, source []byte) map[string]int {
	t.Helper()
	count := map[string]int{}
	tree := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	err := ast.Walk(tree, func(n ast.Node, in bool) (ast.WalkStatus, error) {
		if !in {
			return ast.WalkContinue, nil
		}
		count[n.Kind().String()]++
		switch n := n.(type) {
		case *ast.Link, *ast.AutoLink, *ast.Image, *ast.CodeSpan, *ast.HTMLBlock:
			t.Errorf("%s in\n%s", n.Kind(), source)
		case *ast.RawHTML:
			if html := string(n.Segments.Value(source)); html != "<!-- -->" {
				t.Errorf("HTML %q in\n%s", html, source)
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return count
}
