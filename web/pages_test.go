package web_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"golang.org/x/net/html"

	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/read/collection"
)

// onEachPage runs a check on every page in every state.
func onEachPage(t *testing.T, check func(t *testing.T, name string, tree *html.Node)) {
	t.Helper()
	for name, page := range sample("some-text").pages() {
		t.Run(name, func(t *testing.T) {
			_, tree := render(t, page)
			check(t, name, tree)
		})
	}
}

func TestEveryPageIsAWholeDocument(t *testing.T) {
	for name, page := range sample("some-text").pages() {
		markup, tree := render(t, page)
		if !strings.HasPrefix(strings.ToLower(markup), "<!doctype html>") || !strings.HasSuffix(strings.TrimSpace(markup), "</html>") {
			t.Errorf("%s begins or ends in the wrong way: %.40s", name, markup)
		}
		if len(all(tree, "html", "lang=en", "data-wasm=off")) != 1 {
			t.Errorf("%s: html has no language, or does not say that no scripts run", name)
		}
		inPicture := func(n *html.Node) bool { return n.Parent.Data != "head" }
		if titles := slices.DeleteFunc(all(tree, "title"), inPicture); len(titles) != 1 || !strings.HasSuffix(text(titles[0]), "· Fieldmark") || strings.HasPrefix(text(titles[0]), "·") {
			t.Errorf("%s has no title of its own", name)
		}
		if len(all(tree, "link", "rel=stylesheet", "href=/static/fieldmark.css")) != 1 {
			t.Errorf("%s loads no stylesheet", name)
		}
	}
}

func TestEveryPageHasLandmarks(t *testing.T) {
	onEachPage(t, func(t *testing.T, name string, tree *html.Node) {
		inCluster := strings.HasPrefix(name, "in ")
		for tag, want := range map[string]int{"main": 1, "header": 1, "h1": 1} {
			if got := len(all(tree, tag)); got != want {
				t.Errorf("%d <%s>", got, tag)
			}
		}
		if got := len(all(tree, "footer")); got != map[bool]int{true: 1}[inCluster] {
			t.Errorf("%d <footer>", got)
		}
		if got := len(all(tree, "form", "role=search")); got != map[bool]int{true: 1}[inCluster] {
			t.Errorf("%d searches", got)
		}
		if got := len(all(tree, "nav", "aria-label=Resource types")); got != map[bool]int{true: 1}[inCluster] {
			t.Errorf("%d lists of resource types", got)
		}
		for _, h := range all(tree, "h1") {
			if text(h) == "" {
				t.Error("the heading is empty")
			}
		}
		seen := map[string]bool{}
		for _, n := range all(tree, "nav") {
			if label := value(n, "aria-label"); label == "" || seen[label] {
				t.Errorf("a <nav> is called %q, as none or another is", label)
			} else {
				seen[label] = true
			}
		}
	})
}

func TestTheSkipLinkComesFirst(t *testing.T) {
	onEachPage(t, func(t *testing.T, _ string, tree *html.Node) {
		links := all(tree, "a")
		if len(links) == 0 || value(links[0], "href") != "#main" {
			t.Fatal("the first link skips nothing")
		}
		if len(all(tree, "main", "id=main", "tabindex=-1")) != 1 {
			t.Error("what it leads to cannot take the focus")
		}
	})
}

