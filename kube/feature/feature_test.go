package feature

import (
	"regexp"
	"strings"
	"testing"
)

// Every feature says what it is for, since when it exists and what happens without it, in whole sentences.
func TestEveryFeatureIsExplained(t *testing.T) {
	seen := map[ID]bool{}
	for _, f := range All() {
		if f.ID == "" || seen[f.ID] || f.Name == "" {
			t.Errorf("%+v: no ID of its own, or no name", f)
		}
		seen[f.ID] = true
		for _, text := range []string{f.Means, f.Since, f.Instead, f.Lacking()} {
			if !strings.HasSuffix(text, ".") || strings.Contains(text, "'") || strings.ToUpper(text[:1]) != text[:1] {
				t.Errorf("%s: %q is no whole sentence", f.ID, text)
			}
		}
		if f.ID != Metrics.ID && !regexp.MustCompile(`\b1\.[0-9]+\b`).MatchString(f.Since) {
			t.Errorf("%s: %q names no version", f.ID, f.Since)
		}
	}
	if got := StreamingLists.Lacking(); got != "This server doesn’t offer streaming lists." {
		t.Error(got)
	}
}
