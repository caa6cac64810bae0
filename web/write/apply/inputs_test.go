package apply

import (
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/source/inputs"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// The preview reads each file as kubectl does, which cli tests with the real kubectl: the same objects, and a word where kubectl refuses the file or ignores a
// part.
func TestThePreviewReadsInputAsKubectlDoes(t *testing.T) {
	for name, c := range inputs.All() {
		if c.Namespaced {
			continue // the preview has no --namespace: its namespace is that of documents that name none
		}
		m, _ := begun(t, "")
		m, commands := after(t, m, page.Loaded{Field: Field, Name: "input.yaml", Size: int64(len(c.Text)), Body: []byte(c.Text)})
		for _, cmd := range commands {
			if edit, is := cmd.(page.Edit); is {
				m, _ = after(t, m, page.Typed{Field: Field, Text: edit.Text})
			}
		}
		var names []string
		for _, d := range m.live.docs {
			names = append(names, d.read.Name)
		}
		slices.Sort(names)
		if got := strings.Join(names, " "); !c.Refuses && got != c.Applied {
			t.Errorf("%s: the preview has %q, and kubectl %q", name, got, c.Applied)
		}
		shown := htmlOf(t, m)
		if fails := len(m.issues()) > 0; fails != (c.Refuses || c.Says != "") || !strings.Contains(shown, c.Says) {
			t.Errorf("%s: the preview says that something is wrong: %v. It should say %q\n%s", name, fails, c.Says, shown)
		}
	}
}
