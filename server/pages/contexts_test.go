package pages

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/palette"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// fleet is 500 contexts. Of each 25, one has an API server that responds, 12 have one that never responds, and the others refuse the connection. It records
// which were asked.
type fleet struct {
	*site
	mu    sync.Mutex
	asked map[string]bool
}

const mostBytes = 300_000

func newFleet(t *testing.T) *fleet {
	t.Helper()
	f := &fleet{asked: map[string]bool{}}
	half, over := halfServer(map[string]http.HandlerFunc{
		"/version":       answers(200, "application/json", `{"gitVersion":"v1.33.2"}`),
		"/api/v1/pods":   answers(200, "application/json", `{"kind":"Table","apiVersion":"meta.k8s.io/v1","columnDefinitions":[{"name":"Name","type":"string"}],"rows":[]}`),
		"/readyz":        answers(200, "text/plain", "ok"),
		"/api/v1/nodes":  answers(200, "application/json", `{"kind":"Table","apiVersion":"meta.k8s.io/v1","columnDefinitions":[{"name":"Status","type":"string"}],"rows":[]}`),
		"/apis/apps/v1/": answers(404, "text/plain", "none"),
	}), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, path, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		f.mu.Lock()
		f.asked[name] = true
		f.mu.Unlock()
		if !strings.HasSuffix(name, "00") && !strings.HasSuffix(name, "25") && !strings.HasSuffix(name, "50") && !strings.HasSuffix(name, "75") {
			select {
			case <-over:
			case <-r.Context().Done():
			}
			return
		}
		r.URL.Path = "/" + path
		half(w, r)
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(over) })
	servers := map[string]string{}
	for i := range 500 {
		name := fmt.Sprintf("prod-%03d", i)
		servers[name] = server.URL + "/" + name
		if i%25 > 12 {
			servers[name] = "http://127.0.0.1:1/" + name
		}
	}
	clusters, err := cluster.Load(cluster.Options{Kubeconfig: kubeconfig(t, servers)})
	must(t, err)
	f.site = newSite(t, clusters)
	return f
}

// took are the contexts that were asked since the last call.
func (f *fleet) took() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := slices.Sorted(maps.Keys(f.asked))
	f.asked = map[string]bool{}
	return all
}

// With 500 contexts, no page grows with them, and a page asks only the contexts that it shows.
func TestPagesDontGrowWithTheContexts(t *testing.T) {
	f := newFleet(t)
	home := f.want(http.StatusOK, "/").inert()
	if rows := home.all("tr", "data-cluster=prod-000"); len(rows) != 1 || strings.Count(home.body, "<tr data-cluster=") != 50 {
		t.Fatalf("%d rows", strings.Count(home.body, "<tr data-cluster="))
	}
	home.says("1 to 50 of 500 contexts", "v1.33.2", "The API server has not responded yet.", "Nothing listens")
	for _, name := range f.took() {
		if name > "prod-049" {
			t.Errorf("the home page asks %s, which it doesn’t show", name)
		}
	}
	for address, words := range map[string]string{
		"/c/prod-100": "prod-100", "/c/prod-100/api/v1/pods": "Pods", "/c/prod-100/api/v1/namespaces/default/pods/a": "Pod", "/c/prod-100/-/compare?with=prod-400": "prod-400", "/learn": "field guide",
		"/?q=99&sort=state": "5 of 500 contexts", "/?from=450": "451 to 500 of 500 contexts", "/?from=9999": "451 to 500", "/?q=none": "No context has these words",
	} {
		f.took()
		p := f.want(http.StatusOK, address).says(words)
		if len(p.body) > mostBytes || len(home.body) > mostBytes {
			t.Errorf("%s has %d bytes, the home page %d", address, len(p.body), len(home.body))
		}
		if n := strings.Count(p.body, `class="menu-find"`); n != 1 {
			t.Errorf("%s has %d searches for a context", address, n)
		}
		asked := f.took()
		asked = slices.DeleteFunc(asked, func(name string) bool {
			return strings.Contains(p.body, `data-cluster="`+name+`"`) || name == "prod-100"
		})
		switch {
		case strings.Contains(address, "compare") && len(asked) <= 1: // the second server
		case len(asked) > 0:
			t.Errorf("%s asks %q", address, asked)
		}
	}
}

// The clusters that were used last come first in the menu, and the program finds the others by their names.
func TestMenusOfManyContextsAreSearched(t *testing.T) {
	f := newFleet(t)
	opened := f.get("/c/prod-300/api/v1/pods")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, f.server.URL+"/c/prod-325/api/v1/pods", nil)
	must(t, err)
	r.Header.Set("Cookie", opened.header.Get("Set-Cookie"))
	next := f.do(r)
	if got, want := next.header.Get("Set-Cookie"), "fieldmark-clusters=prod-325|prod-300;"; !strings.HasPrefix(got, want) {
		t.Errorf("the cookie is %q, want %q", got, want)
	}
	var first []string
	for _, l := range next.all("a") {
		if s := strings.TrimSpace(text(l)); strings.HasPrefix(s, "prod-") {
			first = append(first, s)
		}
	}
	if len(first) < 3 || !slices.Equal(first[:3], []string{"prod-325", "prod-300", "prod-000"}) {
		t.Errorf("the menu begins with %q", first)
	}
	r, err = http.NewRequestWithContext(t.Context(), http.MethodGet, f.server.URL+web.Contexts+"?q=PROD+4", nil)
	must(t, err)
	r.Header.Set("Accept", web.ContextList)
	var list palette.Contexts
	if err := json.Unmarshal([]byte(f.do(r).body), &list); err != nil || len(list.Clusters) != shell.MostClusters || list.More != 176-shell.MostClusters {
		t.Errorf("%d contexts and %d more: %v", len(list.Clusters), list.More, err)
	}
	for query, want := range map[string]int{"prod-499": 1, "none": 0, "499 prod": 1} {
		if got := len(matching(f.clusters.List(), query)); got != want {
			t.Errorf("%q finds %d contexts, want %d", query, got, want)
		}
	}
}

func TestSkewOfMoreThanOneMinorVersionIsSaid(t *testing.T) {
	for _, c := range []struct{ kubectl, server, want string }{
		{"kubectl/v1.33.1 (linux/amd64) kubernetes/abc", "v1.37.1", "Your kubectl is v1.33.1, and the server is v1.37.1."},
		{"kubectl/v1.37.1 (linux/amd64)", "v1.35.0", "Your kubectl is v1.37.1"},
		{"kubectl/v1.36.0", "v1.37.1", ""},
		{"kubectl/v1.38.0", "v1.37.1", ""},
		{"", "v1.37.1", ""},
		{"kubectl/v1.33.1", "", ""},
		{"kubectl/<b>", "v1.37.1", ""},
	} {
		if got := skew(c.kubectl, c.server); !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%q and %q: %q", c.kubectl, c.server, got)
		}
	}
}
