package ask

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// folder writes files into a new folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	at := t.TempDir()
	for name, text := range files {
		path := filepath.Join(at, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return at
}

const settings = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n"

// TestKustomizationsStayOnThisMachine: a server counts what is downloaded.
func TestKustomizationsStayOnThisMachine(t *testing.T) {
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		_, _ = w.Write([]byte(settings))
	}))
	defer server.Close()
	there := server.URL + "/a.yaml"
	transformer := "apiVersion: builtin\nkind: PatchTransformer\nmetadata:\n  name: p\npath: " + there + "\n"
	for what, text := range map[string]string{
		"a resource": "resources: [" + there + "]", "a resource, with capitals": "resources: [" + strings.Replace(there, "http", "HTTP", 1) + "]",
		"a base": "bases: [\"" + server.URL + "/org/repo?ref=main\"]", "a component": "components: [github.com/org/repo]", "a repository with a user": "resources: [\"git@127.0.0.1:org/repo\"]",
		"a forced repository": "resources: [\"git::" + there + "\"]", "a patch": "resources: [a.yaml]\npatches: [{path: " + there + "}]", "an older patch": "resources: [a.yaml]\npatchesStrategicMerge: [" + there + "]",
		"a replacement": "resources: [a.yaml]\nreplacements: [{path: " + there + "}]", "a file of a generator": "configMapGenerator: [{name: c, files: [\"k=" + there + "\"]}]", "variables": "secretGenerator: [{name: c, envs: [" + there + "]}]",
		"a schema": "openapi: {path: " + there + "}", "a transformer in place": "resources: [a.yaml]\ntransformers:\n- |-\n  " + strings.ReplaceAll(transformer, "\n", "\n  "), "a transformer in a file": "resources: [a.yaml]\ntransformers: [t.yaml]",
		"below a folder": "resources: [below]", "another folder": "resources: [../other]",
	} {
		at := folder(t, map[string]string{
			"a/kustomization.yaml": text, "a/a.yaml": settings, "a/t.yaml": transformer, "a/below/kustomization.yml": "resources: [" + there + "]", "other/Kustomization": "crds: [" + there + "]",
		})
		if _, err := kustomized(filepath.Join(at, "a"), false); err == nil || !strings.Contains(err.Error(), "--allow-remote") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := kustomized(server.URL+"/org/repo", false); err == nil || !strings.Contains(err.Error(), "--allow-remote") {
		t.Error(err)
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("%d requests left the machine", n)
	}
	at := folder(t, map[string]string{"kustomization.yaml": "resources: [" + there + "]"})
	if text, err := kustomized(at, true); err != nil || !strings.Contains(string(text), "name: settings") || asked.Load() == 0 {
		t.Errorf("with --allow-remote: %s, %v", text, err)
	}
}

func TestLocalKustomizationsAreBuilt(t *testing.T) {
	at := folder(t, map[string]string{
		"kustomization.yaml": "resources: [a.yaml, below]\ncommonAnnotations: {path: \"https://docs.test/x\"}\nconfigMapGenerator: [{name: c, literals: [\"url=https://x.test\"], files: [\"k=a.yaml\"]}]\n" +
			"patches: [{target: {kind: ConfigMap}, patch: \"- {op: add, path: /data, value: {url: \\\"https://x.test\\\"}}\"}]\nimages: [{name: \"https://x\", newTag: \"1\"}]\n",
		"a.yaml": settings, "below/kustomization.yaml": "resources: [b.yaml]", "below/b.yaml": strings.Replace(settings, "settings", "other", 1) + "data: {resources: \"https://x.test\"}\n",
	})
	if text, err := kustomized(at, false); err != nil || !strings.Contains(string(text), "name: other") {
		t.Errorf("%s, %v", text, err)
	}
}
