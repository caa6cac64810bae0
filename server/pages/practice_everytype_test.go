package pages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/structured-merge-diff/v4/fieldpath"
	smd "sigs.k8s.io/structured-merge-diff/v4/value"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
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

// TestAnObjectOfEachTypeHasItsPages opens each view of one object of each type, and the pages that write it.
func TestAnObjectOfEachTypeHasItsPages(t *testing.T) {
	s := practiceSite(t)
	c, _ := s.clusters.Get(cluster.Practice)
	catalog, err := c.Catalog(t.Context(), nil)
	must(t, err)
	opened := 0
	eachType(t, s, 1, func(of discovery.Type, objects []map[string]any) {
		for _, object := range objects {
			at := apipath.Object(of.Group, of.Version, metadata(object, "namespace"), of.Resource, metadata(object, "name"))
			for _, view := range views.Of(of, at, catalog) {
				s.want(http.StatusOK, web.WithQuery(web.Page(cluster.Practice, at.String()), url.Values{web.TabField: {string(view)}})).inert()
				opened++
			}
			for _, tool := range []string{web.Apply, web.Delete, web.Representations, web.Versions} {
				status := http.StatusOK
				if tool == web.Delete && !slices.Contains(of.Verbs, "delete") {
					status = http.StatusNotFound // the page says that it isn't possible
				}
				s.want(status, web.WithQuery(web.Tool(cluster.Practice, tool), url.Values{"path": {at.String()}})).inert()
				opened++
			}
		}
	})
	if opened < 200 {
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
				want := claimed(t, object, e)
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

// claimed are the paths of an entry, and whether the object has a value there.
func claimed(t *testing.T, object map[string]any, e ownership.Entry) map[string]bool {
	t.Helper()
	fields := managed(t, object, e)
	set := &fieldpath.Set{}
	must(t, set.FromJSON(bytes.NewReader(fields)))
	all := map[string]bool{}
	set.Iterate(func(p fieldpath.Path) { all[p.String()] = there(object, p) })
	return all
}

// managed is the entry's fieldsV1, as the API server sent it.
func managed(t *testing.T, object map[string]any, e ownership.Entry) []byte {
	t.Helper()
	all, _ := object["metadata"].(map[string]any)["managedFields"].([]any)
	for _, one := range all {
		entry, _ := one.(map[string]any)
		subresource, _ := entry["subresource"].(string)
		if entry["manager"] == e.Name && entry["operation"] == e.Operation && subresource == e.Subresource && entry["apiVersion"] == e.APIVersion {
			text, err := json.Marshal(entry["fieldsV1"])
			must(t, err)
			return text
		}
	}
	t.Fatalf("managedFields has no %+v", e.Manager)
	return nil
}

// there tells whether a value has something at the path.
func there(v any, path fieldpath.Path) bool {
	if len(path) == 0 {
		return true
	}
	e := path[0]
	if e.FieldName != nil {
		fields, _ := v.(map[string]any)
		below, ok := fields[*e.FieldName]
		return ok && there(below, path[1:])
	}
	items, _ := v.([]any)
	for i, item := range items {
		if fits(e, i, item) && there(item, path[1:]) {
			return true
		}
	}
	return false
}

// fits tells whether an item of a list is the one that a path names.
func fits(e fieldpath.PathElement, i int, item any) bool {
	switch {
	case e.Index != nil:
		return *e.Index == i
	case e.Value != nil:
		return same(*e.Value, item)
	}
	fields, _ := item.(map[string]any)
	for _, key := range *e.Key {
		if have, ok := fields[key.Name]; !ok || !same(key.Value, have) {
			return false
		}
	}
	return true
}

func same(want smd.Value, have any) bool {
	text, err := json.Marshal(have)
	return err == nil && strings.TrimSpace(smd.ToString(want)) == string(text)
}
