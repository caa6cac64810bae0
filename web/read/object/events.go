package object

import (
	"net/url"
	"slices"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// EventsOf is where the events about an object are: their collection, and what selects them.
func EventsOf(o object.Object) (apipath.Path, url.Values) {
	return apipath.Collection("", "v1", o.Meta("namespace"), "events"), url.Values{"fieldSelector": {o.EventSelector()}}
}

// following is a Table that is followed, in the server's order.
type following struct {
	id      uint32
	contact page.Contact
	store   *page.Rows
	now     time.Time
	heard   map[string]time.Time // when each row was last heard of
	fresh   map[string]time.Time
	frozen  []table.Row // as they were when the pointer came over them; nil: nothing is held
	pending int         // rows that came while frozen
	asking  bool        // nothing is known yet, not even whether there are any
}

// followEvents begins to follow the events, of which the page may have some.
func (m Model) followEvents(have table.Table) page.Cmd {
	l := m.live
	l.lastID++
	f := &following{
		id: l.lastID, contact: page.NewContact(l.now), store: page.NewRows(have), now: l.now,
		heard: map[string]time.Time{}, fresh: map[string]time.Time{}, asking: have.ResourceVersion == "",
	}
	f.note(have.Rows)
	l.events = f
	path, query := EventsOf(l.latest.object)
	return page.Subscribe{
		ID: f.id, Cluster: m.Shell.Cluster.Slug, Path: web.WithQuery(path.String(), query), As: wire.Table,
		ResourceVersion: have.ResourceVersion, Continue: have.Continue,
	}
}

// leaveEvents ends that, if it ever began.
func (m Model) leaveEvents() []page.Cmd {
	left := m.live.events
	m.live.events = nil
	if left == nil {
		return nil
	}
	return []page.Cmd{page.Unsubscribe{ID: left.id}}
}

// receive takes in a message of the subscription.
func (f *following) receive(w wire.Message) {
	f.contact.Hear(w)
	switch w.Type {
	case wire.Rows:
		f.arrive(w)
	case wire.Synced:
		f.store.Whole(w.Gen)
		f.asking = false
	case wire.Events:
		for _, e := range w.Events {
			f.happen(e)
		}
	case wire.Gap:
		f.store.Left = 0
	}
}

// arrive takes in a chunk of an initial state, of rows that did not just happen.
func (f *following) arrive(w wire.Message) {
	f.store.Arrive(w)
	f.note(w.Rows)
}

// note keeps when rows were heard of.
func (f *following) note(rows []table.Row) {
	for i := range rows {
		f.heard[rows[i].UID] = f.now
	}
}

// happen takes in one event of the watch.
func (f *following) happen(e wire.Event) {
	switch change := f.store.Happen(e); change {
	case page.Nothing:
		return
	case page.Went:
		delete(f.heard, e.Row.UID)
		delete(f.fresh, e.Row.UID)
	default:
		if change == page.Came && f.frozen != nil {
			f.pending++
		}
		f.heard[e.Row.UID], f.fresh[e.Row.UID] = f.now, f.now
	}
}

func (f *following) tick(now time.Time) {
	f.now = now
	f.contact.Tick(now)
	for uid, at := range f.fresh {
		if now.Sub(at) > freshFor {
			delete(f.fresh, uid)
		}
	}
}

// hold keeps rows where they are: cells go on changing, but no row comes, goes or moves.
func (f *following) hold(over bool) {
	f.frozen, f.pending = nil, 0
	if over {
		f.frozen = f.store.Window(0, f.store.Len())
	}
}

// rows are the rows as they are shown. Those of which nothing is known but the uid are gone.
func (f *following) rows() []table.Row {
	if f.frozen == nil {
		return f.store.Window(0, f.store.Len())
	}
	rows := make([]table.Row, len(f.frozen))
	for i, r := range f.frozen {
		rows[i] = table.Row{UID: r.UID}
		if now, there := f.store.Get(r.UID); there {
			rows[i] = now
		}
	}
	return rows
}

// liveness words how current the events are, where the object they are about is live.
func (f *following) liveness(object components.Liveness) components.Liveness {
	if !f.contact.Live() {
		words := f.contact.Liveness(int64(f.store.Total()), f.store.Left)
		words.Words = "events: " + words.Words
		return words
	}
	if f.pending > 0 {
		object.Words += ", " + components.Count(int64(f.pending), "new event", "new events") + " held back while you point"
	}
	return object
}

// mark adds what only a living page knows: what changed a moment ago, what is gone, and times that go on.
func (f *following) mark(g components.Grid, rows []table.Row) {
	for i, r := range rows {
		row := &g.Rows[i]
		if row.Gone = r.Name == ""; row.Gone {
			row.Cells = []components.GridCell{{Text: "deleted"}}
			continue
		}
		_, row.Fresh = f.fresh[r.UID]
		for n := range row.Cells {
			if slices.Contains([]string{"Last Seen", "First Seen", "Age"}, g.Head[n].Name) {
				row.Cells[n].Text = later(row.Cells[n].Text, f.now.Sub(f.heard[r.UID]))
			}
		}
	}
}

// later is the words of an age some time after they were said.
func later(age string, by time.Duration) string {
	d, ok := table.ParseAge(age)
	if !ok || by < time.Second {
		return age
	}
	return table.Duration(d + by)
}
