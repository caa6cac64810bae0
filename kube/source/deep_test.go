package source

import (
	"strings"
	"testing"
)

func TestTooDeep(t *testing.T) {
	steps := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.Repeat(" ", i) + "a:\n")
		}
		return b.String()
	}
	for name, c := range map[string]struct {
		text string
		deep bool
	}{
		"braces":             {"a: " + strings.Repeat("{b: ", 20_000), true},
		"brackets":           {"a: " + strings.Repeat("[", maxBefore+1), true},
		"over lines":         {"a: " + strings.Repeat("[\n", maxBefore+1), true},
		"lists on a line":    {strings.Repeat("- ", 20_000) + "a", true},
		"keys of keys":       {strings.Repeat("? ", 20_000) + "a", true},
		"steps":              {steps(maxBefore + 1), true},
		"closed again":       {"a: [" + strings.Repeat("[],", 20_000) + "]", false},
		"many steps":         {strings.Repeat(steps(100), 20), false},
		"as deep as can be":  {steps(maxDepth), false},
		"closed, not opened": {"a: '" + strings.Repeat("]", 20_000) + "'", false},
		"JSON in a text":     {"a: |\n  " + strings.Repeat(`{"a": [1, {"b": 2}]}`, 5000), false},
	} {
		if got := tooDeep(c.text) >= 0; got != c.deep {
			t.Errorf("%s: %v", name, got)
		}
	}
}
