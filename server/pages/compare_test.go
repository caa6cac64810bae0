package pages

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/lab/compare"
)

// speaking is an API server on loopback that responds to one path with a body, and to GET /version with a version.
func speaking(t *testing.T, version, path string, status int, body string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch r.URL.Path {
		case compare.VersionPath:
			fmt.Fprintf(w, `{"gitVersion":%q}`, version)
		case path:
			w.Header().Set("Set-Cookie", "balancer=c4n4ry")
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		case "/api":
			fmt.Fprint(w, `{"kind":"APIVersions","versions":["v1"]}`)
		case "/apis":
			fmt.Fprint(w, `{"kind":"APIGroupList","groups":[]}`)
		case "/api/v1":
			fmt.Fprint(w, `{"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"nodes","kind":"Node","verbs":["get","list"]}]}`)
		default:
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"kind":"Status","code":404,"reason":"NotFound","message":"nothing here"}`)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func twoSites(t *testing.T, left, right string) *site {
	t.Helper()
	clusters := cluster.New(cluster.Options{})
	must(t, clusters.AddFile(kubeconfig(t, map[string]string{"left": left, "right": right}), cluster.FromKubeconfig))
	return newSite(t, clusters)
}

func compareAt(with, path string, more ...string) string {
	query := url.Values{compare.QueryWith: {with}, "path": {path}}
	for i := 0; i+1 < len(more); i += 2 {
		query.Set(more[i], more[i+1])
	}
	return web.WithQuery(web.Tool("left", web.Compare), query)
}

func TestTwoServers(t *testing.T) {
	const path = "/api/v1/nodes"
	s := twoSites(t, speaking(t, "v1.31.0", path, 200, `{"kind":"NodeList","metadata":{"resourceVersion":"1"}}`), speaking(t, "v1.37.1", path, 403, `{"kind":"Status","code":403,"reason":"Forbidden","message":"no"}`))
	s.want(http.StatusOK, compareAt("right", path)).says("The responses differ in the status and", "v1.31.0", "v1.37.1", "403: Not allowed (Forbidden)", `"NodeList"`).inert()
	if p := s.get(compareAt("right", path)); strings.Contains(p.body, "c4n4ry") {
		t.Error("the page has a cookie of the API server")
	}
	s.want(http.StatusOK, compareAt("left", path)).says("Both servers sent the same response", "Both requests go to the same context").inert()
	s.want(http.StatusOK, compareAt("right", "/a//b")).says("Fieldmark can’t read this path", "Nothing is sent yet").inert()
	s.want(http.StatusOK, compareAt("right", path, "method", "DELETE")).says("This request changes both clusters: left and right.", "Nothing is sent yet", "sends only a GET that reads").inert()
	s.want(http.StatusOK, compareAt("right", path+"?watch=true")).says("Nothing is sent yet")
}

func TestTwoServersAndTheOtherIsAway(t *testing.T) {
	away := httptest.NewServer(http.NotFoundHandler())
	away.Close()
	s := twoSites(t, speaking(t, "v1.37.1", "/api/v1/nodes", 200, `{}`), away.URL)
	s.want(http.StatusOK, compareAt("right", "/api/v1/nodes")).says("There is nothing to compare, because a server sent no response.", "v1.37.1", "The server doesn’t tell its version.").inert()
}

func TestOversizedInput_TwoServersAreReadToABound(t *testing.T) {
	long := `{"a":"` + strings.Repeat("x", compare.MostOpened) + `"}`
	s := twoSites(t, speaking(t, "v1", "/api/v1/nodes", 200, long), speaking(t, "v1", "/api/v1/nodes", 200, `{}`))
	p := s.want(http.StatusOK, compareAt("right", "/api/v1/nodes")).says("compares only its beginning")
	if len(p.body) > compare.MostOpened {
		t.Errorf("the page has %d bytes", len(p.body))
	}
}

func TestPracticeTwoServers(t *testing.T) {
	s := practiceSite(t)
	at := func(path string) string {
		return web.WithQuery(web.Tool(cluster.Practice, web.Compare), url.Values{compare.QueryWith: {cluster.Practice + "-viewer"}, "path": {path}})
	}
	s.want(http.StatusOK, at("/api/v1/namespaces/shop/secrets?limit=1")).says("The responses differ in the status", "403: Not allowed (Forbidden)", "Values of Secrets and tokens are hidden").inert()
	s.want(http.StatusOK, at("/api/v1/namespaces/shop/services")).says("Both servers sent the same response, apart from what always differs.").inert()
	s.want(http.StatusOK, web.Tool(cluster.Practice, web.Compare)).says("Requests worth a comparison").inert()
}
