package cluster

import (
	"fmt"
	"net/http"
	"runtime"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/discovery"
)

// catalogs serves discovery and documents that differ by the person who asks: ben has another group.
func catalogs() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		group := "shop.example.com"
		if r.Header.Get("Authorization") == "Bearer ben" {
			group = "secret.example.com"
		}
		switch r.URL.Path {
		case "/api", "/apis":
			w.Header().Set("Content-Type", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList")
			fmt.Fprintf(w, `{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","items":[{"metadata":{"name":%q},"versions":[{"version":"v1","resources":[{"resource":"widgets","scope":"Namespaced","verbs":["list"],"responseKind":{"kind":"Widget"}}]}]}]}`, group)
		case "/openapi/v3":
			fmt.Fprint(w, indexOf("/openapi/v3/apis/w.example.com/v1?hash=H"))
		default:
			fmt.Fprint(w, widgets)
		}
	})
}

// TestTwoSessions_OnlyEqualBytesAreShared lets three people read catalogs and documents. Two of them get the same bytes.
func TestTwoSessions_OnlyEqualBytesAreShared(t *testing.T) {
	s := site(t, catalogs())
	kept := map[string]*discovery.Catalog{}
	documents := map[string]*sized{}
	for _, name := range []string{"ada", "ada's sister", "ben"} {
		c := visit(t, s, having(name))
		_, err := c.Catalog(t.Context(), nil)
		must(t, err)
		_, err = c.Document(t.Context(), nil, "w.example.com", "v1")
		must(t, err)
		kept[name], documents[name] = c.catalog.value, c.openapi.kept["apis/w.example.com/v1"].memo.value
	}
	if kept["ada"] != kept["ada's sister"] || documents["ada"] != documents["ada's sister"] {
		t.Error("equal responses are kept twice")
	}
	if kept["ada"] == kept["ben"] {
		t.Error("a person got a catalog that was not sent to them")
	}
	if group := kept["ben"].Groups[0].Name; group != "secret.example.com" {
		t.Errorf("ben got the group %s", group)
	}
	if len(s.shelf.kept) != 4 {
		t.Errorf("%d results are on the shelf, but there were two catalogs, an index and a document", len(s.shelf.kept))
	}
}

func TestTheShelfKeepsNothingAlive(t *testing.T) {
	var s shelf
	func() {
		value, err := shelved(&s, digestOf("a"), func() ([]string, error) { return []string{"a", "b"}, nil })
		must(t, err)
		again, err := shelved(&s, digestOf("a"), func() ([]string, error) { t.Error("parsed again"); return nil, nil })
		must(t, err)
		if value != again {
			t.Error("the result was not found")
		}
		runtime.KeepAlive(value)
	}()
	for deadline := time.Now().Add(patient); ; runtime.GC() {
		s.mu.Lock()
		left := len(s.kept)
		s.mu.Unlock()
		if left == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("a result that nobody has is kept")
		}
	}
}
