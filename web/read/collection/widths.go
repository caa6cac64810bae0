package collection

import (
	"unicode/utf8"

	"github.com/fieldmark/fieldmark/kube/table"
)

// Bounds of a column's width, and the estimated width of text, in pixels. The estimate is generous, because a column that is a little too
// wide is better than one that moves.
const (
	charWidth  = 7.7
	padding    = 33
	widthStep  = 16 // widths are multiples of this, so that a longer value seldom moves a column
	minWidth   = 64
	maxWidth   = 448
	arrowWidth = 14
)

// widths are the widths of the columns by name, in pixels. They depend only on the rows, so that the server and the browser compute the same widths.
// They only grow, so that nothing jumps when rows are removed.
type widths map[string]int

// measure is the widths that rows need.
func measure(columns []table.Column, rows []table.Row) widths {
	return widths{}.grown(columns, rows)
}

// grown is the widths that more rows need, too.
func (w widths) grown(columns []table.Column, rows []table.Row) widths {
	w.fit(table.NamespaceColumn, len(table.NamespaceColumn), arrowWidth)
	for _, c := range columns {
		w.fit(c.Name, utf8.RuneCountInString(c.Name), arrowWidth)
	}
	for i := range rows {
		w.fit(table.NamespaceColumn, len(rows[i].Namespace), 0)
		for n, c := range columns {
			w.fit(c.Name, utf8.RuneCountInString(rows[i].Text(c, n)), 0)
		}
	}
	return w
}

func (w widths) fit(column string, characters, more int) {
	need := int(float64(characters)*charWidth) + padding + more
	need = min(max((need+widthStep-1)/widthStep*widthStep, minWidth), maxWidth)
	if need > w[column] {
		w[column] = need
	}
}
