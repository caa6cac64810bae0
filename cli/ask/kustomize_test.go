package ask

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"k8s.io/cli-runtime/pkg/resource"
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
		if _, err := kustomized(filepath.Join(at, "a"), filepath.Join(at, "a"), false); err == nil || !strings.Contains(err.Error(), "--allow-remote") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := kustomized(server.URL+"/org/repo", server.URL+"/org/repo", false); err == nil || !strings.Contains(err.Error(), "--allow-remote") {
		t.Error(err)
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("%d requests left the machine", n)
	}
	at := folder(t, map[string]string{"kustomization.yaml": "resources: [" + there + "]"})
	if b, err := kustomized(at, at, true); err != nil || !strings.Contains(string(b.text), "name: settings") || asked.Load() == 0 {
		t.Errorf("with --allow-remote: %s, %v", b.text, err)
	}
}

func TestLocalKustomizationsAreBuilt(t *testing.T) {
	at := folder(t, map[string]string{
		"kustomization.yaml": "resources: [a.yaml, below]\ncommonAnnotations: {path: \"https://docs.test/x\"}\nconfigMapGenerator: [{name: c, literals: [\"url=https://x.test\"], files: [\"k=a.yaml\"]}]\n" +
			"patches: [{target: {kind: ConfigMap}, patch: \"- {op: add, path: /data, value: {url: \\\"https://x.test\\\"}}\"}]\nimages: [{name: \"https://x\", newTag: \"1\"}]\n",
		"a.yaml": settings, "below/kustomization.yaml": "resources: [b.yaml]", "below/b.yaml": strings.Replace(settings, "settings", "other", 1) + "data: {resources: \"https://x.test\"}\n",
	})
	if b, err := kustomized(at, at, false); err != nil || !strings.Contains(string(b.text), "name: other") {
		t.Errorf("%s, %v", b.text, err)
	}
}

// The file of each object is known, and knowing it changes nothing in what is built.
func TestBuiltObjectsNameTheirFiles(t *testing.T) {
	at := folder(t, map[string]string{
		"base/kustomization.yaml": "resources: [two.yaml]\n", "base/two.yaml": settings + "---\n" + strings.Replace(settings, "settings", "second", 1),
		"over/kustomization.yaml": "# a comment\nresources: [../base, own.yaml]\nnamePrefix: x-\nbuildMetadata: [managedByLabel]\nconfigMapGenerator: [{name: made, literals: [a=b]}]\n" +
			"patches: [{target: {name: own}, patch: \"- {op: test, path: /metadata/labels, value: null}\"}]\n",
		"over/own.yaml": strings.Replace(settings, "settings", "own", 1),
	})
	b, err := kustomized(filepath.Join(at, "over"), filepath.Join(at, "over"), false)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	which := Which{Files: resource.FilenameOptions{Kustomize: filepath.Join(at, "over")}}
	if err := which.Manifests(t.Context(), nil, func(m Manifest) error {
		name, _, _ := strings.Cut(m.Documents[0].Name, "-made")
		got[name] = m.From
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"x-settings": filepath.Join(at, "base", "two.yaml"), "x-second": filepath.Join(at, "base", "two.yaml"), "x-own": filepath.Join(at, "over", "own.yaml"), "x": filepath.Join(at, "over", "kustomization.yaml"),
	}
	if !maps.Equal(got, want) {
		t.Errorf("%v\nwant\n%v", got, want)
	}
	if strings.Contains(string(b.text), "config.kubernetes.io/origin") || strings.Contains(string(b.text), "annotations") || !strings.Contains(string(b.text), "app.kubernetes.io/managed-by: kustomize") {
		t.Errorf("%s", b.text)
	}
}
