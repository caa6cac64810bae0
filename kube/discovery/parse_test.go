package discovery

import (
	"encoding/json"
	"reflect"
	"testing"
)

const aggregatedApps = `{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","metadata":{},"items":[
 {"metadata":{"name":"apps","creationTimestamp":null},"versions":[
  {"version":"v1","freshness":"Current","resources":[
   {"resource":"deployments","responseKind":{"group":"apps","version":"v1","kind":"Deployment"},"scope":"Namespaced","singularResource":"deployment",
    "verbs":["get","list"],"shortNames":["deploy"],"categories":["all"],
    "subresources":[{"subresource":"scale","responseKind":{"group":"autoscaling","version":"v1","kind":"Scale"},"verbs":["get"]},
                    {"subresource":"status","responseKind":{"group":"apps","version":"v1","kind":"Deployment"},"verbs":["get","patch"]}]}]},
  {"version":"v1beta1","freshness":"Stale"}]},
 {"metadata":{"name":"empty.example.org"}}]}`

func TestParseAggregated(t *testing.T) {
	got, err := ParseAggregated([]byte(aggregatedApps))
	if err != nil {
		t.Fatal(err)
	}
	want := Catalog{
		Groups: []Group{{Name: "apps", Preferred: "v1", Versions: []Version{
			{Name: "v1", Types: []Type{{
				Group: "apps", Version: "v1", Resource: "deployments", Kind: "Deployment", Singular: "deployment", Namespaced: true,
				Verbs: []string{"get", "list"}, ShortNames: []string{"deploy"}, Categories: []string{"all"},
				Subresources: []Subresource{
					{Name: "scale", Kind: "Scale", Group: "autoscaling", Version: "v1", Verbs: []string{"get"}},
					{Name: "status", Kind: "Deployment", Group: "apps", Version: "v1", Verbs: []string{"get", "patch"}},
				},
			}}},
			{Name: "v1beta1", Stale: true},
		}}},
		Failures: []Failure{{Group: "apps", Version: "v1beta1", How: Broken, Why: Registered}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestParseLegacy(t *testing.T) {
	core, err := ParseVersions([]byte(`{"kind":"APIVersions","versions":["v1"]}`))
	if err != nil {
		t.Fatal(err)
	}
	group, version, types, err := ParseResourceList([]byte(`{"kind":"APIResourceList","groupVersion":"v1","resources":[
	 {"name":"pods","singularName":"","namespaced":true,"kind":"Pod","verbs":["list"],"shortNames":["po"],"storageVersionHash":"xPOw="},
	 {"name":"pods/eviction","namespaced":true,"group":"policy","version":"v1","kind":"Eviction","verbs":["create"]},
	 {"name":"pods/log","namespaced":true,"kind":"Pod","verbs":["get"]},
	 {"name":"ghosts/status","namespaced":false,"kind":"Ghost"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	got := core.With(group, version, types)
	want := Catalog{Groups: []Group{{Preferred: "v1", Versions: []Version{{Name: "v1", Types: []Type{
		{
			Version: "v1", Resource: "pods", Kind: "Pod", Singular: "pod", Namespaced: true, Verbs: []string{"list"}, ShortNames: []string{"po"}, StorageHash: "xPOw=",
			Subresources: []Subresource{
				{Name: "eviction", Kind: "Eviction", Group: "policy", Version: "v1", Verbs: []string{"create"}},
				{Name: "log", Kind: "Pod", Version: "v1", Verbs: []string{"get"}},
			},
		},
		{Version: "v1", Resource: "ghosts", Verbs: []string{}, Subresources: []Subresource{{Name: "status", Kind: "Ghost", Version: "v1", Verbs: []string{}}}},
	}}}}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if len(core.Groups[0].Versions[0].Types) != 0 {
		t.Error("With changed the catalog it was called on")
	}
}

func TestParseGroupList(t *testing.T) {
	got, err := ParseGroupList([]byte(`{"kind":"APIGroupList","groups":[
	 {"name":"apps","versions":[{"groupVersion":"apps/v1","version":"v1"}],"preferredVersion":{"version":"v1"}},
	 {"name":"odd","versions":[{"version":"v2"},{"version":"v1"}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	want := Catalog{Groups: []Group{
		{Name: "apps", Preferred: "v1", Versions: []Version{{Name: "v1"}}},
		{Name: "odd", Preferred: "v2", Versions: []Version{{Name: "v2"}, {Name: "v1"}}},
	}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestParseRefusesOtherAnswers(t *testing.T) {
	resourceList := func(b []byte) error { _, _, _, err := ParseResourceList(b); return err }
	for _, body := range []string{"", "<html>", `{"kind":"Status"}`, `[]`, `{"kind":"APIGroupDiscoveryList","apiVersion":"v1"}`} {
		_, aggregated := ParseAggregated([]byte(body))
		_, versions := ParseVersions([]byte(body))
		_, groups := ParseGroupList([]byte(body))
		if aggregated == nil || versions == nil || groups == nil || resourceList([]byte(body)) == nil {
			t.Errorf("%q is taken for an answer", body)
		}
	}
}

func TestCatalogSurvivesJSON(t *testing.T) {
	want, err := ParseAggregated([]byte(aggregatedApps))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got Catalog
	if err := json.Unmarshal(text, &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v: %s", err, text)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(aggregatedApps))
	f.Fuzz(func(_ *testing.T, data []byte) {
		c, _ := ParseAggregated(data)
		c.Find("pods")
		_, _, types, _ := ParseResourceList(data)
		c.With("apps", "v1", types).Preferred()
		_, _ = ParseGroupList(data)
		_, _ = ParseVersions(data)
	})
}
