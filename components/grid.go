package components

import (
	"slices"
	"strconv"

	"github.com/fieldmark/fieldmark/kube/table"
)

// Grid is a table of objects.
type Grid struct {
	Label      string       // what the table is, for those who do not see it
	Namespaces bool         // show each object's namespace in a column of its own
	NamespaceH HeaderCell   // that column's head, where it is shown
	Head       []HeaderCell // the server's columns
	Rows       []GridRow

	// Where only a part of the rows is laid out: the room that the others take, in pixels.
	Above, Below int
	First, Count int // place of the first row laid out; number of rows in all
}

// GridOf shows a server's Table: its columns and all its rows. A page adds what it alone knows: links, widths, how columns sort, and
// which rows changed a moment ago.
func GridOf(label string, t table.Table, wide bool) Grid {
	columns := t.Visible(wide)
	g := Grid{Label: label, Head: make([]HeaderCell, len(columns)), Rows: make([]GridRow, len(t.Rows))}
	for n, i := range columns {
		c := t.Columns[i]
		g.Head[n] = HeaderCell{Name: c.Name, Hint: c.Description, Numeric: c.Numeric()}
	}
	link := max(0, slices.IndexFunc(columns, func(i int) bool { return t.Columns[i].Format == "name" }))
	for n, r := range t.Rows {
		row := GridRow{
			UID: r.UID, Namespace: r.Namespace, Name: r.Name, ResourceVersion: r.ResourceVersion, Deleting: r.Deleting,
			Cells: make([]GridCell, len(columns)),
		}
		for at, i := range columns {
			text := r.Cell(i)
			row.Cells[at] = GridCell{Text: text, Numeric: g.Head[at].Numeric, Link: at == link, Tone: CellTone(g.Head[at].Name, text)}
		}
		g.Rows[n] = row
	}
	return g
}

// partial tells whether only some of the rows are laid out.
func (g Grid) partial() bool { return g.Above > 0 || g.Below > 0 }

// fixed tells whether the columns have widths of their own.
func (g Grid) fixed() bool { return len(g.Head) > 0 && g.Head[0].Width > 0 }

// span is the number of columns.
func (g Grid) span() string {
	if g.Namespaces {
		return strconv.Itoa(len(g.Head) + 1)
	}
	return strconv.Itoa(len(g.Head))
}

// RowID is the id of a row's element. It keeps its identity while the table changes around it.
func RowID(uid string) string { return "row-" + uid }

// HeaderCell is a column's head: a link that sorts, unless Href is empty.
type HeaderCell struct {
	Name    string
	Hint    string // the server's description
	Beside  string // said beside the name of a column that doesn't sort
	Href    string
	Sort    string // aria-sort: "", ascending, descending
	Numeric bool
	Width   int // in pixels, where the columns have widths of their own
}

// GridRow is one object.
type GridRow struct {
	UID, Namespace, Name, ResourceVersion string

	Href          string // the object's page; empty: it has none
	NamespaceHref string
	Deleting      bool
	Fresh         bool // it changed a moment ago
	Gone          bool // it was deleted, and stays until the pointer leaves
	Cells         []GridCell
}

// class says how the row stands out; empty for most.
func (r GridRow) class() string {
	switch {
	case r.Gone:
		return "gone"
	case r.Fresh:
		return "fresh"
	case r.Deleting:
		return "deleting"
	default:
		return ""
	}
}

// GridCell is one value.
type GridCell struct {
	Text    string
	Tone    Tone
	Link    bool // this cell carries the link to the object
	Numeric bool
}

// longCell is the length in bytes past which a cell may not fit its column: where columns have widths of their
// own it shows all of its text on hovering, else it wraps instead of widening the table.
const longCell = 56
