package release

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// sbom is the name of the list of a program's parts.
func (d dist) sbom(a archive) string {
	name := "fieldmark"
	if a.practice {
		name = "fieldmark-practice"
	}
	return strings.Join([]string{name, d.version, a.system, a.processor}, "_") + ".cdx.json"
}

// bill is a part of what CycloneDX says about a program.
type bill struct {
	BOMFormat string
	Metadata  struct {
		Component struct{ Version string }
	}
	Components []struct{ Name, Version, PURL string }
}

// checkSBOM compares an SBOM with the modules that Go wrote into the program.
func checkSBOM(t *testing.T, d dist, a archive, modules []string) {
	var b bill
	if err := json.Unmarshal(d.read(t, d.sbom(a)), &b); err != nil {
		t.Fatal(err)
	}
	if b.BOMFormat != "CycloneDX" || b.Metadata.Component.Version != "v"+d.version {
		t.Errorf("it is %q about version %q", b.BOMFormat, b.Metadata.Component.Version)
	}
	listed := map[string]bool{}
	for _, c := range b.Components {
		if strings.HasPrefix(c.PURL, "pkg:golang/") {
			listed[c.Name+" "+c.Version] = true
		}
	}
	for _, m := range modules {
		if !listed[m] {
			t.Errorf("the program has %s, and the SBOM doesn't", m)
		}
	}
}

// checkLicences compares the licences in an archive with the modules that Go wrote into the program, and with what pages load.
func checkLicences(t *testing.T, a archive, text string, modules []string) {
	lines := strings.Split(text, "\n")
	if !a.practice {
		for _, name := range []string{"@codemirror/view ", "@fontsource-variable/inter ", "idiomorph "} {
			if !slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, name) }) {
				t.Errorf("the licence of %sis missing", name)
			}
		}
	}
	for _, m := range modules {
		if !slices.Contains(lines, m) {
			t.Errorf("the licence of %s is missing", m)
		}
	}
}

// modulesOf are the modules of a program with their versions, without ours.
func modulesOf(t *testing.T, program []byte) []string {
	t.Helper()
	var all []string
	for _, m := range built(t, program).Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		if !strings.HasPrefix(m.Path, "github.com/fieldmark/fieldmark") {
			all = append(all, m.Path+" "+m.Version)
		}
	}
	if len(all) < 20 {
		t.Fatalf("the program has only %d modules", len(all))
	}
	return all
}