func TestNothingRunsOrStylesItselfInAPage(t *testing.T) {
	onEachPage(t, func(t *testing.T, _ string, tree *html.Node) {
		for _, tag := range []string{"script", "style", "iframe", "object", "embed", "base"} {
			if len(all(tree, tag)) != 0 {
				t.Errorf("there is a <%s>", tag)
			}
		}
		for _, n := range all(tree, "*") {
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
	})
}

func TestEverythingThatCanBeUsedHasAName(t *testing.T) {
	onEachPage(t, func(t *testing.T, _ string, tree *html.Node) {
		for _, tag := range []string{"a", "button", "summary", "input"} {
			for _, n := range all(tree, tag) {
				if value(n, "type") != "hidden" && accessibleName(tree, n) == "" {
					t.Errorf("<%s href=%q name=%q> has no name", tag, value(n, "href"), value(n, "name"))
				}
			}
		}
		for _, n := range all(tree, "*", "tabindex=0") {
			if value(n, "role") == "" || accessibleName(tree, n) == "" {
				t.Errorf("<%s class=%q> takes the focus without role or name", n.Data, value(n, "class"))
			}
		}
		for _, tag := range []string{"img", "svg"} {
			for _, n := range all(tree, tag) {
				if _, has := attribute(n, "alt"); !has && value(n, "aria-hidden") != "true" {
					t.Errorf("<%s> says neither what it shows nor that it shows nothing", tag)
				}
			}
		}
	})
}

func TestReferencesWithinAPageLeadSomewhere(t *testing.T) {
	onEachPage(t, func(t *testing.T, _ string, tree *html.Node) {
		ids := map[string]int{}
		for _, n := range all(tree, "*", "id") {
			ids[value(n, "id")]++
		}
		for id, n := range ids {
			if n != 1 {
				t.Errorf("%d elements have the id %q", n, id)
			}
		}
		for _, key := range []string{"for", "aria-labelledby", "list"} {
			for _, n := range all(tree, "*", key) {
				if ids[value(n, key)] != 1 {
					t.Errorf("<%s %s=%q> refers to nothing", n.Data, key, value(n, key))
				}
			}
		}
		for _, n := range all(tree, "a") {
			if id, local := strings.CutPrefix(value(n, "href"), "#"); local && ids[id] != 1 {
				t.Errorf("a link leads to #%s, which is not there", id)
			}
		}
	})
}

func TestCollectionRowsKeepTheContractOfNames(t *testing.T) {
	m := sample("some-text").collection()
	_, tree := render(t, page.View(m))
	rows := all(tree, "tr", "data-uid", "data-namespace", "data-name", "data-rv")
	if len(rows) != len(m.Table.Rows) || len(rows) != len(all(tree, "tbody"))*len(m.Table.Rows) {
		t.Errorf("%d of %d rows carry their data", len(rows), len(m.Table.Rows))
	}
	var columns []string
	for _, h := range all(tree, "th", "data-column", "scope=col") {
		columns = append(columns, value(h, "data-column"))
	}
	if got := strings.Join(columns, " "); got != "Namespace some-text Ready Status" {
		t.Errorf("columns: %s", got)
	}
	for _, r := range rows {
		if cells := all(r, "td"); len(cells) != len(columns) {
			t.Errorf("%d cells under %d heads", len(cells), len(columns))
		}
	}
}

// The browser's program cuts living tables into their rows (components.RowsBegin and RowBegins): their body has no attributes, and a row
// begins with its id.
func TestRowsOfLivingTablesCanBeCutApart(t *testing.T) {
	tables := 0
	onEachPage(t, func(t *testing.T, _ string, tree *html.Node) {
		for _, table := range all(tree, "table") {
			if !strings.Contains(value(table, "class"), "fixed") {
				continue
			}
			tables++
			for _, body := range all(table, "tbody") {
				if len(body.Attr) > 0 {
					t.Errorf("<tbody> has attributes: %v", body.Attr)
				}
				for _, row := range all(body, "tr") {
					if len(row.Attr) == 0 || row.Attr[0].Key != "id" {
						t.Errorf("a row doesn't begin with its id: %v", row.Attr)
					}
				}
			}
		}
	})
	if tables < 2 {
		t.Errorf("%d living tables: collections and the wire log have one each", tables)
	}
}

func TestCollectionFormAsksAsTheAddressDoes(t *testing.T) {
	m := sample("some-text").collection()
	m.Query = collection.Query{LabelSelector: "a=b", FieldSelector: "c=d", Filter: "some", Limit: 7, Wide: true, Continue: "token"}
	_, tree := render(t, page.View(m))
	form := all(tree, "form", "method=get", "action=/c/practice/api/v1/pods")
	if len(form) != 1 {
		t.Fatalf("%d forms", len(form))
	}
	got := map[string]string{}
	for _, i := range all(form[0], "input") {
		got[value(i, "name")] = value(i, "value")
	}
	for key, want := range map[string]string{"labelSelector": "a=b", "fieldSelector": "c=d", "filter": "some", "limit": "7", "wide": "1"} {
		if got[key] != want {
			t.Errorf("%s is sent as %q", key, got[key])
		}
	}
	if _, has := got["continue"]; has {
		t.Error("a new selection would go on in the middle of the old one")
	}
}

func TestChunksLeadOn(t *testing.T) {
	m := sample("some-text").collection()
	m.Query.Sort.Column = "Status"
	_, tree := render(t, page.View(m))
	next := all(tree, "a", "rel=next")
	if len(next) != 1 || value(next[0], "href") != "/c/practice/api/v1/pods?continue=some-text&sort=Status" || text(next[0]) != "Next 500 of 12,000 more" {
		t.Errorf("%d links to the next chunk", len(next))
	}
	m.Query.Continue, m.Table.Continue = "t", ""
	_, tree = render(t, page.View(m))
	if len(all(tree, "a", "rel=next")) != 0 || len(all(tree, "a", "rel=first")) != 1 {
		t.Error("the last chunk leads on, or not back")
	}
}

func TestATabIsCurrent(t *testing.T) {
	for name, page := range sample("some-text").objects() {
		_, tree := render(t, page)
		tabs := all(tree, "nav", "aria-label=Views of this object")
		if len(tabs) != 1 || len(all(tabs[0], "a", "aria-current=page")) != 1 {
			t.Errorf("%s: no tab, or several, are current", name)
		}
	}
}

// Hostile text leaves a page's elements and attributes just as harmless text of the same length does,
// and is shown as what it is. Nothing may lead out of Fieldmark, whatever a name looks like.
func TestHostileTextIsInertOnEveryPage(t *testing.T) {
	for what, hostile := range hostileTexts {
		harmless := sample(harmlessLike(hostile)).pages()
		for name, page := range sample(hostile).pages() {
			t.Run(what+" "+name, func(t *testing.T) { inert(t, page, harmless[name]) })
		}
	}
}

// harmlessLike is a harmless text of the same length. It keeps the dots, because an API group with a dot is shown as an added one.
func harmlessLike(hostile string) string {
	harmless := []byte(strings.Repeat("a", len(hostile)))
	for i := range harmless {
		if hostile[i] == '.' {
			harmless[i] = '.'
		}
	}
	return string(harmless)
}

func inert(t *testing.T, hostile, harmless templ.Component) {
	t.Helper()
	_, tree := render(t, hostile)
	_, plain := render(t, harmless)
	if got, want := skeleton(tree), skeleton(plain); got != want {
		t.Errorf("the markup differs: %s", firstDifference(got, want))
	}
	for n := range tree.Descendants() {
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

func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return "element " + a[i] + " instead of " + b[i]
		}
	}
	return "one goes on where the other ends"
}
