package pagetest

import (
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/fieldmark/fieldmark/web"
)

// checks are what every document promises.
var checks = []func(teller, document){
	isWhole, hasLandmarks, skipLinkComesFirst, nothingRunsOrStylesItself, whatCanBeUsedHasAName, referencesLeadSomewhere, rowsCanBeCutApart, helpOpensANewTab,
}

// isWhole: a page is a whole document.
func isWhole(t teller, d document) {
	if !strings.HasPrefix(strings.ToLower(d.markup), "<!doctype html>") || !strings.HasSuffix(strings.TrimSpace(d.markup), "</html>") {
		t.Errorf("it begins or ends in the wrong way: %.40s", d.markup)
	}
	if len(All(d.tree, "html", "lang=en", "data-wasm=off")) != 1 {
		t.Errorf("html has no language, or does not say that no scripts run")
	}
	inPicture := func(n *html.Node) bool { return n.Parent.Data != "head" }
	if titles := slices.DeleteFunc(All(d.tree, "title"), inPicture); len(titles) != 1 || !strings.HasSuffix(Said(titles[0]), "· Fieldmark") || strings.HasPrefix(Said(titles[0]), "·") {
		t.Errorf("it has no title of its own")
	}
	if len(All(d.tree, "link", "rel=stylesheet", "href=/static/fieldmark.css")) != 1 {
		t.Errorf("it loads no stylesheet")
	}
}

func hasLandmarks(t teller, d document) {
	inCluster := d.inCluster()
	for tag, want := range map[string]int{"main": 1, "header": 1, "h1": 1} {
		if got := len(All(d.tree, tag)); got != want {
			t.Errorf("%d <%s>", got, tag)
		}
	}
	if got := len(All(d.tree, "footer")); got != map[bool]int{true: 1}[inCluster] {
		t.Errorf("%d <footer>", got)
	}
	if got := len(All(d.tree, "form", "role=search")); got != map[bool]int{true: 1}[inCluster] {
		t.Errorf("%d searches", got)
	}
	if got := len(All(d.tree, "nav", "aria-label=Resource types")); got != map[bool]int{true: 1}[inCluster] {
		t.Errorf("%d lists of resource types", got)
	}
	for _, h := range All(d.tree, "h1") {
		if Said(h) == "" {
			t.Errorf("the heading is empty")
		}
	}
	seen := map[string]bool{}
	for _, n := range All(d.tree, "nav") {
		if label := Value(n, "aria-label"); label == "" || seen[label] {
			t.Errorf("a <nav> is called %q, as none or another is", label)
		} else {
			seen[label] = true
		}
	}
}

func skipLinkComesFirst(t teller, d document) {
	links := All(d.tree, "a")
	if len(links) == 0 || Value(links[0], "href") != "#main" {
		t.Errorf("the first link skips nothing")
		return
	}
	if len(All(d.tree, "main", "id=main", "tabindex=-1")) != 1 {
		t.Errorf("what it leads to cannot take the focus")
	}
}

func nothingRunsOrStylesItself(t teller, d document) {
	for _, tag := range []string{"script", "style", "iframe", "object", "embed", "base"} {
		if len(All(d.tree, tag)) != 0 {
			t.Errorf("there is a <%s>", tag)
		}
	}
	for _, n := range All(d.tree, "*") {
		for _, a := range n.Attr {
			if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
				t.Errorf("<%s> has the attribute %s", n.Data, a.Key)
			}
			if (a.Key == "href" || a.Key == "src") && !safeAddress(a.Val) {
				t.Errorf("<%s> leads to %s", n.Data, a.Val)
			}
			if a.Key == "action" && !localAddress(a.Val) {
				t.Errorf("a form is sent to %s", a.Val)
			}
		}
	}
}

