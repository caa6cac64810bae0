package components_test

import (
	"testing"

	"github.com/fieldmark/fieldmark/components"
)

func TestReadCopy(t *testing.T) {
	for action, want := range map[string]struct {
		form components.CopyForm
		key  string
		ok   bool
	}{
		"copy-as-markdown lines":      {components.AsMarkdown, "lines", true},
		"copy-as-image .spec.a b":     {components.AsImage, ".spec.a b", true},
		"copy-as-markdown":            {components.AsMarkdown, "", true},
		"copy-as-pdf lines":           {"pdf", "lines", false},
		"fold .spec":                  {"fold", ".spec", false},
		"copy-as- lines":              {"", "lines", false},
		"timeline/copy-as-image path": {"timeline/copy-as-image", "path", false},
	} {
		if form, key, ok := components.ReadCopy(action); ok != want.ok || ok && (form != want.form || key != want.key) {
			t.Errorf("%q: %q, %q, %v", action, form, key, ok)
		}
	}
}
