package check

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	renderer "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"

	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

// hostile are pieces of text that would do something on a site.
var hostile = []string{
	"@octocat", "#12", "GH-12", "shop/web#3", "https://evil.example/?x", "www.evil.example", "![x](https://evil.example/a.png)", "[x](javascript:alert(1))", "<img src=x onerror=alert(1)>",
	"<script>", "</details>", "<!--", "-->", "`", "```", "~~~", "\n\n# head\n", "\n> quote", "\n- [ ] task", "|", "\n|-|-|\n", "**", "__", "<h1>", "&lt;b&gt;", "&#64;octocat", "\\", "\u202e", "\x00",
	"\r\n", "$$x$$", ":+1:", "[^1]", "plain words", "{{", "${{ secrets.TOKEN }}", "::error::", "%0A",
}

func hostileText(r *rand.Rand) string {
	text := ""
	for range 1 + r.IntN(5) {
		text += hostile[r.IntN(len(hostile))]
	}
	return text
}

// rendered is Markdown as GitHub renders it, raw HTML included. A site then removes what isn't on its list, which this test doesn't rely on.
func rendered(t *testing.T, text string) *html.Node {
	t.Helper()
	var b bytes.Buffer
	if err := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote), goldmark.WithRendererOptions(renderer.WithUnsafe())).Convert([]byte(text), &b); err != nil {
		t.Fatal(err)
	}
	tree, err := html.Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// ours are the elements that a comment is made of.
var ours = []string{"html", "head", "body", "h3", "p", "strong", "code", "pre", "details", "summary"}

// strange is what a comment would make of the text of others: an element, or a name, a number or an address in text that isn't code.
func strange(tree *html.Node) (found []string) {
	var walk func(n *html.Node, code bool)
	walk = func(n *html.Node, code bool) {
		switch {
		case n.Type == html.ElementNode && !slices.Contains(ours, n.Data), n.Type == html.ElementNode && n.Data != "code" && len(n.Attr) > 0:
			found = append(found, "<"+n.Data+">")
		case n.Type == html.TextNode && !code:
			for _, link := range []string{"@octocat", "#12", "web#3", "https://", "www.evil"} {
				if strings.Contains(n.Data, link) {
					found = append(found, n.Data)
				}
			}
		}
		for c := range n.ChildNodes() {
			walk(c, code || n.Data == "code")
		}
	}
	walk(tree, false)
	return found
}

func TestACommentRendersTextOfOthersAsText(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	kinds := check.Kinds()
	for range 1500 {
		var all []check.Finding
		for range 1 + r.IntN(4) {
			f := check.Finding{
				Kind: kinds[r.IntN(len(kinds))], Path: hostileText(r), File: hostileText(r), Line: r.IntN(3), Why: hostileText(r),
				Object: check.Object{Kind: hostileText(r), Namespace: hostileText(r), Name: hostileText(r)},
				Ways:   []check.Way{{Way: check.WayGiveUp, Text: hostileText(r)}},
				Owners: []ownership.Owner{},
			}
			f.Live, _ = json.Marshal(hostileText(r))
			f.Stated, _ = json.Marshal(hostileText(r))
			if r.IntN(3) == 0 {
				f.Expected = &check.Excuse{Reason: hostileText(r)}
			}
			all = append(all, f)
		}
		x := result{Report: Report{Report: check.ReportOf(hostileText(r), len(all), all)}, failOn: check.FailOn()}
		text := x.commentText("shop").Markdown(65_536, "rest")
		if found := strange(rendered(t, text)); len(found) > 0 {
			t.Fatalf("%q in\n%s", found, text)
		}
	}
}

func TestACommentHasEachFindingInItsPlace(t *testing.T) {
	finding := func(kind check.Kind, path string) check.Finding {
		return check.Finding{Kind: kind, Path: path, Object: check.Object{Kind: "Deployment", Namespace: "shop", Name: "web"}, File: "web.yaml", Line: 3, Why: "why " + path, Ways: []check.Way{{Way: check.WayGiveUp, Text: "way"}}}
	}
	old := finding(check.Conflict, ".spec.old")
	old.Expected = &check.Excuse{Reason: "known"}
	all := []check.Finding{finding(check.Conflict, ".spec.replicas"), finding(check.Changed, ".spec.paused"), old}
	x := result{Report: Report{Report: check.ReportOf("helm", 1, all)}, failOn: check.FailOn()}
	text := x.commentText("shop")
	got := text.Markdown(65_536, "rest")
	order := []string{
		"<!-- fieldmark check: shop -->\n### shop: 1 document: ", "An apply as `helm` was predicted", "**conflict** `Deployment shop/web` `.spec.replicas` (`web.yaml:3`)", "why .spec.replicas", "Ways out",
		"What else the apply would do: 1 finding", "`.spec.paused`", "Expected: 1 finding", "`.spec.old`", "Expected: known",
	}
	at := 0
	for _, want := range order {
		i := strings.Index(got[at:], want)
		if i < 0 {
			t.Fatalf("%q isn't there, or not in its place:\n%s", want, got)
		}
		at += i
	}
	if text.Empty || !(result{Report: Report{Report: check.ReportOf("helm", 1, nil)}}).commentText("shop").Empty {
		t.Error("only a check without findings has nothing to tell")
	}
}

func TestNamesOfComments(t *testing.T) {
	for name, ok := range map[string]bool{"shop": true, "shop-2.eu_west": true, "": true, "-->": false, "a b": false, "ä": false, strings.Repeat("a", 61): false, "-a": false} {
		if err := (options{comment: name}).wrongComment(); (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
	}
	if (options{comment: "shop", contexts: []string{"a"}}).wrongComment() == nil {
		t.Error("several contexts have no comment")
	}
}
