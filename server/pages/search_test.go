package pages

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/survey/search"
)

func searchFor(words string, more ...string) string {
	query := url.Values{web.SearchQuery: {words}}
	for i := 0; i+1 < len(more); i += 2 {
		query.Set(more[i], more[i+1])
	}
	return web.WithQuery(web.Search, query)
}

// nodesNamed is a list of nodes with these names.
func nodesNamed(names ...string) string {
	items := make([]string, len(names))
	for i, name := range names {
		items[i] = fmt.Sprintf(`{"metadata":{"name":%q}}`, name)
	}
	return `{"kind":"PartialObjectMetadataList","metadata":{},"items":[` + strings.Join(items, ",") + `]}`
}

func TestSearchOfAllClusters(t *testing.T) {
	const nodes = "/api/v1/nodes"
	away := httptest.NewServer(http.NotFoundHandler())
	away.Close()
	release := make(chan struct{})
	silent := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	t.Cleanup(silent.Close)
	t.Cleanup(func() { close(release) })
	clusters := cluster.New(cluster.Options{})
	must(t, clusters.AddFile(kubeconfig(t, map[string]string{
		"left": speaking(t, "v1.31.0", nodes, 200, nodesNamed("web-1", "other")), "right": speaking(t, "v1.37.1", nodes, 200, nodesNamed("web-1", "web-2")),
		"refusing": speaking(t, "v1.37.1", nodes, 403, `{"kind":"Status","code":403,"reason":"Forbidden","message":"no"}`), "away": away.URL, "silent": silent.URL,
	}), cluster.FromKubeconfig))
	s := newSite(t, clusters)
	began := time.Now()
	p := s.want(http.StatusOK, searchFor("web")).says("3 results in 2 of 5 contexts.", "2 contexts couldn’t be searched.", "web-1", "web-2", "Compare with right", "You don’t have permission to list nodes",
		"The API server has not responded within 2 seconds").inert()
	if took := time.Since(began); took > 15*time.Second { // generous: the machine may be busy
		t.Errorf("the page took %s", took)
	}
	if strings.Contains(p.body, ">other<") {
		t.Error("the page has what wasn't searched")
	}
	for _, slug := range []string{"left", "right", "refusing", "away", "silent"} {
		if len(p.all("section", "data-cluster="+slug)) != 1 {
			t.Errorf("%s has no state", slug)
		}
	}
	s.want(http.StatusOK, searchFor("web", search.QueryContexts, "LEFT")).says("1 result in 1 of 1 context.").inert()
	s.want(http.StatusOK, searchFor("web", search.QueryContexts, "nosuch")).says("No context has these words in its name").inert()
	s.want(http.StatusOK, searchFor("w")).says("Write at least two letters").inert()
	s.want(http.StatusOK, web.Search).says("Write a part of a name.").inert()
	s.want(http.StatusOK, searchFor("web", search.QueryFrom, "99999999999999999999")).says("3 results").inert()
}

// A cluster whose lists take too long is said to be searched in part.
func TestSearchThatIsLate(t *testing.T) {
	release := make(chan struct{})
	nodes := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release })
	s := halfWell(t, map[string]http.HandlerFunc{"/apis/half.example.com/v1/cups": nodes, "/apis/half.example.com/v1": answers(200, "application/json", `{"kind":"APIResourceList","groupVersion":"half.example.com/v1","resources":[{"name":"cups","kind":"Cup","namespaced":true,"verbs":["get","list"]}]}`)})
	t.Cleanup(func() { close(release) })
	s.want(http.StatusOK, searchFor("nothing", search.QueryFurther, "1")).says("searched in part", "In 1 context, the search ended after 2 seconds.").inert()
}

// With more contexts than are searched at once, the others are said, and led to. None of them is asked.
func TestSearchOfManyContexts(t *testing.T) {
	all := map[string]string{}
	server := speaking(t, "v1.37.1", "/api/v1/nodes", 200, nodesNamed("web"))
	for i := range search.MostClusters + 3 {
		all[fmt.Sprintf("c%02d", i)] = server
	}
	clusters := cluster.New(cluster.Options{})
	must(t, clusters.AddFile(kubeconfig(t, all), cluster.FromKubeconfig))
	s := newSite(t, clusters)
	p := s.want(http.StatusOK, searchFor("web")).says("3 contexts are not searched here.", "Search the next contexts", "The same API server as c01, c02, c03 and 24 other contexts.").inert()
	if n := len(p.all("section", "class=search-cluster")); n != search.MostClusters {
		t.Errorf("%d contexts were searched", n)
	}
	s.want(http.StatusOK, searchFor("web", search.QueryFrom, "25")).says("3 results in 3 of 3 contexts.", "Search the contexts before").inert()
}

func TestPracticeSearch(t *testing.T) {
	s := practiceSite(t)
	s.want(http.StatusOK, searchFor("storefront")).says("in 1 of 2 contexts", "You don’t have permission to list", "The same API server as practice.").inert()
	p := s.want(http.StatusOK, searchFor("storefront", search.QueryNamespace, "shop")).says("in 2 of 2 contexts", "Compare with practice-viewer", "Only namespace shop of").inert()
	if strings.Contains(p.body, "couldn’t be searched") {
		t.Error("a practice cluster was not searched")
	}
}
