package palette

import (
	"testing"

	"github.com/fieldmark/fieldmark/web/frame/page"
)

func TestAPastedRefusalIsOfferedToBeExplained(t *testing.T) {
	const text = `Error from server (NotFound): deployments.apps "web" not found`
	m := typing(stocked(t, "/api/v1/namespaces/shop/pods"), text)
	if e := m.index.entry(m.options()[0]); e.Text != "Explain this refusal" {
		t.Fatalf("%+v", e)
	}
	m, _ = m.Update(page.Pressed{Key: "Enter"})
	if e, done := m.Chosen(); !done || e.Refusal != text || e.Href != "" {
		t.Errorf("%v %+v", done, e)
	}
	for _, query := range []string{"pods", "conflict", "not found", "error"} {
		m := typing(stocked(t, "/api/v1/namespaces/shop/pods"), query)
		for _, p := range m.options() {
			if e := m.index.entry(p); e.Refusal != "" {
				t.Errorf("%s: %+v", query, e)
			}
		}
	}
}
