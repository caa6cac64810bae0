package components

import (
	"slices"
	"strconv"

	"github.com/fieldmark/fieldmark/kube/condition"
	"github.com/fieldmark/fieldmark/kube/table"
)

// Grid is a table of objects.
type Grid struct {
	Label      string       // the label for screen readers
	Namespaces bool         // show a column with the namespace of each object
	NamespaceH HeaderCell   // the header of that column
	Choosing   bool         // each row has a Box, in a column of its own
	ChooseAll  *Box         // in the head of that column: it chooses all rows; nil: there is none
	Head       []HeaderCell // the server's columns
	Rows       []GridRow

	// If only a part of the rows is laid out: the heights of the rows above and below, in pixels.
	Above, Below int
	First, Count int // the index of the first row that is laid out, and the number of all rows
	// Screen is how many of Rows a document sends first. It sends the others for readers without scripts only, and Below is the height of
	// these others. 0: all rows are alike.
	Screen int
}

// GridOf shows a server's Table: its columns and all its rows. The page adds links, widths, the sort order, and the rows that changed a
// moment ago.
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
			text := r.Text(t.Columns[i], i)
			row.Cells[at] = GridCell{Text: text, Numeric: g.Head[at].Numeric, Link: at == link, Tone: CellTone(g.Head[at].Name, text)}
			if group, ok := condition.OfFormat(t.Columns[i].Format); ok {
				row.Cells[at].Tone = VerdictTone(condition.Read(group, text))
			}
		}
		markShort(g.Head, row.Cells)
		g.Rows[n] = row
	}
	return g
}

// markShort marks a row's Ready, such as 0/1, if a part is missing and the object has not finished.
func markShort(head []HeaderCell, cells []GridCell) {
	ready := slices.IndexFunc(head, func(h HeaderCell) bool { return h.Name == "Ready" })
	if ready < 0 || !Short(cells[ready].Text) {
		return
	}
	for i, h := range head {
		if IsState(h.Name) && Finished(cells[i].Text) {
			return
		}
	}
	cells[ready].Tone = Warn
}

// screen are the rows that are laid out at once, and beyond are the others.
func (g Grid) screen() []GridRow {
	if g.Screen == 0 {
		return g.Rows
	}
	return g.Rows[:min(g.Screen, len(g.Rows))]
}

func (g Grid) beyond() []GridRow { return g.Rows[len(g.screen()):] }

// partial tells whether only a part of the rows is laid out.
func (g Grid) partial() bool { return g.Above > 0 || g.Below > 0 }

// fixed tells whether the columns have fixed widths.
func (g Grid) fixed() bool { return len(g.Head) > 0 && g.Head[0].Width > 0 }

// span is the number of columns.
func (g Grid) span() string {
	n := len(g.Head)
	if g.Namespaces {
		n++
	}
	if g.Choosing {
		n++
	}
	return strconv.Itoa(n)
}

// boxWidth is the width of the column with boxes, in pixels.
const boxWidth = 44

// Box chooses a row. It is a field of a form elsewhere on the page, or of none: then the page handles each change.
type Box struct {
	Form        string // the id of the form; empty: none
	Name, Value string // of the field
	Range       string // the name of the field with Shift; empty: the same
	On          bool   // the row is chosen
	Off         bool   // the row can't be chosen now
}

// RowID is the id of a row's element. It stays the same while other rows change.
func RowID(uid string) string { return "row-" + uid }

// HeaderCell is the header of a column. If Href isn't empty, it is a link that sorts.
type HeaderCell struct {
	Name    string
	Hint    string // the server's description
	Beside  string // a text beside the name of a column that can't be sorted
	Href    string
	Sort    string // aria-sort: "", ascending, descending
	Numeric bool
	// Scripted tells that only the page's program fills the column. Without it, the column is hidden.
	Scripted bool
	Width    int // in pixels, if the columns have fixed widths
}

// GridRow is one object.
type GridRow struct {
	UID, Namespace, Name, ResourceVersion string

	Href          string // the address of the object's page; empty: there is none
	NamespaceHref string
	Deleting      bool
	Fresh         bool // the row changed a moment ago
	Warning       bool // the row is a warning
	Gone          bool // the object was deleted, but the row stays until the pointer leaves
	Cells         []GridCell
	Box           Box // in a Grid with Choosing
	Badges        []Badge
}

// class is the CSS class of a special row; empty for most rows.
func (r GridRow) class() string {
	switch {
	case r.Gone:
		return "gone"
	case r.Fresh:
		return "fresh"
	case r.Deleting:
		return "deleting"
	case r.Warning:
		return "warning"
	default:
		return ""
	}
}

// GridCell is one value.
type GridCell struct {
	Text    string
	Tone    Tone
	Link    bool   // the cell has the link to the object
	Href    string // the address of another page that the text names; empty: it names none
	Numeric bool
	// Scripted is that of the HeaderCell.
	Scripted bool
	Meter    *Meter // a bar beside the text; nil: none
}

// InvalidWords explain table.Invalid.
const InvalidWords = table.Invalid + " is what the API server prints for a date in the future, or for a text that isn’t a date. kubectl shows the same."

// columnClass is the CSS class of a header or a cell; empty for most of them.
func columnClass(numeric, scripted bool) string {
	switch {
	case numeric && scripted:
		return "number scripted"
	case scripted:
		return "scripted"
	case numeric:
		return "number"
	}
	return ""
}

// longCell is the length in bytes from which a cell may be too long for its column. In a table with fixed widths, a tooltip shows its
// whole text. In other tables, it wraps.
const longCell = 56
