package check

import (
	"html"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/source/inputs"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// The page reads each file as kubectl does, which cli tests with the real kubectl: the same objects, and a word where kubectl refuses the file or ignores a part.
func TestThePageReadsInputAsKubectlDoes(t *testing.T) {
	for name, c := range inputs.All() {
		if c.Namespaced {
			continue // the page has no --namespace: its namespace is that of documents that name none
		}
		b := begin(t, Model{}, func(c page.Call) (int, string) {
			if c.Method == "GET" {
				return 404, `{"kind":"Status","code":404,"reason":"NotFound"}`
			}
			target, _, _ := strings.Cut(c.Path, "?")
			kind := map[bool]string{true: "Namespace", false: "ConfigMap"}[strings.HasPrefix(target, "/api/v1/namespaces/input")]
			return 201, `{"apiVersion":"v1","kind":"` + kind + `","metadata":{"name":"` + path.Base(target) + `","uid":"u"}}`
		})
		b.does(page.Choosing{Field: FieldFiles, Files: 1}, load("input.yaml", c.Text))
		var applied []string
		for _, sent := range b.sent {
			if sent.Method == "PATCH" {
				target, _, _ := strings.Cut(sent.Path, "?")
				applied = append(applied, path.Base(target))
			}
		}
		slices.Sort(applied)
		if got := strings.Join(applied, " "); !c.Refuses && got != c.Applied {
			t.Errorf("%s: the page applies %q, and kubectl %q", name, got, c.Applied)
		}
		said := html.UnescapeString(b.shows())
		fails := len(b.m.live.input.wrong) > 0
		for _, d := range b.m.live.input.docs {
			for _, f := range d.found {
				if f.Kind == check.Invalid {
					fails, said = true, said+f.Why // the page shows it when the finding is chosen
				}
			}
		}
		if fails != (c.Refuses || c.Says != "") || !strings.Contains(said, c.Says) {
			t.Errorf("%s: the page finds %q, and should say %q", name, b.kinds(), c.Says)
		}
	}
}
