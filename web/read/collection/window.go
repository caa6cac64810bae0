package collection

import (
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/table"
)

// laidOut chooses the rows that can be seen, and a few around them.
func (l *live) laidOut() layout {
	n := l.rows.Shown()
	w := l.view.Window(n)
	return layout{
		rows: l.rows.Rows(w.First, w.Count), first: w.First, above: w.Above, below: w.Below,
		shown: n, total: l.rows.Total(),
	}
}

// mark adds what only a living page knows: what changed a moment ago, what is gone, and ages that go on.
func (l *live) mark(g components.Grid, rows []table.Row) {
	for i, r := range rows {
		row := &g.Rows[i]
		if _, there := l.rows.Get(r.UID); !there {
			row.Gone, row.Href = true, "" // its page would be none
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

// age words a row's age. The reader's clock may lag behind the server's; nothing is younger than new.
func (l *live) age(r table.Row) string {
	if l.now.Before(r.Created) {
		return table.Age(r.Created, r.Created)
	}
	return table.Age(r.Created, l.now)
}
