package collection

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Keys implements page.Keyed.
func (m Model) Keys() []components.Key {
	keys := []components.Key{
		{Keys: []string{"j", "k"}, Does: "Next and previous row"},
		{Keys: []string{"Enter"}, Does: "Open the row’s object"},
		{Keys: []string{"g", "G"}, Does: "First and last row"},
		{Keys: []string{"/"}, Does: "Filter the rows"},
		{Keys: []string{"s", "S"}, Does: "Sort by the next or previous column, ascending or descending"},
		{Keys: []string{"w"}, Does: "Show all columns, or fewer"},
		{Keys: []string{"x"}, Does: "Choose the row for an act, or no longer"},
		{Keys: []string{"X"}, Does: "Choose all rows from the last chosen one to this one"},
		{Keys: []string{"Esc"}, Does: "Leave the field, clear the filter, or go up to the parent page"},
	}
	return slices.Insert(keys, 2, m.keysOfRows()...)
}

// cursor is the row that the keyboard is on.
type cursor struct {
	uid string
	at  int // its last index, from which it continues if its row is gone
}

// follow sets the cursor to a row that got the focus in another way, such as a click.
func (c *cursor) follow(s *table.Store, id string) {
	uid, isRow := strings.CutPrefix(id, components.RowID(""))
	if at, ok := s.Index(uid); isRow && ok {
		*c = cursor{uid, at}
	}
}

// pressed handles a key: it moves the cursor, sorts, shows all columns, or opens a page about the cursor’s row.
func (m Model) pressed(key string) (page.Page, []page.Cmd) {
	switch key {
	case "j":
		return m.move(m.rowFromCursor(1))
	case "k":
		return m.move(m.rowFromCursor(-1))
	case "g":
		return m.move(0)
	case "G":
		return m.move(m.live.rows.Len() - 1)
	case "w":
		return m.widen()
	case "s":
		return m.sortBy(m.nextOrder(1))
	case "S":
		return m.sortBy(m.nextOrder(-1))
	case "x":
		return m.chooseCursor(Model.choose)
	case "X":
		return m.chooseCursor(Model.chooseTo)
	case "Escape":
		return m.escape()
	default:
		return m, m.openRow(key)
	}
}

// rowFromCursor is the index of the row that is step rows from the cursor.
func (m Model) rowFromCursor(step int) int {
	c := m.live.cursor
	if c.uid == "" {
		return 0
	}
	if at, there := m.live.rows.Index(c.uid); there {
		return at + step
	}
	return c.at
}

func (m Model) move(to int) (page.Page, []page.Cmd) {
	l := m.live
	to = min(max(to, 0), l.rows.Len()-1)
	rows := l.rows.Window(to, 1)
	if len(rows) == 0 {
		return m, nil
	}
	l.cursor = cursor{rows[0].UID, to}
	return m, []page.Cmd{
		page.Scroll{Top: to * page.RowHeight, Bottom: (to + 1) * page.RowHeight},
		page.Focus{ID: components.RowID(l.cursor.uid)},
	}
}

func (m Model) widen() (page.Page, []page.Cmd) {
	if !m.wideOffered() {
		return m, []page.Cmd{page.Announce{Words: "The server defines no more columns"}}
	}
	m.Query = m.Query.toggleWide()
	said := "Fewer columns"
	if m.Query.Wide {
		said = "All columns"
	}
	return m, []page.Cmd{page.Remember{Address: m.queryAddress(m.Query), Replace: true}, page.Announce{Words: said}}
}

func (m Model) sortBy(o table.Order) (page.Page, []page.Cmd) {
	m.Query.Sort = o
	m.rearrange()
	return m, append([]page.Cmd{
		page.Remember{Address: m.queryAddress(m.Query), Replace: true},
		page.Announce{Words: sortWords(o)},
	}, m.read()...)
}

// escape clears the filter. Without a filter, it opens the parent page.
func (m Model) escape() (page.Page, []page.Cmd) {
	if m.Query.Filter != "" {
		m.Query.Filter = ""
		m.rearrange()
		return m, []page.Cmd{page.Remember{Address: m.queryAddress(m.Query), Replace: true}, page.Announce{Words: "Filter cleared"}}
	}
	return m, []page.Cmd{page.Navigate{Address: m.Shell.Up()}}
}

// nextOrder is the next of all orders: each visible column ascending and descending, and the server's own order.
func (m Model) nextOrder(step int) table.Order {
	orders := []table.Order{{}}
	for _, name := range m.sortable() {
		orders = append(orders, table.Order{Column: name}, table.Order{Column: name, Descending: true})
	}
	for i, o := range orders {
		if o == m.Query.Sort {
			return orders[(i+step+len(orders))%len(orders)]
		}
	}
	return table.Order{}
}

func (m Model) sortable() []string {
	var names []string
	if m.showNamespaces() {
		names = append(names, table.NamespaceColumn)
	}
	t := table.Table{Columns: m.columns()}
	for _, i := range t.Visible(m.Query.Wide) {
		names = append(names, t.Columns[i].Name)
	}
	return names
}

func sortWords(o table.Order) string {
	switch {
	case o.Column == "":
		return "In the server’s order"
	case o.Descending:
		return "Sorted by " + o.Column + ", descending"
	default:
		return "Sorted by " + o.Column
	}
}
