package components_test

import (
	"testing"

	"github.com/fieldmark/fieldmark/components"
)

func TestFeatureTone(t *testing.T) {
	for offered, want := range map[string]components.Tone{"yes": components.Good, "no": components.Calm, "unknown": components.Warn, "": components.Warn} {
		if got := (components.Feature{Offered: offered}).Tone(); got != want {
			t.Errorf("%q has the tone %q", offered, got)
		}
	}
}
