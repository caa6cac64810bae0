// Package events is the Events tab of an object's page: the server's Table of the object's events, kept current while the tab is open.
package events

import (
	"net/url"
	"slices"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/follow"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Of is the collection of the events about an object, and the query that selects them.
func Of(o object.Object) (apipath.Path, url.Values) {
	return apipath.Collection("", "v1", o.Meta("namespace"), "events"), url.Values{"fieldSelector": {o.EventSelector()}}
}

// Model is the tab's state.
type Model struct {
	Table table.Table `json:"table"` // when the page was made; zero: the tab was not open then

	live *live // nil: the events are not followed
}

// live is the events that are kept current.
type live struct {
	id     uint32 // of the subscription
	rows   *follow.Table
	now    time.Time
	heard  map[string]time.Time // when each row last arrived
	held   map[string]time.Time // heard when the pointer came over the events, so that none moves under it; nil: the pointer is elsewhere
	asking bool                 // no response has arrived yet
}

// Followed subscribes to the events about an object. The tab may already have some.
func (m Model) Followed(id uint32, cluster string, of object.Object, now time.Time) (Model, page.Cmd) {
	m.live = &live{id: id, rows: follow.NewTable(m.Table, now), now: now, heard: map[string]time.Time{}, asking: m.Table.ResourceVersion == ""}
	m.live.keepArrivalTimes(m.Table.Rows)
	path, query := Of(of)
	return m, follow.Subscribe(id, cluster, web.WithQuery(path.String(), query), m.Table)
}

// Left ends the subscription, if there is one, and deletes the events.
func (m Model) Left() (Model, []page.Cmd) {
	if m.live == nil {
		return Model{}, nil
	}
	return Model{}, []page.Cmd{page.Unsubscribe{ID: m.live.id}}
}

// Follows tells whether the events are followed.
func (m Model) Follows() bool { return m.live != nil }

// Update handles a message of the page, while the events are followed.
func (m Model) Update(msg page.Msg) {
	l := m.live
	if l == nil {
		return
	}
	switch msg := msg.(type) {
	case page.Received:
		if msg.Message.ID == l.id {
			l.keepArrivalTimes(l.rows.Hear(msg.Message))
			l.asking = l.asking && !l.rows.Whole()
		}
	case page.Connection:
		l.rows.Connect(msg)
	case page.Tick:
		l.now = msg.Now
		l.rows.Tick(msg.Now)
	case page.Pointed:
		l.rows.Hold(msg.Over)
		if l.held = nil; msg.Over {
			l.held = l.places()
		}
	}
}

// keepArrivalTimes keeps the time at which rows arrived, and deletes rows that are gone.
func (l *live) keepArrivalTimes(rows []table.Row) {
	for i := range rows {
		l.heard[rows[i].UID] = l.now
	}
	for uid := range l.heard {
		if _, there := l.rows.Get(uid); !there {
			delete(l.heard, uid)
		}
	}
}

// Liveness says how current the events are, together with the liveness of their object.
func (m Model) Liveness(object components.Liveness) components.Liveness {
	if m.live == nil {
		return object
	}
	if !m.live.rows.Live() {
		words := m.live.rows.Liveness()
		words.Words = "events: " + words.Words
		return words
	}
	object.Words += m.live.rows.BackWords("new event", "new events")
	return object
}

// now is the current events, the newest first.
func (m Model) now() table.Table {
	if m.live == nil {
		return newestFirst(m.Table, func(r table.Row) time.Time { return happened(m.Table, r, time.Time{}) })
	}
	l := m.live
	t := table.Table{Columns: l.rows.Columns(), Rows: l.rows.Rows(0, l.rows.Shown())}
	places := l.held
	if places == nil {
		places = l.places()
	}
	return newestFirst(t, func(r table.Row) time.Time { return places[r.UID] })
}

// places are the times that put the events in their order.
func (l *live) places() map[string]time.Time {
	places := map[string]time.Time{}
	t := table.Table{Columns: l.rows.Columns()}
	for _, r := range l.rows.Rows(0, l.rows.Shown()) {
		places[r.UID] = happened(t, r, l.heard[r.UID])
	}
	return places
}

// happened is when an event was last seen. The server only says how long ago that was when it sent the row.
func happened(t table.Table, r table.Row, heard time.Time) time.Time {
	column := t.ColumnIndex("Last Seen")
	if column < 0 {
		return heard
	}
	age, _ := table.ParseAge(r.Cell(column))
	return heard.Add(-age)
}

// newestFirst sorts events. Ages are rounded, so of events with the same age, the one that the server wrote last comes first.
func newestFirst(t table.Table, at func(table.Row) time.Time) table.Table {
	t.Rows = slices.Clone(t.Rows)
	slices.SortStableFunc(t.Rows, func(a, b table.Row) int {
		if c := at(b).Compare(at(a)); c != 0 {
			return c
		}
		return table.Natural(b.ResourceVersion, a.ResourceVersion)
	})
	return t
}

// Count is the number of the events, if they are known.
func (m Model) Count() (events int, known bool) {
	switch {
	case m.live != nil:
		return m.live.rows.Total(), !m.live.asking && !m.live.rows.Partial()
	default:
		return len(m.Table.Rows), len(m.Table.Columns) > 0 && m.Table.Continue == ""
	}
}

// Grid is the server's Table as a grid. Warnings are marked.
func (m Model) Grid() components.Grid {
	t := m.now()
	g := components.GridOf("Events", t, false)
	if column := t.ColumnIndex("Type"); column >= 0 {
		for i, r := range t.Rows {
			g.Rows[i].Warning = r.Cell(column) == "Warning"
		}
	}
	if m.live != nil {
		m.live.mark(g, t.Rows)
	}
	return g
}

// mark adds what only a page in the browser knows: rows that have just changed, deleted rows, and current times.
func (l *live) mark(g components.Grid, rows []table.Row) {
	for i, r := range rows {
		row := &g.Rows[i]
		if _, there := l.rows.Get(r.UID); !there {
			*row = components.GridRow{UID: r.UID, Gone: true, Cells: []components.GridCell{{Text: "deleted"}}}
			continue
		}
		row.Fresh = l.rows.Fresh(r.UID)
		for n := range row.Cells {
			if slices.Contains([]string{"Last Seen", "First Seen", "Age"}, g.Head[n].Name) {
				row.Cells[n].Text = later(row.Cells[n].Text, l.now.Sub(l.heard[r.UID]))
			}
		}
	}
}

// later is an age in words, some time after it was computed.
func later(age string, by time.Duration) string {
	d, ok := table.ParseAge(age)
	if !ok || by < time.Second {
		return age
	}
	return table.Duration(d + by)
}

// none says why there are no events; nil if there are some.
func (m Model) none() *components.Notice {
	switch {
	case len(m.now().Rows) > 0:
		return nil
	case m.live != nil && m.live.asking:
		return &components.Notice{Tone: components.Busy, Title: "Loading the events of this object", Words: "The events appear as soon as the server responds."}
	}
	return &components.Notice{
		Title: "No events",
		Why:   &why.Event,
		Words: "The server has no event about this object. By default, a cluster keeps events for one hour.",
	}
}
