// Package collection is the page of a collection: the server's own Table, one chunk at a time.
package collection

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/column"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/inplace"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/words"
)

// Model is the page's state. The collection's path is Shell.Path.
type Model struct {
	page.Frame
	Type  discovery.Type `json:"type"`
	Query Query          `json:"query"`
	Table table.Table    `json:"table"`
	// NoNamespace tells that the namespace of the path doesn't exist. For such a namespace, an API server returns an empty list and no error,
	// so another request has to find out.
	NoNamespace bool `json:"noNamespace"`
	// Judged tells that the rows of the table were read from whole objects, so that it has columns for their conditions.
	Judged bool `json:"judged,omitempty"`
	// Unserved are the columns that the type's definition declares, and that the server doesn't serve.
	Unserved []Column `json:"unserved,omitempty"`

	// Values are what the server has read for the columns that the reader has added, and Cost what that has cost. Unread says why it couldn't.
	Values []column.Read `json:"values,omitempty"`
	Cost   Cost          `json:"cost,omitzero"`
	Unread string        `json:"unread,omitempty"`
	At     time.Time     `json:"at,omitzero"` // when the server made the page

	live *live // nil on the server
}

// layout is the rows that are rendered, and the height of the others.
type layout struct {
	rows         []table.Row
	screen       int // how many of them the server sends for the first screen
	first        int // index of the first rendered row among all that pass the filter
	above, below int // height of the rows that aren't rendered, in pixels
	shown, total int // rows that pass the filter; all rows
}

// laidOut chooses the rows to render: in the browser, those that can be seen; on the server, all of the chunk. The server's first screen is what
// the browser renders before it knows the height of its window, so that taking over changes nothing.
func (m Model) laidOut() layout {
	if m.live != nil {
		return m.live.laidOut()
	}
	rows := m.rows()
	w := page.Scrolled{}.Window(len(rows))
	return layout{rows: rows, screen: w.Count, below: w.Below, shown: len(rows), total: len(m.Table.Rows)}
}

// columns are the current columns.
func (m Model) columns() []table.Column {
	if m.live != nil {
		return shownColumns(m.live.rows.Columns(), m.live.told)
	}
	return m.withAdded(shownColumns(m.Table.Columns, tells(m.Table.Columns, m.Table.Rows)))
}

// table is the table of the page, with what the server has read of the objects.
func (m Model) table() table.Table {
	t := m.Table
	if len(m.Values) == 0 {
		return t
	}
	names, texts := m.valueNames(), map[string][]string{}
	for _, one := range m.Values {
		texts[one.UID] = one.Texts
	}
	t.Rows = slices.Clone(t.Rows)
	for i := range t.Rows {
		if have, there := texts[t.Rows[i].UID]; there {
			t.Rows[i].Values = &table.Values{Names: names, Texts: have}
		}
	}
	return t
}

func (m Model) wideOffered() bool { return table.Table{Columns: m.columns()}.Wide() }

// rows are the chunk's rows that pass the filter, in the order asked for.
func (m Model) rows() []table.Row {
	t := m.table()
	rows := table.Filter(t.Rows, m.Query.Filter)
	if m.Query.Sort.Column == "" {
		return rows
	}
	rows = slices.Clone(rows)
	t.Columns = m.columns()
	t.Sort(rows, m.Query.Sort)
	return rows
}

// queryAddress is the address of this page with another query.
func (m Model) queryAddress(q Query) string {
	return web.WithQuery(web.Page(m.Shell.Cluster.Slug, m.Shell.Path.String()), q.Values())
}

// apiCall is the request with which the page was made.
func (m Model) apiCall() call.Call {
	return inplace.Get(m.Shell.Cluster.Slug, web.WithQuery(m.Shell.Path.String(), m.request(m.Query)), accept.Table+accept.OrJSON)
}

// tries is the menu of tools for the same request.
func (m Model) tries() []components.Link {
	asked := m.Query.first()
	asked.Limit = 0
	return shell.CollectionTools(m.Shell.Cluster.Slug, web.WithQuery(m.Shell.Path.String(), asked.Request()), m.Type).Links
}

func (m Model) showNamespaces() bool { return m.Type.Namespaced && m.Shell.Path.Namespace == "" }

// partial tells whether the page has only a part of the collection.
func (m Model) partial() bool {
	return m.Query.Continue != "" || (m.Table.Continue != "" && m.live == nil)
}

// total says how many objects there are, as far as the server told.
func (m Model) total() string {
	shown := int64(len(m.Table.Rows))
	switch {
	case m.live != nil && m.follows():
		return words.Count(int64(m.live.rows.Total())+m.live.rows.Left, "object", "objects")
	case m.Query.Continue != "" && m.Table.Remaining != nil:
		return fmt.Sprintf("%s in this chunk, %s after it", words.Count(shown, "object", "objects"), words.Thousands(*m.Table.Remaining))
	case m.Query.Continue != "":
		return fmt.Sprintf("%s in this chunk", words.Count(shown, "object", "objects"))
	case m.Table.Remaining != nil:
		return words.Count(shown+*m.Table.Remaining, "object", "objects")
	case m.Table.Continue != "":
		return "more than " + words.Count(shown, "object", "objects")
	default:
		return words.Count(shown, "object", "objects")
	}
}

