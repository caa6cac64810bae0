package collection

import (
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/table"
)

// laidOut chooses the visible rows, and a few above and below them.
func (l *live) laidOut() layout {
	n := l.rows.Shown()
	w := l.view.Window(n)
	return layout{
		rows: l.rows.Rows(w.First, w.Count), first: w.First, above: w.Above, below: w.Below,
		shown: n, total: l.rows.Total(),
	}
}

// mark adds what only a page in the browser knows: rows that have just changed, deleted rows, and current ages.
func (l *live) mark(g components.Grid, rows []table.Row) {
	for i, r := range rows {
		row := &g.Rows[i]
		if _, there := l.rows.Get(r.UID); !there {
			row.Gone, row.Href = true, "" // a deleted object has no page
			continue
		}
		row.Fresh = l.rows.Fresh(r.UID)
		for n := range row.Cells {
			if strings.EqualFold(g.Head[n].Name, "Age") && !r.Created.IsZero() {
				row.Cells[n].Text = l.age(r)
			}
		}
	}
}

// age is a row's age in words. It is never negative, even if the reader's clock is slower than the server's.
func (l *live) age(r table.Row) string {
	if l.now.Before(r.Created) {
		return table.Age(r.Created, r.Created)
	}
	return table.Age(r.Created, l.now)
}
