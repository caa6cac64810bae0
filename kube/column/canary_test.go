package column

import (
	"testing"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/object/canary"
)

// No column shows a secret, wherever an object or a list has one.
func TestNoSecretEscapes(t *testing.T) {
	var columns []Column
	for _, text := range []string{
		".data", ".stringData", ".items[*].data", ".metadata", ".metadata.annotations", ".spec", ".spec[*]", ".status.token", ".object", ".object.data", ".items",
		".metadata.annotations[*]", "[*]", "[*][*]", "[*][*][*]", "[*][*][*][*]", "[*][*][*][*][*]",
	} {
		c, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		columns = append(columns, c)
	}
	for _, d := range canary.Documents() {
		p, err := apipath.Parse(d.Path)
		if err != nil {
			continue
		}
		for _, c := range columns {
			r := Reader{Columns: []Column{c}, Secrets: p.OfSecrets() || p.OfTokens()}
			if one, err := r.Object([]byte(d.JSON)); err == nil && canary.Escapes(one.Texts[0]) {
				t.Errorf("%s: %s shows %q", d.Name, c, one.Texts[0])
			}
			list, _ := r.List([]byte(d.JSON))
			for _, one := range list.All {
				if canary.Escapes(one.Texts[0]) {
					t.Errorf("%s: %s of an item shows %q", d.Name, c, one.Texts[0])
				}
			}
		}
	}
}
