package refusal

import (
	"strings"
	"testing"
)

// A field of one line takes a text of several with spaces between them.
func TestLinesJoinedBySpaces(t *testing.T) {
	for _, c := range conflicts {
		if joined := reading(strings.Join(strings.Fields(c.text), " ")); len(joined.Refusals) != len(reading(c.text).Refusals) {
			t.Errorf("%s: %s", c.name, told(joined))
		}
	}
	const several = "Apply failed with 2 conflicts: conflicts with \"hpa\" using apps/v1:\n- .spec.replicas\n- .spec.template.spec.containers[name=\"app\"].image"
	if got, want := told(reading(strings.ReplaceAll(several, "\n", " "))), told(reading(several)); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
