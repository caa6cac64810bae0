package components

import "testing"

func TestAssistantsAreMarked(t *testing.T) {
	for want, m := range map[string]Manager{
		"Apply · assistant":          {Name: "agent/claude", Operation: "Apply"},
		"Update · scale · assistant": {Name: "agent/claude", Operation: "Update", Subresource: "scale"},
		"assistant":                  {Name: "agent/claude"},
		"Apply":                      {Name: "ada", Operation: "Apply"},
	} {
		if got := m.How(); got != want {
			t.Errorf("%+v is %q, want %q", m, got, want)
		}
	}
}
