package rules

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const biggestFile = 400 << 10

func TestNoBigFiles(t *testing.T) {
	for _, name := range files(t) {
		info, err := os.Stat(filepath.Join(root, name))
		if err != nil {
			t.Error(err)
			continue
		}
		if info.Size() > biggestFile {
			t.Errorf("%s has %d KB, more than %d: every clone has it, even after it is deleted; build it, get it through a package manager, or make it smaller",
				name, info.Size()>>10, biggestFile>>10)
		}
	}
}

var (
	keptPicture = regexp.MustCompile(`^docs/pictures/([a-z]+)-(light|dark)\.png$`)
	screen      = regexp.MustCompile(`(?m)^  ([a-z]+): "[a-z0-9-]+",$`)
)

// biggestPicture is the size of a picture that dev/pictures keeps, at most.
const biggestPicture = 100 << 10

// TestOnlyPicturesAreBinaries: twelve screens, light and dark, are the one exception to the rule that nothing is kept which a build can make
// (docs/decisions/0086-pictures.md).
func TestOnlyPicturesAreBinaries(t *testing.T) {
	var want, got []string
	for _, found := range screen.FindAllSubmatch(read(t, "e2e/eye/screens.picture.ts"), -1) {
		want = append(want, string(found[1])+"-dark", string(found[1])+"-light")
	}
	if len(want) != 24 {
		t.Errorf("e2e/eye/screens.picture.ts lists %d screens, not twelve", len(want)/2)
	}
	for _, name := range files(t) {
		data := read(t, name)
		if bytes.IndexByte(data[:min(len(data), 8000)], 0) < 0 {
			continue
		}
		of := keptPicture.FindStringSubmatch(name)
		switch {
		case of == nil:
			t.Errorf("%s is binary: let a build make it, or get it through a package manager", name)
		case len(data) > biggestPicture:
			t.Errorf("%s has %d KB, more than %d: choose a sample with less to see", name, len(data)>>10, biggestPicture>>10)
		default:
			got = append(got, of[1]+"-"+of[2])
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("docs/pictures has %v, and e2e/eye/screens.picture.ts lists %v: run 'make pictures', and remove what is listed no more", got, want)
	}
}

func TestLicence(t *testing.T) {
	text := read(t, "LICENSE")
	for _, words := range []string{"Apache License", "Version 2.0, January 2004"} {
		if !bytes.Contains(text, []byte(words)) {
			t.Errorf("LICENSE doesn't have %q: without a licence, nobody may use Fieldmark", words)
		}
	}
	var manifest struct{ License string }
	if err := json.Unmarshal(read(t, "package.json"), &manifest); err != nil {
		t.Fatal(err)
	}
	if manifest.License != "Apache-2.0" {
		t.Errorf("package.json says the licence is %q; LICENSE says Apache-2.0", manifest.License)
	}
}

func TestLockFiles(t *testing.T) {
	for manifest, lock := range map[string]string{
		"package.json":                "package-lock.json",
		"go.mod":                      "go.sum",
		"dev/tools/go.mod":            "dev/tools/go.sum",
		"dev/tools/actionlint/go.mod": "dev/tools/actionlint/go.sum",
		"dev/tools/release/go.mod":    "dev/tools/release/go.sum",
		"dev/tools/templ/go.mod":      "dev/tools/templ/go.sum",
		"dev/zoo/go.mod":              "dev/zoo/go.sum",
		"dev/zoo/argocd/go.mod":       "dev/zoo/argocd/go.sum",
		"dev/zoo/helm3/go.mod":        "dev/zoo/helm3/go.sum",
		"practice/go.mod":             "practice/go.sum",
		"dev/image/go.mod":            "dev/image/go.sum",
		"dev/team/go.mod":             "dev/team/go.sum",
	} {
		if !exists(manifest) {
			t.Errorf("there is no %s: remove it from this list", manifest)
		} else if !exists(lock) {
			t.Errorf("%s has no %s beside it: without a lock file, tomorrow's build may differ from the tested one", manifest, lock)
		}
	}
}

var templVersion = regexp.MustCompile(`github\.com/a-h/templ (v\S+)`)

func TestOneVersionOfTempl(t *testing.T) {
	linked := templVersion.FindSubmatch(read(t, "go.mod"))
	generates := templVersion.FindSubmatch(read(t, "dev/tools/templ/go.mod"))
	if linked == nil || generates == nil {
		t.Fatal("go.mod or dev/tools/templ/go.mod has no templ")
	}
	if !bytes.Equal(linked[1], generates[1]) {
		t.Errorf("go.mod has templ %s, but dev/tools/templ/go.mod has %s: the generator and the runtime must have the same version", linked[1], generates[1])
	}
}

var goVersion = regexp.MustCompile(`(?m)^go (\S+)$`)

func TestOneVersionOfGo(t *testing.T) {
	want := goVersion.FindSubmatch(read(t, "go.mod"))
	for _, name := range files(t, "*/go.mod") {
		if strings.HasPrefix(name, "practice/component/") || strings.HasPrefix(name, "practice/releases/") {
			continue // they follow the releases of Kubernetes that they are compiled against: an older version decides how Go behaves (GODEBUG)
		}
		if got := goVersion.FindSubmatch(read(t, name)); got == nil || !bytes.Equal(got[1], want[1]) {
			t.Errorf("%s doesn't have %q like go.mod: one version of Go must be enough for all modules", name, want[0])
		}
	}
}
