package collection

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func TestCollectionRowsKeepTheContractOfNames(t *testing.T) {
	m := collection("some-text")
	tree := pagetest.Tree(t, page.View(m))
	if len(pagetest.Living(tree)) != 1 {
		t.Error("the table isn’t known as one that is cut into its rows")
	}
	rows := pagetest.All(tree, "tr", "data-uid", "data-namespace", "data-name", "data-rv")
	if len(rows) != len(m.Table.Rows) || len(rows) != len(pagetest.All(tree, "tbody"))*len(m.Table.Rows) {
		t.Errorf("%d of %d rows carry their data", len(rows), len(m.Table.Rows))
	}
	var columns []string
	for _, h := range pagetest.All(tree, "th", "data-column", "scope=col") {
		columns = append(columns, pagetest.Value(h, "data-column"))
	}
	if got := strings.Join(columns, " "); got != "Namespace some-text Ready Status" {
		t.Errorf("columns: %s", got)
	}
	for _, r := range rows {
		if cells := pagetest.All(r, "td"); len(cells) != len(columns) {
			t.Errorf("%d cells under %d heads", len(cells), len(columns))
		}
	}
}

func TestCollectionFormAsksAsTheAddressDoes(t *testing.T) {
	m := collection("some-text")
	m.Query = Query{LabelSelector: "a=b", FieldSelector: "c=d", Filter: "some", Limit: 7, Wide: true, Continue: "token"}
	tree := pagetest.Tree(t, page.View(m))
	form := pagetest.All(tree, "form", "class=toolbar", "method=get", "action=/c/practice/api/v1/pods")
	if len(form) != 1 {
		t.Fatalf("%d forms", len(form))
	}
	got := map[string]string{}
	for _, i := range pagetest.All(form[0], "input") {
		got[pagetest.Value(i, "name")] = pagetest.Value(i, "value")
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
	m := collection("some-text")
	m.Query.Sort.Column = "Status"
	tree := pagetest.Tree(t, page.View(m))
	next := pagetest.All(tree, "a", "rel=next")
	if len(next) != 1 || pagetest.Value(next[0], "href") != "/c/practice/api/v1/pods?continue=some-text&sort=Status" || pagetest.Said(next[0]) != "Next 500 of 12,000 more" {
		t.Errorf("%d links to the next chunk", len(next))
	}
	m.Query.Continue, m.Table.Continue = "t", ""
	tree = pagetest.Tree(t, page.View(m))
	if len(pagetest.All(tree, "a", "rel=next")) != 0 || len(pagetest.All(tree, "a", "rel=first")) != 1 {
		t.Error("the last chunk leads on, or not back")
	}
}
