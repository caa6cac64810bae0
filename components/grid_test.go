package components_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/golden"
	"github.com/fieldmark/fieldmark/kube/table"
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

func TestTheLinkIsInTheColumnThatNamesTheObject(t *testing.T) {
	for what, c := range map[string]struct {
		columns []table.Column
		want    int
	}{
		"marked by the server":  {[]table.Column{{Name: "A"}, {Name: "B", Format: "name"}, {Name: "C"}}, 1},
		"marked, shown in wide": {[]table.Column{{Name: "A"}, {Name: "B", Format: "name", Priority: 1}}, 0},
		"not marked":            {[]table.Column{{Name: "A"}, {Name: "B"}}, 0},
		"no columns":            {nil, -1},
	} {
		g := components.GridOf("Things", table.Table{Columns: c.columns, Rows: []table.Row{{Name: "a"}}}, false)
		if got := slices.IndexFunc(g.Rows[0].Cells, func(c components.GridCell) bool { return c.Link }); got != c.want {
			t.Errorf("%s: column %d, want %d", what, got, c.want)
		}
	}
}
