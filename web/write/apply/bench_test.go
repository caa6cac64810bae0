package apply

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/write/aim"
)

// large is a manifest of 500 lines, and what a server has of it and would make of it: somebody else owns all of it.
func large(note string) (text, live, predicted string) {
	var b, claims strings.Builder
	b.WriteString("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: shop\ndata:\n  note: \"" + note + "\"\n")
	claims.WriteString(`"f:note":{}`)
	data := []string{`"note":"` + note + `"`}
	for i := range 493 {
		fmt.Fprintf(&b, "  key-%d: \"a value of some length %d\"\n", i, i)
		fmt.Fprintf(&claims, `,"f:key-%d":{}`, i)
		data = append(data, fmt.Sprintf(`"key-%d":"a value of some length %d"`, i, i))
	}
	entry := func(manager string) string {
		return `{"manager":"` + manager + `","operation":"Apply","apiVersion":"v1","time":"2026-11-21T12:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{` + claims.String() + `}}}`
	}
	object := func(entries, data string) string {
		return `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"shop","uid":"u1","resourceVersion":"7","managedFields":[` + entries + `]},"data":{` + data + `}}`
	}
	all := strings.Join(data, ",")
	return b.String(), object(entry("bob"), strings.Replace(all, note, "before", 1)), object(entry("ada")+","+entry("bob"), all)
}

// BenchmarkPreview is what a letter costs, part by part: the text read, the answers compared, the view written.
func BenchmarkPreview(b *testing.B) {
	text, live, predicted := large("x")
	m := Model{Text: text, Manager: "ada", Validation: aim.Warn, Namespace: "default"}
	m.Shell.Catalog = catalog
	p, commands := m.Awake(m.Now)
	m = p.(Model)
	plain, ask := sent(commands)[0], fetches(commands)[0]
	b.Run("typed", func(b *testing.B) {
		for range b.N {
			m.typed(text)
		}
	})
	b.Run("parsed", func(b *testing.B) {
		for range b.N {
			source.Parse(text)
		}
	})
	b.Run("heard", func(b *testing.B) {
		for range b.N {
			m.live.docs[0].dryRun.live, m.live.docs[0].dryRun.plain = nil, nil
			next, _ := m.Update(page.Response{ID: ask.ID, Status: 200, Body: []byte(live)})
			next, _ = next.Update(page.Response{ID: plain.ID, Status: 200, Body: []byte(predicted)})
			m = next.(Model)
		}
	})
	b.Run("shown", func(b *testing.B) {
		for range b.N {
			if err := page.Main(m).Render(b.Context(), io.Discard); err != nil {
				b.Fatal(err)
			}
		}
	})
}
