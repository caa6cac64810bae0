package folder

import (
	"os"
	"path/filepath"
	"testing"
)

// tree makes files, and returns their folder without symbolic links.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestTheNearestFolderCounts(t *testing.T) {
	root := tree(t, map[string]string{"shop/fieldmark.yaml": "", "shop/base/web.yaml": "", "shop/own/fieldmark.yaml": "", "shop/own/x/web.yaml": "", "other/web.yaml": "", "odd/fieldmark.yaml/web.yaml": ""})
	if err := os.Symlink(filepath.Join(root, "shop", "base"), filepath.Join(root, "other", "link")); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		"shop/base/web.yaml": "shop", "shop/new.yaml": "shop", "shop/own/x/web.yaml": "shop/own", "other/web.yaml": "", "odd/fieldmark.yaml/web.yaml": "", "other/link/web.yaml": "shop", "none/web.yaml": "",
	} {
		got, ok := Of(filepath.Join(root, file))
		if ok != (want != "") || ok && got != filepath.Join(root, want) {
			t.Errorf("%s: %q %v, want %q", file, got, ok, want)
		}
	}
}

func TestTemplatesOfACharts(t *testing.T) {
	root := tree(t, map[string]string{"web/Chart.yaml": "", "web/templates/a/b.yaml": "", "plain/templates/b.yaml": ""})
	if !IsTemplate(filepath.Join(root, "web", "templates", "a", "b.yaml")) || IsTemplate(filepath.Join(root, "plain", "templates", "b.yaml")) || IsTemplate(filepath.Join(root, "web", "b.yaml")) {
		t.Error("a template is a file below the folder templates of a chart")
	}
}

func TestNamesOfManifests(t *testing.T) {
	for name, want := range map[string]bool{"a.yaml": true, "a.yml": true, "a.json": true, "fieldmark.yaml": false, "kustomization.yaml": false, "a.txt": false, "yaml": false} {
		if IsManifest("/x/"+name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}

func TestWithin(t *testing.T) {
	for _, c := range []struct {
		folder, above string
		want          bool
	}{{"/a/b", "/a", true}, {"/a", "/a", true}, {"/ab", "/a", false}, {"/a", "/a/b", false}, {"/..a", "/", true}, {"/b/..a", "/b", true}} {
		if Within(c.folder, c.above) != c.want {
			t.Errorf("%s in %s: %v", c.folder, c.above, !c.want)
		}
	}
}

func TestURIs(t *testing.T) {
	for uri, want := range map[string]string{
		"file:///shop/a%20b.yaml": "/shop/a b.yaml", "file://localhost/x.yaml": "/x.yaml", "file:///a/../b.yaml": "/b.yaml",
		"file://host/x.yaml": "", "untitled:Untitled-1": "", "http://x/y.yaml": "", "": "", "file:x.yaml": "", "file:///a%00b": "", "%zz": "",
	} {
		got, ok := Path(uri)
		if ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q %v, want %q", uri, got, ok, want)
		}
	}
	for _, path := range []string{"/shop/a b.yaml", "/名/🙂#?.yaml"} {
		if got, ok := Path(URI(path)); !ok || got != path {
			t.Errorf("%s: %s", path, got)
		}
	}
}

func TestRulesAreBounded(t *testing.T) {
	root := tree(t, map[string]string{"a/fieldmark.yaml": string(make([]byte, maxRules+1)), "b/fieldmark.yaml": "apiVersion: fieldmark.dev/v1\nkind: Expected\ncontext: production\nrules: []\n", "c/fieldmark.yaml": ""})
	for name, bad := range map[string]bool{"a": true, "b": true, "c": false, "none": true} {
		if _, _, err := Rules(filepath.Join(root, name)); (err != nil) != bad {
			t.Errorf("%s: %v", name, err)
		}
	}
}
