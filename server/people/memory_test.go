package people

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/server/identity"
)

// maxPerPerson is how many bytes a person's clusters may take, with catalog, document and state. It is a part of the 150 kB that a person
// with ten subscriptions may take.
const maxPerPerson = 40 << 10

// TestMemoryOfManyPeople lets many people read a catalog, and a document of a quarter of a megabyte. Both are kept once.
func TestMemoryOfManyPeople(t *testing.T) {
	var types, schemas []string
	for i := range 100 {
		types = append(types, fmt.Sprintf(`{"resource":"widgets%d","scope":"Namespaced","verbs":["get","list","watch"],"responseKind":{"kind":"Widget%d"}}`, i, i))
		schemas = append(schemas, fmt.Sprintf(`"W%d":{"x-kubernetes-group-version-kind":[{"group":"w.example.com","version":"v1","kind":"W%d"}],"properties":{"spec":{"type":"object","description":%q}}}`, i, i, strings.Repeat("x", 2000)))
	}
	catalog := `{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","items":[{"metadata":{"name":"w.example.com"},"versions":[{"version":"v1","resources":[` + strings.Join(types, ",") + `]}]}]}`
	document := `{"components":{"schemas":{` + strings.Join(schemas, ",") + `}}}`
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api", "/apis":
			w.Header().Set("Content-Type", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList")
			fmt.Fprint(w, catalog)
		case "/openapi/v3":
			fmt.Fprint(w, `{"paths":{"apis/w.example.com/v1":{"serverRelativeURL":"/openapi/v3/apis/w.example.com/v1?hash=H"}}}`)
		default:
			fmt.Fprint(w, document)
		}
	}))
	t.Cleanup(server.Close)
	h := newHouse(t, func(o *Options) { o.Sites = sites(t, server) })
	read := func(i int) {
		id := fmt.Sprint("s", i)
		h.comes(id, fmt.Sprint("p", i), strings.Repeat("t", 1200), 0)
		c, _ := h.For(identity.WithSession(t.Context(), id)).Get("k")
		if _, err := c.Catalog(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Document(t.Context(), nil, "w.example.com", "v1"); err != nil {
			t.Fatal(err)
		}
	}
	read(0)
	before := live()
	const more = 50
	for i := range more {
		read(i + 1)
	}
	each := (live() - before) / more
	t.Logf("%d bytes for each person", each)
	if each > maxPerPerson {
		t.Errorf("%d bytes for each person, more than %d", each, maxPerPerson)
	}
	runtime.KeepAlive(h)
}

// live is how many bytes are in use after a garbage collection.
func live() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
