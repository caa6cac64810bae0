package discovery

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// The answers in testdata were taken from a kube-apiserver v1.37.1, in both forms at the same time; /apis
// is cut down to a few groups.

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func parse(t *testing.T, name string, how func([]byte) (Catalog, error)) Catalog {
	t.Helper()
	c, err := how(read(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func aggregated(t *testing.T) Catalog {
	t.Helper()
	return Join(parse(t, "aggregated-api.json", ParseAggregated), parse(t, "aggregated-apis.json", ParseAggregated))
}

func legacy(t *testing.T) Catalog {
	t.Helper()
	c := Join(parse(t, "api.json", ParseVersions), parse(t, "apis.json", ParseGroupList))
	files, err := filepath.Glob("testdata/api*_*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		group, version, types, err := ParseResourceList(read(t, filepath.Base(file)))
		if err != nil {
			t.Fatal(err)
		}
		c = c.With(group, version, types)
	}
	return c
}

// inOrder sorts what the two forms order differently, and leaves out what only one of them tells.
func inOrder(c Catalog) Catalog {
	for _, g := range c.Groups {
		for _, v := range g.Versions {
			slices.SortFunc(v.Types, func(a, b Type) int { return strings.Compare(a.Resource, b.Resource) })
			for i, t := range v.Types {
				v.Types[i].StorageHash = ""
				slices.Sort(t.Verbs)
				slices.SortFunc(t.Subresources, func(a, b Subresource) int { return strings.Compare(a.Name, b.Name) })
			}
		}
	}
	return c
}

func TestBothFormsAgree(t *testing.T) {
	a, l := inOrder(aggregated(t)), inOrder(legacy(t))
	if len(a.Groups) != 6 || len(a.Preferred()) < 25 {
		t.Errorf("%d groups, %d types", len(a.Groups), len(a.Preferred()))
	}
	for i, g := range a.Groups {
		if !reflect.DeepEqual(g, l.Groups[i]) {
			t.Errorf("aggregated %+v\nlegacy     %+v", g, l.Groups[i])
		}
	}
}

func TestRealWords(t *testing.T) {
	c := aggregated(t)
	for word, want := range map[string]string{
		"po": "pods", "Pod": "pods", "cm": "configmaps", "hpa": "horizontalpodautoscalers.autoscaling", "deploy": "deployments.apps",
		"pdb": "poddisruptionbudgets.policy", "cj": "cronjobs.batch", "scenarios": "scenarios.practice.fieldmark.dev",
	} {
		if found := c.Find(word); len(found) != 1 || found[0].FullName() != want {
			t.Errorf("%q gave %+v", word, found)
		}
	}
	hpa, _ := c.Type("autoscaling", "", "horizontalpodautoscalers")
	if hpa.Version != "v2" {
		t.Errorf("the preferred version of autoscaling is %q", hpa.Version)
	}
	pods, _ := c.Type("", "v1", "pods")
	if eviction, ok := pods.Subresource("eviction"); !ok || eviction.Group != "policy" || eviction.Kind != "Eviction" {
		t.Errorf("%+v", eviction)
	}
	if !pods.Listable() || !pods.Watchable() || !pods.Namespaced || !slices.Contains(pods.Categories, "all") {
		t.Errorf("%+v", pods)
	}
}
