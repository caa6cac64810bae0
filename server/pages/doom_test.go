package pages

import (
	"encoding/json"
	"testing"
)

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
