package manager

import "testing"

func TestWords(t *testing.T) {
	for m, want := range map[Manager]string{
		{Name: "gitops", Operation: Apply}:                        "gitops (Apply)",
		{Name: "gitops", Operation: Apply, APIVersion: "apps/v1"}: "gitops (Apply)",
		{Name: "hpa", Operation: Update, Subresource: "scale"}:    "hpa (Update, scale)",
		{Name: "hpa", Subresource: "scale"}:                       "hpa (scale)",
		{Name: "kubectl"}:                                         "kubectl",
		{Operation: Update}:                                       "a manager without a name (Update)",
		{}:                                                        "a manager without a name",
		{Name: "ancient-changes", Operation: Update}:              "ancient-changes (Update)",
	} {
		if got := m.Words(); got != want {
			t.Errorf("%+v: %q, want %q", m, got, want)
		}
	}
}

func TestHistoryIsTheServersOwnUpdate(t *testing.T) {
	for m, want := range map[Manager]bool{
		{Name: "ancient-changes", Operation: Update}: true,
		{Name: "ancient-changes", Operation: Apply}:  false, // somebody may apply under that name
		{Name: "changes", Operation: Update}:         false,
	} {
		if got := m.History(); got != want {
			t.Errorf("%+v: %t", m, got)
		}
	}
}

func TestAssistantsAreMarked(t *testing.T) {
	for words, m := range map[string]Manager{
		"agent/claude (Apply, assistant)":    {Name: "agent/claude", Operation: Apply},
		"agent/x (Update, scale, assistant)": {Name: "agent/x", Operation: Update, Subresource: "scale"},
		"agent/ (assistant)":                 {Name: "agent/"},
		"agents (Apply)":                     {Name: "agents", Operation: Apply},
		"my-agent/claude (Apply)":            {Name: "my-agent/claude", Operation: Apply},
	} {
		if got := m.Words(); got != words {
			t.Errorf("%q, want %q", got, words)
		}
	}
}
