package promises

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// elsewhere is the program in a folder of its own, where no other program is.
func elsewhere(t *testing.T) string {
	t.Helper()
	bins, err := theBinaries()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "fieldmark-practice")
	if os.Link(bins.practice, program) == nil {
		return program
	}
	content, err := os.ReadFile(bins.practice) // a link can't lead to another file system
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, content, 0o700); err != nil {
		t.Fatal(err)
	}
	return program
}

func TestVersionsThatCannotBeStarted(t *testing.T) {
	program := elsewhere(t)
	newer := t.TempDir()
	if err := os.WriteFile(filepath.Join(newer, "FIELDMARK-PRACTICE"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(newer, "kubernetes-version"), []byte("v1.99.3 v1.99.3"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		args []string
		says []string
	}{
		"not built":         {[]string{"--kubernetes", "1.31"}, []string{"1.31 is not built", "make controlplanes KUBERNETES=1.31"}},
		"unknown":           {[]string{"--kubernetes", "1.30"}, []string{`"1.30"`, "there are 1.31, ", " and 1.37"}},
		"with a patch":      {[]string{"--kubernetes", "1.31.13"}, []string{`"1.31.13"`, "there are 1.31, "}},
		"a path":            {[]string{"--kubernetes", "../1.31"}, []string{`"../1.31"`}},
		"data of a newer":   {[]string{"--dir", newer}, []string{newer, "v1.99.3", "can't read it"}},
		"a flag is no flag": {[]string{"--api-server-flag"}, []string{"api-server-flag"}},
	} {
		args := append([]string{"up", "--dir", filepath.Join(t.TempDir(), "cluster")}, test.args...)
		out, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput()
		said := string(out)
		if err == nil {
			t.Errorf("%s: it exited with 0", name)
		}
		for _, words := range test.says {
			if !strings.Contains(said, words) {
				t.Errorf("%s: it said %q, without %q", name, said, words)
			}
		}
	}
	if mark, err := os.ReadFile(filepath.Join(newer, "kubernetes-version")); err != nil || string(mark) != "v1.99.3 v1.99.3" {
		t.Errorf("the refused folder has changed: %q, %v", mark, err)
	}
}

// TestTheAPIServerGetsFurtherFlags switches an API off.
func TestTheAPIServerGetsFurtherFlags(t *testing.T) {
	p := start(t, filepath.Join(t.TempDir(), "cluster"), "--ephemeral", "--context", "less",
		"--api-server-flag", "--runtime-config=authentication.k8s.io/v1=false", "--api-server-flag", "--feature-gates=CBORServingAndStorage=false,NoGateOfThisName=true")
	p.mustReach(t, "ready")
	if a := p.get(t, "less", "/apis/authentication.k8s.io/v1"); a.code != 404 {
		t.Errorf("the API is there: %d", a.code)
	}
	if a := p.get(t, "less-viewer", "/version"); a.code != 200 {
		t.Errorf("the viewer's context: %d", a.code)
	}
	if a, err := p.request(t, "less", "GET", "/api/v1/namespaces", "application/cbor", ""); err != nil || a.code != 406 {
		t.Errorf("CBOR: %d, %v", a.code, err)
	}
}
