package check

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/object/canary"
	"github.com/fieldmark/fieldmark/kube/source"
)

// shownOf is all that the page would show of the lines of a text.
func shownOf(text string) string {
	var b strings.Builder
	for _, p := range source.Pieces(0, text) {
		items := p.Parse()
		for _, d := range items.Documents {
			l := linesOf(check.Document{Source: d, Problems: items.Problems})
			b.WriteString(l.kept)
			for _, line := range l.around(l.first, 1000) {
				fmt.Fprintf(&b, "%d %s\n", line.number, line.text)
			}
		}
	}
	return b.String()
}

func TestNoCanaryEscapesFromLines(t *testing.T) {
	for _, d := range canary.Documents() {
		if d.Vague {
			continue
		}
		texts := map[string]string{"JSON": d.JSON}
		if o, err := object.Parse([]byte(d.JSON)); err == nil {
			if text, err := manifest.YAML(o.Fields); err == nil {
				texts["YAML"] = string(text)
				texts["below others"] = "a: b\n---\n# more\n" + string(text)
			}
		}
		for name, text := range texts {
			if shown := shownOf(text); canary.Escapes(shown) {
				t.Errorf("%s as %s:\n%s", d.Name, name, shown)
			}
		}
	}
}

func TestLinesOfSecrets(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"fields":     {"apiVersion: v1\nkind: Secret\nstringData:\n  a: hunter22\n  b: \"x\" # of b\n", "1 apiVersion: v1\n2 kind: Secret\n3 stringData:\n4   a: ••••••••\n5   b: ••••••••\n"},
		"a block":    {"apiVersion: v1\nkind: Secret\nstringData:\n  a: |\n    first\n    second\n", "1 apiVersion: v1\n2 kind: Secret\n3 stringData:\n4   a: ••••••••\n5     ••••••••\n6     ••••••••\n"},
		"one line":   {"apiVersion: v1\nkind: Secret\nstringData: {a: hunter22, b: hunter23}\n", "1 apiVersion: v1\n2 kind: Secret\n3 stringData: ••••••••\n"},
		"an alias":   {"apiVersion: v1\nkind: Secret\nmetadata: {name: &x hunter22}\nstringData: {a: *x}\n", ""},
		"broken":     {"kind: Secret\nstringData: {a: hunter22\n", notShown},
		"comments":   {"# hunter22\napiVersion: v1\nkind: Secret # hunter22\ndata:\n  # was hunter22\n  a: aHVudGVyMjI= # hunter22\n#hunter22\n", "1 # ••••••••\n2 apiVersion: v1\n3 kind: Secret # ••••••••\n4 data:\n5   # ••••••••\n6   a: ••••••••\n7 # ••••••••\n"},
		"twice":      {"apiVersion: v1\nkind: Secret\nstringData:\n  a: hunter22\n  a: other\n", notShown},
		"two maps":   {"apiVersion: v1\nkind: Secret\nstringData: {a: hunter22}\nstringData: {a: other}\n", notShown},
		"escaped":    {"kind: \"Se\\u0063ret\"\nstringData: {a: hunter22\n", notShown},
		"none of it": {"apiVersion: v1\nkind: ConfigMap\ndata:\n  a: hunter23\n", "1 apiVersion: v1\n2 kind: ConfigMap\n3 data:\n4   a: hunter23\n"},
	} {
		got := shownOf(c.text)
		if c.want != "" && got != c.want || strings.Contains(got, "hunter22") {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}
