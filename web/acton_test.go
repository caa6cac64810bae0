package web_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/web"
)

// An address names objects shortly, and reads as the same paths in the same order.
func TestActOnNamesObjects(t *testing.T) {
	const maps = "/api/v1/namespaces/shop/configmaps/"
	for name, c := range map[string]struct {
		paths []string
		short bool
	}{
		"one":                 {[]string{maps + "a"}, false},
		"of one namespace":    {[]string{maps + "b", maps + "a", maps + "c"}, true},
		"of two namespaces":   {[]string{maps + "b", "/api/v1/namespaces/other/configmaps/b"}, true},
		"without a namespace": {[]string{"/api/v1/nodes/a", "/api/v1/nodes/b"}, true},
		"namespaces":          {[]string{"/api/v1/namespaces/a", "/api/v1/namespaces/b"}, true},
		"with spaces":         {[]string{"/apis/rbac.authorization.k8s.io/v1/clusterroles/a%20b", "/apis/rbac.authorization.k8s.io/v1/clusterroles/a:b+c"}, true},
		"of two types":        {[]string{maps + "a", "/api/v1/namespaces/shop/pods/a"}, false},
		"no paths":            {[]string{"x", "y z"}, false},
	} {
		address := web.ActOn("practice", "label", c.paths...)
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := web.ActedOn(u.Query()); !slices.Equal(got, c.paths) {
			t.Errorf("%s: %q, from %s", name, got, address)
		}
		if u.Query().Has(web.ActIn) != c.short || u.Query().Get(web.ActName) != "label" {
			t.Errorf("%s: %s", name, address)
		}
	}
	form := url.Values{web.ActIn: {"/api/v1/configmaps"}, web.ActObjects: {"shop/a", "shop/a", "other/b c"}, web.ActPath: {maps + "a"}}
	if got, want := web.ActedOn(form), []string{maps + "a", "/api/v1/namespaces/other/configmaps/b", "/api/v1/configmaps/c"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := web.ActedOn(url.Values{web.ActIn: {"nonsense"}, web.ActObjects: {"a"}}); !slices.Equal(got, []string{"nonsense/a"}) {
		t.Errorf("%q", got)
	}
}

// The longest addresses: what Fieldmark's server and Chromium take is far above them, and usual names fit into the 8 KB of many proxies.
func TestAddressesOfManyObjects(t *testing.T) {
	paths := func(name string) (all []string) {
		for i := range web.MostActedOn {
			all = append(all, "/api/v1/namespaces/"+strings.Repeat("n", 63)+"/configmaps/"+fmt.Sprintf(name, i))
		}
		return all
	}
	for name, most := range map[string]int{"config-%03d": 8 << 10, strings.Repeat("x", 250) + "%03d": 130 << 10} {
		if got := len(web.ActOn("practice", "label", paths(name)...)); got > most {
			t.Errorf("%d bytes, and at most %d are expected", got, most)
		}
	}
}
