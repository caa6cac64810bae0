package rules

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The browser's programs link views that dev/scripts/wasm-views.mjs has rewritten to make them smaller. If the script overlooks something,
// the programs grow; if it rewrites something wrongly, the browser shows something other than the server.
func TestRewrittenViewsAreWholeAndWriteTheSame(t *testing.T) {
	out := filepath.Join(t.TempDir(), "wasm")
	goroot := strings.TrimSpace(string(output(t, "go", "env", "GOROOT")))
	output(t, "node", "dev/scripts/wasm-stubs.mjs", goroot, out)
	views := rewritten(t, out+".json")
	for source, view := range views {
		text, err := os.ReadFile(view)
		if err != nil {
			t.Fatal(err)
		}
		for _, long := range []string{"GeneratedTemplate(", "templruntime.WriteString(", "templ.JoinStringErrs("} {
			if n := strings.Count(string(text), long); n > 0 {
				t.Errorf("%s: dev/scripts/wasm-views.mjs doesn't recognize %d uses of %s: has templ changed what it generates?", source, n, long)
			}
		}
	}
	overlay := filepath.Join(t.TempDir(), "views.json")
	text, err := json.Marshal(map[string]any{"Replace": views})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		t.Fatal(err)
	}
	// The golden tests hold the HTML of every component. They run on the rewritten views of the components and of all that these use.
	output(t, "go", "test", "-vet=off", "-overlay", overlay, "./components")
}

// rewritten are the views of a list of replacements: the source of each, and the file that replaces it.
func rewritten(t *testing.T, list string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Replace map[string]string }
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	views := map[string]string{}
	for source, by := range all.Replace {
		if strings.HasSuffix(source, "_templ.go") {
			views[source] = by
		}
	}
	if generated := len(files(t, "*_templ.go")); len(views) != generated {
		t.Errorf("%d of %d views are rewritten", len(views), generated)
	}
	return views
}
