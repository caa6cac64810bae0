package main

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

const practice = "../../practice"

func fixture(t *testing.T) *release {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("testdata", "release.mod"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := readModule(t.Context(), "v1.33.13", path)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestGomod(t *testing.T) {
	r := fixture(t)
	for _, test := range []struct {
		module string
		pins   []require
		want   string
	}{
		{componentModule, nil, `module github.com/fieldmark/fieldmark/practice/component

go 1.24.0

godebug default=go1.24

require (
	k8s.io/kubernetes v1.33.13
)

// The staging modules of k8s.io/kubernetes are folders of its repository. Outside of it each is a module of the same number.
replace (
	k8s.io/api => k8s.io/api v0.33.13
	k8s.io/client-go => k8s.io/client-go v0.33.13
)
`},
		{releasesModule + r.minor(), []require{{"github.com/davecgh/go-spew", "v1.1.1"}}, `module github.com/fieldmark/fieldmark/practice/releases/1.33

go 1.24.0

godebug default=go1.24

require (
	github.com/fieldmark/fieldmark/practice/component v0.0.0
	k8s.io/kubernetes v1.33.13
)

// The staging modules of k8s.io/kubernetes are folders of its repository. Outside of it each is a module of the same number.
replace (
	github.com/fieldmark/fieldmark/practice/component => ../../component
	github.com/davecgh/go-spew => github.com/davecgh/go-spew v1.1.1
	k8s.io/api => k8s.io/api v0.33.13
	k8s.io/client-go => k8s.io/client-go v0.33.13
)
`},
	} {
		if got := string(r.gomod(test.module, test.pins)); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.module, got, test.want)
		}
	}
}

func TestPins(t *testing.T) {
	got := fixture(t).pins(map[string]string{
		"github.com/davecgh/go-spew": "v1.1.2-0.2018", // the shared code requires a newer one
		"go.etcd.io/etcd/client/v3":  "v3.5.21",       // the same
		"go.etcd.io/etcd/server/v3":  "v3.5.13",       // an older one can't be chosen, but would be pinned, too
		"k8s.io/api":                 "v0.33.13",      // replaced
		"example.com/other":          "v1.0.0",        // not the release's
	})
	want := []require{{"github.com/davecgh/go-spew", "v1.1.1"}, {"go.etcd.io/etcd/server/v3", "v3.5.21"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
}

func TestReleases(t *testing.T) {
	for _, text := range []string{"1.33.13", "1.31.0"} {
		if !patchVersion.MatchString(text) {
			t.Errorf("%q is no release", text)
		}
	}
	for _, text := range []string{"", "1.33", "v1.33.13", "1.33.13-rc.1", "1.33.x", "../1.33.13", "1.33.13 "} {
		if patchVersion.MatchString(text) {
			t.Errorf("%q is a release", text)
		}
	}
}

func TestWhatIsNoReleaseIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "go.mod")
	if err := os.WriteFile(path, []byte("module (\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readModule(t.Context(), "v1.33.13", path); err == nil {
		t.Error("a broken go.mod was read")
	}
}

// TestTheListIsOfTheFolders compares what is committed: each folder with its go.mod, its program and the list. What `go mod tidy` adds is
// compared by `make check-controlplanes`.
func TestTheListIsOfTheFolders(t *testing.T) {
	have, err := listReleases(practice)
	if err != nil {
		t.Fatal(err)
	}
	committed, err := os.ReadFile(filepath.Join(practice, "releases", "releases.go"))
	if err != nil {
		t.Fatal(err)
	}
	component, err := os.ReadFile(filepath.Join(practice, "component", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if oldest := required.FindSubmatch(component); oldest == nil || string(oldest[1]) != have[0].Version {
		t.Errorf("practice/component is made for %q, not for the oldest release, %s", oldest, have[0].Version)
	}
	if lines := strings.Count(string(committed), "{Minor:"); lines != len(have) {
		t.Errorf("the list has %d releases, and there are %d folders", lines, len(have))
	}
	for _, one := range have {
		r := &release{version: one.Version}
		if line := `{Minor: "` + one.Minor + `", Version: "` + one.Version + `"}`; !strings.Contains(string(committed), line) {
			t.Errorf("the list has no %s", line)
		}
		dir := filepath.Join(practice, "releases", one.Minor)
		program, err := os.ReadFile(filepath.Join(dir, "main.go"))
		if err != nil || !bytes.Equal(program, r.program()) {
			t.Errorf("%s/main.go isn't what is made: %v", dir, err)
		}
		gomod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(gomod)) {
			if path, version, found := strings.Cut(strings.TrimSpace(line), " => "); found && strings.HasPrefix(path, "k8s.io/") && version != path+" "+r.part() {
				t.Errorf("%s replaces %s by %s", dir, path, version)
			}
		}
	}
}

func TestFoldersThatLie(t *testing.T) {
	for name, text := range map[string]string{"another release": "require k8s.io/kubernetes v1.34.2\n", "none": "module x\n"} {
		dir := t.TempDir()
		folder := filepath.Join(dir, "releases", "1.33")
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if _, err := listReleases(dir); err == nil {
			t.Error("a folder without go.mod counts")
		}
		if err := os.WriteFile(filepath.Join(folder, "go.mod"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := listReleases(dir); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
