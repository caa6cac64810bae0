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
	"time"

	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/palette"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// fleet is 500 contexts. Of each 25, one has an API server that responds, 12 have one that never responds, and the others refuse the connection. It records
// which were asked.
type fleet struct {
	*site
	seen  map[string]bool // the contexts that pages have shown
	mu    sync.Mutex
	asked map[string]bool
}

const mostBytes = 300_000

func newFleet(t *testing.T) *fleet {
	t.Helper()
	f := &fleet{asked: map[string]bool{}, seen: map[string]bool{}}
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
	clusters, err := cluster.Load(cluster.Options{Kubeconfig: kubeconfig(t, servers), ProbeTimeout: time.Minute})
	must(t, err)
	f.site = newSite(t, clusters)
	return f
}

// unseen are the contexts that were asked, although no page has shown them.
func (f *fleet) unseen() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.DeleteFunc(slices.Sorted(maps.Keys(f.asked)), func(name string) bool { return f.seen[name] })
}

// shows notes which contexts a page shows.
func (f *fleet) shows(p answered) {
	for row := range strings.SplitSeq(p.body, `<tr data-cluster="`) {
		if name, _, ok := strings.Cut(row, `"`); ok && strings.HasPrefix(name, "prod-") {
			f.seen[name] = true
		}
	}
}

// With 500 contexts, no page grows with them, and a page asks only the contexts that it shows.
func TestPagesDontGrowWithTheContexts(t *testing.T) {
	f := newFleet(t)
	home := f.want(http.StatusOK, "/").inert()
	for !strings.Contains(home.body, "v1.33.2") || !strings.Contains(home.body, "Nothing listens") {
		home = f.want(http.StatusOK, "/") // the first one doesn't wait for them
	}
	f.shows(home)
	home.says("1 to 25 of 500 contexts", "The API server has not responded yet.")
	if len(f.seen) != 25 || !f.seen["prod-024"] {
		t.Errorf("the home page shows %q", slices.Sorted(maps.Keys(f.seen)))
	}
	for address, words := range map[string]string{
		"/": "prod-000", "/c/prod-100": "prod-100", "/c/prod-100/api/v1/pods": "Pods", "/c/prod-100/api/v1/namespaces/default/pods/a": "Pod",
		"/c/prod-100/-/compare?with=prod-400": "This menu lists 21 of 500 contexts", "/learn": "field guide",
		"/?q=99&sort=state": "5 matches in 500 contexts", "/?from=475": "476 to 500 of 500 contexts", "/?from=9999": "476 to 500", "/?q=none": "No context has these words",
	} {
		f.seen["prod-100"], f.seen["prod-400"] = true, true
		p := f.want(http.StatusOK, address).says(words)
		f.shows(p)
		if len(p.body) > mostBytes {
			t.Errorf("%s has %d bytes", address, len(p.body))
		}
		if n := strings.Count(p.body, `class="menu-find"`); n != 1 {
			t.Errorf("%s has %d searches for a context", address, n)
		}
		if unseen := f.unseen(); len(unseen) > 0 {
			t.Errorf("%s asks %q", address, unseen)
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

func TestKubectlMayBeOneMinorVersionAway(t *testing.T) {
	for _, c := range []struct {
		kubectl, server string
		want            int
	}{
		{"v1.33.1", "v1.37.1", -4},
		{"v1.37.1", "v1.35.0", 2},
		{"v1.36.0", "v1.37.1", 0},
		{"v1.38.0", "v1.37.1", 0},
		{"", "v1.37.1", 0},
		{"v1.33.1", "", 0},
		{"<b>", "v1.37.1", 0},
	} {
		if got := behind(c.kubectl, c.server); got != c.want {
			t.Errorf("%q and %q: %d, want %d", c.kubectl, c.server, got, c.want)
		}
	}
}
