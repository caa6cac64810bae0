// Package row is the object's row of the server's Table: what a collection's page and kubectl get say about the object. It is kept current
// while the page is open.
//
//	GET …/pods/web, as a Table        one row, with the page
//	watch the pods named web, as a Table   the same row, when it changes
package row

import (
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/layout"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/follow"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

const (
	mostCells = 12  // an author of a CustomResourceDefinition can define any number of columns
	mostText  = 200 // bytes of a cell
)

// Model is the row.
type Model struct {
	Table table.Table `json:"table"` // when the page was made; without rows if the server sent none

	live *live // nil: the row is not followed
}

// live is the row that is kept current.
type live struct {
	id     uint32 // of the subscription
	rows   *follow.Table
	failed bool // the server ended the subscription, so the row may be out of date
}

// Cell is a value of the row.
type Cell struct {
	Name, Text string
	Hint       string // the server's description of the column
	Href       string // empty: the value is not an object's name
	Tone       components.Tone
}

// Known tells whether the server sent a row.
func (m Model) Known() bool { return m.Table.Printed && len(m.Table.Rows) > 0 }

// Followed subscribes to the row of the object at a path.
func (m Model) Followed(id uint32, cluster, path string, now time.Time) (Model, page.Cmd) {
	m.live = &live{id: id, rows: follow.NewTable(m.Table, now)}
	return m, follow.Subscribe(id, cluster, path, table.Table{})
}

// Resume takes over the row of the page before, whose subscription continues. The server doesn't send that row again.
func (m Model) Resume(former Model) {
	if m.live == nil || former.live == nil || former.live.failed || !former.live.rows.Whole() {
		return
	}
	m.live.rows = former.live.rows
}

// Update handles a message of the page, while the row is followed.
func (m Model) Update(msg page.Msg) {
	received, ok := msg.(page.Received)
	if m.live == nil || !ok || received.Message.ID != m.live.id {
		return
	}
	m.live.failed = m.live.failed || received.Message.Type == wire.Failed
	m.live.rows.Hear(received.Message)
}

// now is the row of the object with a uid, and the columns.
func (m Model) now(uid string) (table.Row, table.Table, bool) {
	t := m.Table
	if m.live != nil {
		t = table.Table{Columns: m.live.rows.Columns(), Rows: m.live.rows.Rows(0, 1)}
	}
	if len(t.Rows) == 0 || t.Rows[0].UID != uid || m.live != nil && m.live.failed {
		return table.Row{}, t, false
	}
	return t.Rows[0], t, true
}

// Cells are the values that a reader needs first: the columns that the collection's page always shows, and the node. The object's state
// comes first. The name and the age are left out, because the page shows them in its title.
func (m Model) Cells(uid, cluster string) []Cell {
	r, t, ok := m.now(uid)
	if !ok {
		return nil
	}
	var states, others []Cell
	for i, c := range t.Columns {
		cell := Cell{Name: c.Name, Text: strings.TrimSpace(r.Cell(i)), Hint: c.Description}
		node := strings.EqualFold(c.Name, "node") && apipath.Unfit(cell.Text) == ""
		if cell.Text == "" || c.Format == "name" || c.Name == "Age" || c.Priority > 0 && !node || cell.Text == "<none>" {
			continue
		}
		cell.Tone = components.CellTone(c.Name, cell.Text)
		if node {
			cell.Href = web.Page(cluster, apipath.Object("", "v1", "", "nodes", cell.Text).String())
		}
		cell.Text = shortenText(cell.Text)
		if components.IsState(c.Name) {
			states = append(states, cell)
		} else {
			others = append(others, cell)
		}
	}
	if !done(states) {
		for i := range others {
			if others[i].Name == "Ready" && components.Short(others[i].Text) {
				others[i].Tone = components.Warn
			}
		}
	}
	shown, _ := components.First(append(states, others...), mostCells)
	return shown
}

// done tells whether an object has finished, so that no part of it is ready any more.
func done(states []Cell) bool {
	return slices.ContainsFunc(states, func(c Cell) bool { return components.Finished(c.Text) })
}

func shortenText(text string) string {
	if short := layout.Cut(text, mostText); short != text {
		return short + "…"
	}
	return text
}
