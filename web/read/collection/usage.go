package collection

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/kube/usage"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// The columns of what pods and nodes use. The browser adds them to those of the server.
const (
	cpuColumn    = "CPU"
	memoryColumn = "Memory"
)

const (
	// usageEvery is how often a visible page asks for figures.
	usageEvery = 15 * time.Second
	// refusedEvery is how often it asks again after a refusal for lack of permission.
	refusedEvery = 5 * time.Minute
	// usageRows bounds the rows: the metrics API has no chunks, so the response has all of them.
	usageRows = 1000
	// boundsRows bounds the rows whose requests and limits are read, in chunks of boundsChunk objects.
	boundsRows  = 250
	boundsChunk = 50

	askUsage  = "usage"
	askBounds = "bounds"
)

// using is what a page in the browser knows of the use of its objects.
type using struct {
	asked   time.Time
	due     bool // a response is missing
	refused bool // the last response was 403
	on      bool // the columns are shown
	at      int  // the index of the first of them
	figures map[string]usage.Amount
	bounds  map[string]usage.Bounds
	reading bool   // of bounds
	note    string // why there are no new figures
}

// measured is the path of the figures of the collection; empty if the cluster has none.
func (m Model) measured() string {
	if m.Problem != nil || m.Query.Continue != "" || m.Type.Group != "" || m.Type.Resource != "pods" && m.Type.Resource != "nodes" {
		return ""
	}
	served := m.Shell.Catalog.Versions(usage.Group, m.Type.Resource)
	if len(served) == 0 {
		return ""
	}
	query := url.Values{}
	set(query, "labelSelector", m.Query.LabelSelector)
	return web.WithQuery(apipath.Collection(usage.Group, served[0].Version, m.Shell.Path.Namespace, m.Type.Resource).String(), query)
}

// reserves tells whether the page has the columns before it has figures, so that nothing moves when they arrive.
func (m Model) reserves() bool {
	total := int64(len(m.Table.Rows))
	if m.Table.Remaining != nil {
		total += *m.Table.Remaining
	}
	whole := m.Table.Continue == "" || m.Table.Remaining != nil
	return m.measured() != "" && len(m.Table.Columns) > 0 && whole && total <= usageRows
}

// reserve is a part of the page's table with the columns, if the page reserves them. They are empty.
func (m Model) reserve(t table.Table) (table.Table, using) {
	var u using
	if !m.reserves() {
		return t, u
	}
	u.on = true
	t.Columns = u.columns(t.Columns)
	rows := make([]table.Row, len(t.Rows))
	for i, r := range t.Rows {
		rows[i] = u.widened(r)
	}
	t.Rows = rows
	return t, u
}

// askForUsage is the request for figures, when it is time for one.
func (m Model) askForUsage(now time.Time) []page.Cmd {
	u, path := &m.live.using, m.measured()
	wait := usageEvery
	switch {
	case u.refused:
		wait = refusedEvery
	case u.due:
		wait *= 4 // a slow server isn't asked more often than it responds
	}
	if path == "" || now.Sub(u.asked) < wait {
		return nil
	}
	if total := m.live.rows.Total(); total > usageRows {
		u.note = fmt.Sprintf("No columns for CPU and memory: these rows are more than %d.", usageRows)
		return nil
	}
	u.asked, u.due = now, true
	return []page.Cmd{page.Get(askUsage, m.Shell.Cluster.Slug, path, "application/json")}
}

// usageResponded takes in the response to a request of this file.
func (m Model) usageResponded(r page.Response) []page.Cmd {
	switch r.ID {
	case askUsage:
		return m.figuresResponded(r)
	case askBounds:
		return m.boundsResponded(r)
	}
	return nil
}

func (m Model) figuresResponded(r page.Response) []page.Cmd {
	u := &m.live.using
	u.due, u.refused = false, r.Status == 403
	all, err := usage.ParseList(r.Body)
	if !r.OK() || err != nil {
		u.note = unmeasured(r)
		if u.figures == nil {
			m.live.hideUsage()
		}
		return nil
	}
	u.note, u.figures = "", make(map[string]usage.Amount, len(all))
	missing := false
	for _, one := range all {
		key := rowKey(one.Namespace, one.Name)
		u.figures[key] = one.Usage
		if _, known := u.bounds[key]; !known {
			missing = true
		}
	}
	m.live.showUsage()
	if missing && !u.reading && m.live.rows.Total() <= boundsRows {
		u.reading = true
		return []page.Cmd{m.readBounds("")}
	}
	return nil
}

// unmeasured says why there are no figures.
func unmeasured(r page.Response) string {
	switch no := status.Parse(r.Status, r.Body); {
	case r.Status == 403:
		return "No figures for CPU and memory: you don’t have permission. " + no.Message
	case r.Status == 0 || r.Status >= 500:
		return "No figures for CPU and memory: the metrics API isn’t available."
	default:
		return "No figures for CPU and memory: " + no.Message
	}
}

// readBounds is the request for a chunk of the objects, with requests and limits.
func (m Model) readBounds(token string) page.Cmd {
	query := url.Values{"limit": {strconv.Itoa(boundsChunk)}}
	set(query, "labelSelector", m.Query.LabelSelector)
	set(query, "fieldSelector", m.Query.FieldSelector)
	set(query, "continue", token)
	return page.Get(askBounds, m.Shell.Cluster.Slug, web.WithQuery(m.Shell.Path.String(), query), "application/json")
}

