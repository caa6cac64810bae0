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

// TestSBOMsListEveryModule compares each SBOM with the modules that Go wrote into the program.
func TestSBOMsListEveryModule(t *testing.T) {
	d := open(t)
	for _, a := range d.archives(t) {
		t.Run(a.name, func(t *testing.T) {
			var b bill
			if err := json.Unmarshal(d.read(t, d.sbom(a)), &b); err != nil {
				t.Fatal(err)
			}
			if b.BOMFormat != "CycloneDX" || b.Metadata.Component.Version != "v"+d.version {
				t.Errorf("it is %q about version %q", b.BOMFormat, b.Metadata.Component.Version)
			}
			for _, m := range modulesOf(t, d, a) {
				name, version, _ := strings.Cut(m, " ")
				if !slices.ContainsFunc(b.Components, func(c struct{ Name, Version, PURL string }) bool {
					return c.Name == name && c.Version == version && strings.HasPrefix(c.PURL, "pkg:golang/")
				}) {
					t.Errorf("the program has %s, and the SBOM doesn't", m)
				}
			}
		})
	}
}

// TestLicencesOfAllModulesAreThere compares the licences in each archive with the modules that Go wrote into the program.
func TestLicencesOfAllModulesAreThere(t *testing.T) {
	d := open(t)
	for _, a := range d.archives(t) {
		t.Run(a.name, func(t *testing.T) {
			lines := strings.Split(string(d.unpack(t, a.name)["THIRD-PARTY-LICENCES.txt"].content), "\n")
			want := modulesOf(t, d, a)
			if !a.practice {
				for _, name := range []string{"@codemirror/view ", "@fontsource-variable/inter ", "idiomorph "} {
					if !slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, name) }) {
						t.Errorf("the licence of %sis missing", name)
					}
				}
			}
			for _, m := range want {
				if !slices.Contains(lines, m) {
					t.Errorf("the licence of %s is missing", m)
				}
			}
		})
	}
}

// modulesOf are the modules of a program with their versions, without ours.
func modulesOf(t *testing.T, d dist, a archive) []string {
	t.Helper()
	var all []string
	for _, m := range built(t, d.unpack(t, a.name)[a.program].content).Deps {
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
