package collection

import (
	"slices"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web/read/object/row"
)

// Foretell implements coming.Foreteller: the row of an object says what its page says first. Like that page, it has the columns of the server only.
func (m Model) Foretell(p apipath.Path) templ.Component {
	if m.live == nil || apipath.CollectionOf(p).In("") != m.Shell.Path.In("") {
		return nil
	}
	t := table.Table{Columns: served(m.live.rows.Columns()), Printed: true}
	u := m.live.using
	if u.on {
		t.Columns = slices.Delete(t.Columns, u.at, u.at+2)
	}
	m.live.rows.Each(func(r *table.Row) bool {
		if r.Name == p.Name && r.Namespace == p.Namespace {
			t.Rows = []table.Row{*r}
		}
		return t.Rows == nil
	})
	if t.Rows == nil {
		return nil
	}
	if r := &t.Rows[0]; u.on {
		r.Cells = slices.Delete(slices.Clone(r.Cells), u.at, u.at+2)
	}
	cells := row.Model{Table: t}.Cells(t.Rows[0].UID, m.Shell.Cluster.Slug)
	if len(cells) == 0 {
		return nil
	}
	return row.Line(cells)
}