func (m Model) boundsResponded(r page.Response) []page.Cmd {
	u := &m.live.using
	all, next, err := usage.ParseSubjects(r.Body)
	if u.reading = false; !r.OK() || err != nil {
		return nil // the figures are shown without bars
	}
	if u.bounds == nil {
		u.bounds = map[string]usage.Bounds{}
	}
	for _, one := range all {
		u.bounds[rowKey(one.Namespace, one.Name)] = one.Bounds
	}
	if next == "" || len(u.bounds) > 4*boundsRows {
		return nil
	}
	u.reading = true
	return []page.Cmd{m.readBounds(next)}
}

func rowKey(namespace, name string) string { return namespace + "/" + name }

// showUsage writes the figures into the rows, and adds the columns if they are missing.
func (l *live) showUsage() {
	u := &l.using
	if !u.on {
		columns := append(u.columns(served(l.rows.Columns())), ownColumns(l.rows.Columns())...)
		l.rewrite(func(r table.Row) table.Row { return u.widened(r) })
		u.on = true
		l.rows.SetColumns(columns)
	} else {
		l.rewrite(func(r table.Row) table.Row {
			r.Cells = slices.Delete(slices.Clone(r.Cells), u.at, u.at+2)
			return u.widened(r)
		})
	}
	l.widths.withUsage()
}

// hideUsage removes the columns that were reserved, and that get no figures.
func (l *live) hideUsage() {
	u := &l.using
	if !u.on {
		return
	}
	columns := slices.Delete(slices.Clone(l.rows.Columns()), u.at, u.at+2)
	l.rewrite(func(r table.Row) table.Row {
		r.Cells = slices.Delete(slices.Clone(r.Cells), u.at, u.at+2)
		return r
	})
	u.on = false
	l.rows.SetColumns(columns)
}

// usageWidth is the width of a column with a bar, in pixels.
const usageWidth = 144

// withUsage adds the widths of the columns.
func (w widths) withUsage() {
	for _, name := range []string{cpuColumn, memoryColumn} {
		w[name] = max(w[name], usageWidth)
	}
}

// rewrite changes rows; those that stay the same cost nothing.
func (l *live) rewrite(change func(table.Row) table.Row) {
	for _, uid := range l.rows.UIDs() {
		before, _ := l.rows.Get(uid)
		if after := change(before); !slices.Equal(after.Cells, before.Cells) {
			l.rows.Put(after)
		}
	}
}

// columns are those of the server with ours, after the last one that is always shown.
func (u *using) columns(of []table.Column) []table.Column {
	u.at = 0
	for i, c := range of {
		if c.Priority == 0 {
			u.at = i + 1
		}
	}
	return slices.Insert(slices.Clone(of), u.at,
		table.Column{Name: cpuColumn, Type: "string", Description: "Processor in use, in thousandths, from metrics.k8s.io. The bar ends at the limit, or else at the request. The mark is the request."},
		table.Column{Name: memoryColumn, Type: "string", Description: "Memory in use, from metrics.k8s.io. The bar ends at the limit, or else at the request. The mark is the request."},
	)
}

// widened is a row of the server with our cells.
func (u *using) widened(r table.Row) table.Row {
	cells := slices.Clone(r.Cells)
	for len(cells) < u.at {
		cells = append(cells, "")
	}
	var cpu, memory table.Cell
	if used, ok := u.figures[rowKey(r.Namespace, r.Name)]; ok {
		cpu, memory = table.Cell(usage.CPU(used.CPU)), table.Cell(usage.Memory(used.Memory))
	}
	r.Cells = slices.Insert(cells, u.at, cpu, memory)
	return r
}

// widen adds our columns to what a message of the subscription has.
func (u *using) widen(w *wire.Message) {
	if !u.on {
		return
	}
	if len(w.Columns) > 0 {
		w.Columns = u.columns(w.Columns)
	}
	w.Rows = slices.Clone(w.Rows)
	for i, r := range w.Rows {
		w.Rows[i] = u.widened(r)
	}
	w.Events = slices.Clone(w.Events)
	for i, e := range w.Events {
		if e.Row != nil {
			w.Events[i].Row = new(u.widened(*e.Row))
		}
	}
}

// meters draws the figures of rows beside requests and limits. Without scripts, the columns stay hidden: nobody would ask for figures.
func (m Model) meters(g components.Grid) {
	if m.measured() == "" {
		return
	}
	limit := "limit"
	if m.Type.Resource == "nodes" {
		limit = "allocatable"
	}
	for n, h := range g.Head {
		if h.Name != cpuColumn && h.Name != memoryColumn {
			continue
		}
		g.Head[n].Numeric, g.Head[n].Scripted = true, true
		for i, r := range g.Rows {
			g.Rows[i].Cells[n].Numeric, g.Rows[i].Cells[n].Scripted = true, true
			if m.live == nil {
				continue
			}
			g.Rows[i].Cells[n].Meter = m.live.using.meter(rowKey(r.Namespace, r.Name), h.Name == cpuColumn, limit)
		}
	}
}

// meter is the bar of a figure; nil if the object has no figure, or neither request nor limit.
func (u *using) meter(key string, cpu bool, limit string) *components.Meter {
	used, measured := u.figures[key]
	bounds := u.bounds[key]
	if !measured {
		return nil
	}
	if cpu {
		return components.NewMeter(used.CPU, bounds.Request.CPU, bounds.Limit.CPU, limit, usage.CPU)
	}
	return components.NewMeter(used.Memory, bounds.Request.Memory, bounds.Limit.Memory, limit, usage.Memory)
}

// usageNote says why there are no figures, or no new ones; empty if there are, or if the cluster measures nothing.
func (m Model) usageNote() string {
	if m.live == nil {
		return ""
	}
	return m.live.using.note
}
