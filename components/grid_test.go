package components_test

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/golden"
)

func TestCellsWrapPastTheirLimitUnlessTheyAreNumbers(t *testing.T) {
	for length, long := range map[int]bool{0: false, 56: false, 57: true} {
		for _, numeric := range []bool{false, true} {
			cell := components.GridCell{Text: strings.Repeat("9", length), Numeric: numeric}
			shown := golden.Render(t, components.Table(components.Grid{Rows: []components.GridRow{{Cells: []components.GridCell{cell}}}}))
			if got := strings.Contains(shown, `class="long"`); got != (long && !numeric) {
				t.Errorf("%d characters, a number: %t: wraps: %t", length, numeric, got)
			}
		}
	}
}
