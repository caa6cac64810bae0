package collection

import (
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/table"
)

// Bounds of what is laid out at a time.
const (
	RowHeight = 29 // pixels; the stylesheet's --row
	margin    = 12 // rows laid out above and below those that can be seen, at least
	stride    = 8  // what is laid out moves by so many rows, so that most frames of scrolling change nothing
	firstRows = 60 // laid out before it is known how many can be seen
)

// laidOut chooses the rows that can be seen, and a few around them.
func (l *live) laidOut() layout {
	n := l.count()
	first, count := max(0, l.view.Top/RowHeight-margin), firstRows
	if l.view.Height > 0 {
		count = l.view.Height/RowHeight + 2*margin + 1
	}
	first = min(first, max(0, n-count))
	first -= first % stride
	rows := l.window(first, count+stride)
	return layout{
		rows: rows, first: first, above: first * RowHeight, below: max(0, n-first-len(rows)) * RowHeight,
		shown: n, total: l.store.Total(),
	}
}

func (l *live) count() int {
	if l.held != nil {
		return l.held.Len()
	}
	return l.store.Len()
}

// window is a part of the rows in the order they are shown in: the store's, or the one that is held.
func (l *live) window(first, count int) []table.Row {
	if l.held != nil {
		return l.held.Window(first, count)
	}
	return l.store.Window(first, count)
}

// mark adds what only a living page knows: what changed a moment ago, what is gone, and ages that go on.
func (l *live) mark(g components.Grid, all []table.Column, columns []int, rows []table.Row) {
	for i, r := range rows {
		row := &g.Rows[i]
		if _, there := l.store.Get(r.UID); !there {
			row.Gone, row.Href = true, "" // its page would be none
			continue
		}
		_, row.Fresh = l.fresh[r.UID]
		for n, column := range columns {
			if strings.EqualFold(all[column].Name, "Age") && !r.Created.IsZero() {
				row.Cells[n].Text = l.age(r)
			}
		}
	}
}

// age words a row's age. The reader's clock may lag behind the server's; nothing is younger than new.
func (l *live) age(r table.Row) string {
	if l.now.Before(r.Created) {
		return table.Age(r.Created, r.Created)
	}
	return table.Age(r.Created, l.now)
}