// nextWords is the text of the link to the next chunk: "Next 500 of 9,500 more", "Next 3", "Next 500".
func (m Model) nextWords() string {
	left := m.Table.Remaining
	switch {
	case left == nil:
		return "Next " + words.Thousands(int64(m.Query.Limit))
	case *left <= int64(m.Query.Limit):
		return "Next " + words.Thousands(*left)
	default:
		return fmt.Sprintf("Next %s of %s more", words.Thousands(int64(m.Query.Limit)), words.Thousands(*left))
	}
}

// grid is the table of the rows.
func (m Model) grid(l layout) components.Grid {
	t := table.Table{Columns: m.columns(), Rows: l.rows}
	if m.live == nil {
		t.Columns = served(t.Columns)
		t, _ = m.reserve(t)
		t.Columns = m.withAdded(t.Columns)
	}
	g := components.GridOf(shell.Plural(m.Type), t, m.Query.Wide)
	g.First, g.Above, g.Below, g.Count, g.Screen = l.first, l.above, l.below, l.shown, l.screen
	widths := m.widths()
	for i := range g.Head {
		m.sorts(&g.Head[i], widths)
	}
	if g.Namespaces = m.showNamespaces(); g.Namespaces {
		g.NamespaceH = components.HeaderCell{Name: table.NamespaceColumn, Hint: "The namespace the object is in."}
		m.sorts(&g.NamespaceH, widths)
	}
	object, marks := m.objectAddresses(), m.badges()
	for i, r := range l.rows {
		g.Rows[i].Href = object(r)
		g.Rows[i].Badges = marks(r)
		if g.Namespaces {
			g.Rows[i].NamespaceHref = web.Page(m.Shell.Cluster.Slug, m.Shell.Path.In(r.Namespace).String())
		}
	}
	m.ownCells(g, t.Columns, l.rows)
	m.linkEvents(g)
	m.meters(g)
	if m.live != nil {
		m.live.mark(g, l.rows)
	}
	if g.Choosing = m.chooses(); g.Choosing {
		g.ChooseAll = m.allBox()
		m.box(g, l.rows)
	}
	return g
}

// linkEvents makes links of the objects that events are about.
func (m Model) linkEvents(g components.Grid) {
	column := slices.IndexFunc(g.Head, func(h components.HeaderCell) bool { return h.Name == "Object" })
	if m.Type.Resource != "events" || column < 0 {
		return
	}
	types := map[string][]discovery.Type{}
	for _, r := range g.Rows {
		if column >= len(r.Cells) {
			continue
		}
		cell := &r.Cells[column]
		kind, name, ok := strings.Cut(cell.Text, "/")
		if _, known := types[kind]; !known {
			types[kind] = m.ofKind(kind)
		}
		if ok && apipath.Unfit(name) == "" && len(types[kind]) == 1 {
			cell.Href = m.objectOf(types[kind][0], r.Namespace, name)
		}
	}
}

// ofKind are the types with a kind. The server's Table of events has the kind of an object in lower case, and not its group. So an object
// whose kind several groups have gets no link.
func (m Model) ofKind(kind string) []discovery.Type {
	return slices.DeleteFunc(m.Shell.Catalog.Find(kind), func(t discovery.Type) bool { return !strings.EqualFold(t.Kind, kind) || !t.Can("get") })
}

// objectOf is the address of the object that an event in a namespace is about. If the object is in a namespace, it is the event's.
func (m Model) objectOf(t discovery.Type, namespace, name string) string {
	if !t.Namespaced {
		namespace = ""
	}
	return web.Page(m.Shell.Cluster.Slug, apipath.Object(t.Group, t.Version, namespace, t.Resource, name).String())
}

func (m Model) widths() widths {
	if m.live != nil {
		return m.live.widths
	}
	t := m.table()
	w := measure(m.withAdded(t.Columns), t.Rows)
	if m.reserves() {
		w.withUsage()
	}
	return w
}

// objectAddresses makes a function that returns the address of a row's page. It computes the constant parts once, because a chunk has hundreds of
// rows.
func (m Model) objectAddresses() func(table.Row) string {
	slug, p := m.Shell.Cluster.Slug, m.Shell.Path
	return func(r table.Row) string {
		if r.Name == "" || !m.Type.Can("get") {
			return ""
		}
		return web.Page(slug, apipath.Object(p.Group, p.Version, r.Namespace, p.Resource, r.Name).String())
	}
}

// sorts sets the width and the link of a column's header. The link sorts by the column: first ascending, then descending, then not.
func (m Model) sorts(h *components.HeaderCell, widths widths) {
	next := m.Query
	switch {
	case m.Query.Sort.Column != h.Name:
		next.Sort = table.Order{Column: h.Name}
	case !m.Query.Sort.Descending:
		h.Sort = "ascending"
		next.Sort = table.Order{Column: h.Name, Descending: true}
	default:
		h.Sort = "descending"
		next.Sort = table.Order{}
	}
	h.Href, h.Width = m.queryAddress(next), widths[h.Name]
}
