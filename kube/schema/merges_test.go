package schema

import (
	"os"
	"strings"
	"testing"
)

// Fields are merged as API servers merge them. testdata/merges.txt is what k8s.io/kube-openapi/pkg/schemaconv, which API
// servers use, makes of the same documents; it is not linked here, because it would bring fifteen modules along.
func TestFieldsMergeAsAPIServersMergeThem(t *testing.T) {
	text, err := os.ReadFile("testdata/merges.txt")
	if err != nil {
		t.Fatal(err)
	}
	schemas := map[string]Schema{}
	for _, k := range []Kind{deployments, configMaps, services, scenarios, promotions, regions, {"", "v1", "Secret"}, {"autoscaling", "v1", "Scale"}} {
		name := "apis_" + k.Group + "_" + k.Version
		switch k.Group {
		case "":
			name = "api_v1"
		case "autoscaling":
			name = "apis_apps_v1"
		}
		s, found := document(t, name).Schema(k)
		if !found {
			t.Fatalf("there is no %v", k)
		}
		schemas[k.Kind] = s
	}
	for line := range strings.Lines(string(text)) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		path, want, _ := strings.Cut(rest, " ")
		f := at(t, schemas[kind], path)
		if f.Type == "integer or string" && want == "untyped" {
			want = "single" // to API servers it might be anything, as it is written
		}
		if got := strings.Join(append([]string{string(f.Merge.Strategy)}, f.Merge.Keys...), " "); got != want {
			t.Errorf("%s %s is merged as %q, want %q", kind, path, got, want)
		}
	}
}
