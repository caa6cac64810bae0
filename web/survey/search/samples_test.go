package search

import (
	"net/url"
	"testing"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples) }

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	frame := s.Shell(apipath.Path{})
	frame.Cluster = shell.Cluster{}
	begin := func(query url.Values) Model {
		m := Model{Query: ParseQuery(query), Total: 30, Matching: 30}
		m.Kind, m.Shell = Kind, frame
		return m
	}
	notice := s.Notice()
	hit := Hit{Name: s.String(), Beside: s.String(), What: s.String(), Href: web.Page("one", "/api/v1/nodes/a"), Path: "/api/v1/nodes/a"}
	found := begin(url.Values{web.SearchQuery: {"web"}, QueryContexts: {s.String()}, QueryFrom: {"25"}})
	found.Clusters = []Cluster{
		{Cluster: shell.Cluster{Slug: "none", Name: s.String()}, Looked: s.String(), Same: []string{s.String()}},
		{Cluster: shell.Cluster{Slug: "bad", Name: s.String()}, Trouble: &notice},
		{Cluster: shell.Cluster{Slug: "one", Name: s.String()}, Hits: []Hit{hit}, More: 1200, Looked: s.String(), Notes: []string{s.String()}, Ahead: true, Late: true},
		{Cluster: shell.Cluster{Slug: "two", Name: s.String()}, Hits: []Hit{hit}, Looked: s.String()},
	}
	none, nowhere := begin(nil), begin(url.Values{web.SearchQuery: {"web"}, QueryContexts: {s.String()}})
	none.Total, none.Matching, nowhere.Matching = 0, 0, 0
	return map[string]page.Page{
		"search":             found,
		"search, empty":      begin(nil),
		"search, short":      begin(url.Values{web.SearchQuery: {"w"}}),
		"search, none":       none,
		"search, no context": nowhere,
	}
}

func TestTheFormSearchesAgain(t *testing.T) {
	m := Model{Query: ParseQuery(url.Values{web.SearchQuery: {"web"}})}
	for query, want := range map[string]page.Cmd{"web": page.Reload{}, "other": page.Navigate{Address: "/-/search?q=other"}} {
		if _, got := m.Update(page.Addressed{Query: url.Values{web.SearchQuery: {query}}}); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %v", query, got)
		}
	}
}

func TestTheAddressHasTheWholeQuery(t *testing.T) {
	q := Query{Words: "deploy web", Contexts: "prod eu", Namespace: "shop", Further: true, From: 25}
	u, err := url.Parse(q.Address())
	if err != nil || ParseQuery(u.Query()) != q {
		t.Errorf("%s: %+v, %v", q.Address(), ParseQuery(u.Query()), err)
	}
	if got := ParseQuery(url.Values{QueryNamespace: {"../../secrets"}}); got.Namespace != "" {
		t.Errorf("the namespace %q", got.Namespace)
	}
	for _, wrong := range []string{"-1", "x", "99999999999999999999"} {
		if got := ParseQuery(url.Values{QueryFrom: {wrong}}); got.From != 0 {
			t.Errorf("from %s: %d", wrong, got.From)
		}
	}
}
