package source_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/kube/source/inputs"
)

// The preview, the page Check and the page Explain read texts with this package, as a whole or by pieces. They read what kubectl applies.
func TestTextsAreReadAsKubectlReadsThem(t *testing.T) {
	for name, c := range inputs.All() {
		ways := map[string][]source.Text{"as a whole": {source.Parse(c.Text).Items()}}
		for _, p := range source.Pieces(0, c.Text) {
			ways["by pieces"] = append(ways["by pieces"], p.Parse())
		}
		for way, texts := range ways {
			var names, said []string
			refused := false
			for _, text := range texts {
				for _, d := range text.Documents {
					names = append(names, d.Name)
				}
				for _, p := range text.Problems {
					said = append(said, p.Message)
					refused = refused || p.Severity == source.Error
				}
			}
			slices.Sort(names)
			if want := c.Refuses && !c.Namespaced; refused != want || !c.Refuses && strings.Join(names, " ") != c.Applied || !c.Namespaced && !strings.Contains(strings.Join(said, "\n"), c.Says) {
				t.Errorf("%s, %s: %q, refused: %t, %q", name, way, names, refused, said)
			}
		}
	}
}
