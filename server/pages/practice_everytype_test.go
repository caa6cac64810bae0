package pages

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"testing"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/ownership/ownershiptest"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/views"
)

// eachType calls do for each type that can be listed, with some of its objects as the API server sends them.
func eachType(t *testing.T, s *site, some int, do func(discovery.Type, []map[string]any)) {
	t.Helper()
	c, _ := s.clusters.Get(cluster.Practice)
	catalog, err := c.Catalog(t.Context(), nil)
	must(t, err)
	client, err := c.Client()
	must(t, err)
	for _, of := range catalog.Listable() {
		path := apipath.Collection(of.Group, of.Version, "", of.Resource).String()
		answer, err := client.Do(t.Context(), api.Request{Method: http.MethodGet, Path: fmt.Sprintf("%s?limit=%d", path, some)})
		var refused *api.Error
		if errors.As(err, &refused) && refused.Status.Code == http.StatusNotFound {
			now, err := c.Fresh(t.Context(), client)
			must(t, err)
			if _, served := now.Type(of.Group, of.Version, of.Resource); !served {
				continue // another test has deleted its CustomResourceDefinition since the catalog was read
			}
		}
		must(t, err)
		var list struct {
			APIVersion string           `json:"apiVersion"`
			Items      []map[string]any `json:"items"`
		}
		numbers := json.NewDecoder(bytes.NewReader(answer.Body))
		numbers.UseNumber()
		must(t, numbers.Decode(&list))
		for _, item := range list.Items {
			item["apiVersion"], item["kind"] = list.APIVersion, of.Kind // items of a list leave them out
		}
		do(of, list.Items[:min(some, len(list.Items))]) // an aggregated API may know no limit
	}
}

func metadata(object map[string]any, field string) string {
	all, _ := object["metadata"].(map[string]any)
	text, _ := all[field].(string)
	return text
}

// some are the pages of the n-th type that a run opens: all in make test-controlplanes, and two otherwise, in turn, so that all types together have all pages.
func some[T any](n int, all []T) []T {
	if os.Getenv("FIELDMARK_TEST_KUBERNETES") != "" || len(all) < 3 {
		return all
	}
	return []T{all[n%len(all)], all[(n+1)%len(all)]}
}

// TestAnObjectOfEachTypeHasItsPages opens each view of one object of each type, and the pages that write it.
func TestAnObjectOfEachTypeHasItsPages(t *testing.T) {
	s := practiceSite(t)
	c, _ := s.clusters.Get(cluster.Practice)
	catalog, err := c.Catalog(t.Context(), nil)
	must(t, err)
	client, err := c.Client()
	must(t, err)
	opened, n := 0, 0
	// visits opens a page, unless another test has deleted the object since it was listed.
	visits := func(status int, at apipath.Path, address string) {
		var refused *api.Error
		if p := s.get(address); p.code == status {
			p.inert()
			opened++
		} else if _, err := client.Do(t.Context(), api.Request{Method: http.MethodGet, Path: at.String()}); !errors.As(err, &refused) || refused.Status.Code != http.StatusNotFound {
			t.Errorf("%s answered %d, want %d: %s", address, p.code, status, p.main())
		}
	}
	eachType(t, s, 1, func(of discovery.Type, objects []map[string]any) {
		for _, object := range objects {
			at := apipath.Object(of.Group, of.Version, metadata(object, "namespace"), of.Resource, metadata(object, "name"))
			for _, view := range some(n, views.Of(of, at, catalog)) {
				visits(http.StatusOK, at, web.WithQuery(web.Page(cluster.Practice, at.String()), url.Values{web.TabField: {string(view)}}))
			}
			for _, tool := range some(n, []string{web.Apply, web.Delete, web.Representations, web.Versions}) {
				status := http.StatusOK
				if tool == web.Delete && !slices.Contains(of.Verbs, "delete") {
					status = http.StatusNotFound // the page says that it isn't possible
				}
				visits(status, at, web.WithQuery(web.Tool(cluster.Practice, tool), url.Values{"path": {at.String()}}))
			}
			n++
		}
	})
	if opened < 100 {
		t.Errorf("only %d pages", opened)
	}
}

// TestEveryFieldIsOwnedAsManagedFieldsSay compares what Fields shows of real objects with structured-merge-diff, which the API server itself reads and
// writes managedFields with: the same claims, each shown where the object has a value at its path.
func TestEveryFieldIsOwnedAsManagedFieldsSay(t *testing.T) {
	s := practiceSite(t)
	claims := 0
	eachType(t, s, 20, func(of discovery.Type, objects []map[string]any) {
		for _, object := range objects {
			record := ownership.Parse(object)
			blame := record.On(manifest.Tree(object), nil)
			for _, e := range record.Entries {
				if e.APIVersion != object["apiVersion"] {
					continue // its paths are those of another version of the object
				}
				want, err := ownershiptest.Claimed(object, e.Manager)
				must(t, err)
				got := map[string]bool{}
				for _, h := range blame.Holdings(e.Manager) {
					got[h.Path] = h.Lost == ""
				}
				if !maps.Equal(got, want) {
					t.Errorf("%s %s/%s: %s holds %v, want %v", of.FullName(), metadata(object, "namespace"), metadata(object, "name"), e.Name, got, want)
				}
				claims += len(want)
			}
		}
	})
	if claims < 3000 {
		t.Errorf("only %d claims", claims)
	}
}
