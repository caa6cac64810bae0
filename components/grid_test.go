package components_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/golden"
	"github.com/fieldmark/fieldmark/kube/condition"
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

func TestWhatIsNotReadyIsMarked(t *testing.T) {
	columns := []table.Column{{Name: "Name"}, {Name: "Ready"}, {Name: "Status"}, {Name: "Condition", Format: condition.Format("example.com")}}
	for cells, want := range map[string]string{
		"a 0/1 Pending Ready:False":   "warn busy warn",
		"a 1/1 Running Ready:True":    "good good",
		"a 0/1 Completed Merry:True":  "good",
		"a True Running Ready:":       "good busy",
		"a 2/3 Terminating Ready:Hmm": "warn busy busy",
	} {
		var row table.Row
		for _, c := range strings.Fields(cells) {
			row.Cells = append(row.Cells, table.Cell(strings.TrimSpace(strings.ReplaceAll(c, ":", " "))))
		}
		var tones []string
		for _, c := range components.GridOf("Things", table.Table{Columns: columns, Rows: []table.Row{row}}, false).Rows[0].Cells {
			if c.Tone != components.Calm {
				tones = append(tones, string(c.Tone))
			}
		}
		if got := strings.Join(tones, " "); got != want {
			t.Errorf("%s: %s, want %s", cells, got, want)
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

// manyRows is a table with fixed widths, of which the document sends so many rows first.
func manyRows(rows, screen int) components.Grid {
	g := components.Grid{Head: []components.HeaderCell{{Name: "Name", Width: 200}}, Screen: screen, Count: rows, Below: max(0, rows-screen) * 29}
	for n := range rows {
		name := fmt.Sprintf("row-%d</noscript></td><b>", n)
		g.Rows = append(g.Rows, components.GridRow{UID: name, Name: name, Cells: []components.GridCell{{Text: name}}})
	}
	return g
}

// bodyRows are the names of the rows in the only body of the only table, as a browser with or without scripts reads it, and the texts in noscript.
func bodyRows(t *testing.T, markup string, scripts bool) (names, texts []string) {
	t.Helper()
	tree, err := html.ParseWithOptions(strings.NewReader(markup), html.ParseOptionEnableScripting(scripts))
	if err != nil {
		t.Fatal(err)
	}
	for n := range tree.Descendants() {
		switch {
		case n.Data == "tr" && n.Parent.Data == "tbody" && attribute(n, "class") != "room":
			names = append(names, attribute(n, "data-name"))
		case n.Data == "noscript" && n.FirstChild != nil:
			texts = append(texts, n.FirstChild.Data)
		case n.Data == "b":
			t.Error("a row's name became markup")
		}
	}
	return names, texts
}

func TestWithoutScriptsAllRowsAreInOneTable(t *testing.T) {
	for _, c := range []struct{ rows, screen int }{{0, 3}, {3, 3}, {2, 3}, {4, 3}, {200, 68}} {
		g := manyRows(c.rows, c.screen)
		var all []string
		for _, r := range g.Rows {
			all = append(all, r.Name)
		}
		shown := golden.Render(t, components.Table(g))
		if got, texts := bodyRows(t, shown, false); !slices.Equal(got, all) || len(texts) > 0 {
			t.Errorf("%+v without scripts: %d rows %q, and texts %q", c, len(got), got, texts)
		}
		first := all[:min(c.screen, c.rows)]
		got, texts := bodyRows(t, shown, true)
		if !slices.Equal(got, first) || len(texts) != min(1, c.rows-len(first)) {
			t.Errorf("%+v with scripts: rows %q, and %d texts", c, got, len(texts))
		}
		if len(texts) == 0 {
			continue
		}
		if got, _ := bodyRows(t, "<table><tbody>"+texts[0]+"</tbody></table>", true); !slices.Equal(got, all[len(first):]) {
			t.Errorf("%+v: the text has the rows %q", c, got)
		}
	}
}

// flushes notes what has been written at each flush.
type flushes struct {
	strings.Builder
	at []string
}

// Flush implements http.Flusher.
func (f *flushes) Flush() { f.at = append(f.at, f.String()) }

func TestTheFirstScreenIsFlushedFirst(t *testing.T) {
	var sent flushes
	g := manyRows(200, 68)
	if err := components.Table(g).Render(t.Context(), &sent); err != nil {
		t.Fatal(err)
	}
	if len(sent.at) != 2 || sent.at[1] != sent.String() {
		t.Fatalf("%d flushes, want one after the first screen, and one at the end", len(sent.at))
	}
	if rows, texts := bodyRows(t, sent.at[0], true); len(rows) != 68 || len(texts) != 0 || !strings.HasSuffix(sent.at[0], "</tr>") {
		t.Errorf("the first flush has %d rows, %d texts, and ends with %q", len(rows), len(texts), sent.at[0][len(sent.at[0])-20:])
	}
}