func whatCanBeUsedHasAName(t teller, d document) {
	for _, tag := range []string{"a", "button", "summary", "input"} {
		for _, n := range All(d.tree, tag) {
			if Value(n, "type") != "hidden" && accessibleName(d.tree, n) == "" {
				t.Errorf("<%s href=%q name=%q> has no name", tag, Value(n, "href"), Value(n, "name"))
			}
		}
	}
	for _, n := range All(d.tree, "*", "tabindex=0") {
		if Value(n, "role") == "" || accessibleName(d.tree, n) == "" {
			t.Errorf("<%s class=%q> takes the focus without role or name", n.Data, Value(n, "class"))
		}
	}
	for _, tag := range []string{"img", "svg"} {
		for _, n := range All(d.tree, tag) {
			if _, has := attribute(n, "alt"); !has && Value(n, "aria-hidden") != "true" {
				t.Errorf("<%s> says neither what it shows nor that it shows nothing", tag)
			}
		}
	}
}

func referencesLeadSomewhere(t teller, d document) {
	ids := map[string]int{}
	for _, n := range All(d.tree, "*", "id") {
		ids[Value(n, "id")]++
	}
	for id, n := range ids {
		if n != 1 {
			t.Errorf("%d elements have the id %q", n, id)
		}
	}
	for _, key := range []string{"for", "aria-labelledby", "list"} {
		for _, n := range All(d.tree, "*", key) {
			if ids[Value(n, key)] != 1 {
				t.Errorf("<%s %s=%q> refers to nothing", n.Data, key, Value(n, key))
			}
		}
	}
	for _, n := range All(d.tree, "a") {
		if id, local := strings.CutPrefix(Value(n, "href"), "#"); local && ids[id] != 1 {
			t.Errorf("a link leads to #%s, which is not there", id)
		}
	}
}

// Living are the tables that the browser's program cuts into their rows (components.RowsBegin and RowBegins).
func Living(tree *html.Node) []*html.Node {
	return slices.DeleteFunc(All(tree, "table"), func(n *html.Node) bool { return !strings.Contains(Value(n, "class"), "fixed") })
}

// rowsCanBeCutApart: the body of a living table has no attributes, and a row begins with its id.
func rowsCanBeCutApart(t teller, d document) {
	for _, table := range Living(d.tree) {
		for _, body := range All(table, "tbody") {
			if len(body.Attr) > 0 {
				t.Errorf("<tbody> has attributes: %v", body.Attr)
			}
			for _, row := range All(body, "tr") {
				if len(row.Attr) == 0 || row.Attr[0].Key != "id" {
					t.Errorf("a row doesn’t begin with its id: %v", row.Attr)
				}
			}
		}
	}
}

// inGuide tells whether an address leads to a page of the field guide.
func inGuide(address string) bool { return web.Program(address) == web.LearnProgram }

// OpensNewTab tells whether a link opens a new tab, gives that tab no way back, and says so to everybody. A mark that asks why needn't say
// it: a script opens it in place, and the link in there says it.
func OpensNewTab(tree, link *html.Node) bool {
	said := accessibleName(tree, link) + " " + Value(link, "title")
	return Value(link, "target") == "_blank" && Value(link, "rel") == "noopener" &&
		(strings.Contains(said, "new tab") || strings.HasPrefix(Value(link, "class"), "why"))
}

// helpOpensANewTab: a recording, a stream and a draft live as long as their page, and nothing that explains it may end it.
func helpOpensANewTab(t teller, d document) {
	guide := len(All(d.tree, "a", "class=to-guide", "aria-current=page")) > 0
	for _, link := range All(d.tree, "a", "href") {
		help := inGuide(Value(link, "href")) && d.inCluster() && !guide || strings.HasPrefix(Value(link, "class"), "why")
		if opens := Value(link, "target") != ""; help && !OpensNewTab(d.tree, link) || !help && opens {
			t.Errorf("%q leads to %s with target=%q", accessibleName(d.tree, link), Value(link, "href"), Value(link, "target"))
		}
	}
}
