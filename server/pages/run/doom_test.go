package run

import (
	"encoding/json"
	"testing"

	"github.com/fieldmark/fieldmark/kube/discovery"
)

// The number of objects on the page is that of the objects that die.
func TestEachObjectDiesOnce(t *testing.T) {
	all := []string{"get", "list", "delete"}
	for name, c := range map[string]struct {
		of   discovery.Type
		want bool
	}{
		"pods":                 {discovery.Type{Resource: "pods", Verbs: all}, true},
		"events":               {discovery.Type{Resource: "events", Verbs: all}, true},
		"events.events.k8s.io": {discovery.Type{Group: "events.k8s.io", Resource: "events", Verbs: all}, false},
		"pods.metrics.k8s.io":  {discovery.Type{Group: "metrics.k8s.io", Resource: "pods", Verbs: []string{"get", "list"}}, false},
	} {
		if got := dies(c.of); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestDefinedTypeIsReadFromTheDefinition: a catalog that is older than the definition would say that no object is deleted with it.
func TestDefinedTypeIsReadFromTheDefinition(t *testing.T) {
	for spec, want := range map[string]string{
		`{"versions": [{"name": "v1", "served": true, "storage": true}]}`:                                                    "v1",
		`{"versions": [{"name": "v1beta1", "served": true}, {"name": "v1", "served": true, "storage": true}]}`:               "v1",
		`{"versions": [{"name": "v1", "served": false, "storage": true}, {"name": "v2", "served": true, "storage": false}]}`: "v2",
		`{"versions": [{"name": "v1", "served": false, "storage": true}]}`:                                                   "",
		`{}`: "",
	} {
		fields := map[string]any{}
		if err := json.Unmarshal([]byte(spec), &fields); err != nil {
			t.Fatal(err)
		}
		fields["group"], fields["scope"], fields["names"] = "example.org", "Namespaced", map[string]any{"plural": "kettles", "kind": "Kettle"}
		got := definedType(fields)
		if got.Version != want || got.FullName() != "kettles.example.org" || got.Kind != "Kettle" || !got.Namespaced {
			t.Errorf("%s: %+v", spec, got)
		}
	}
}
