package follow

import (
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
	"github.com/fieldmark/fieldmark/words"
)

// FreshFor is how long a changed row is marked.
const FreshFor = 1500 * time.Millisecond

// Table is a Table that is followed. It starts with the rows that the server made the page with, and then follows the subscription. Rows of
// an older generation stay until the new one is complete.
type Table struct {
	Contact
	*table.Store
	Left int64 // rows of the first state that have not arrived

	gen   uint32
	part  bool                 // this generation is not complete
	fresh map[string]time.Time // when each row changed, by uid
	held  *table.Held          // nil: the pointer is not over the rows
}

// NewTable begins with the rows that the server made the page with.
func NewTable(have table.Table, now time.Time) *Table {
	t := &Table{
		Contact: NewContact(now), Store: table.NewStore(have.Columns), fresh: map[string]time.Time{},
		gen: 1, part: have.Continue != "",
	}
	t.Mark()
	t.Fill(have.Rows)
	if have.Remaining != nil {
		t.Left = *have.Remaining
	}
	return t
}

// Hear takes in a message of the subscription, and returns the rows that are new or have changed.
func (t *Table) Hear(m wire.Message) (news []table.Row) {
	t.Contact.Hear(m)
	switch m.Type {
	case wire.Rows:
		t.arrive(m)
		return m.Rows
	case wire.Synced:
		t.retain(m.Gen)
	case wire.Gap:
		t.Left = 0
	case wire.Events:
		for _, e := range m.Events {
			if t.happen(e) {
				news = append(news, *e.Row)
			}
		}
	}
	return news
}

// arrive takes in a chunk of a state.
func (t *Table) arrive(m wire.Message) {
	if m.Gen != t.gen || !t.part {
		t.gen, t.part = m.Gen, true
		t.Mark()
	}
	if len(m.Columns) > 0 {
		t.SetColumns(m.Columns)
	}
	t.Fill(m.Rows)
	t.Left = 0
	if m.Remaining != nil {
		t.Left = *m.Remaining
	}
}

// retain removes rows that the complete generation doesn't have. An empty state brings no chunk, so its generation is new here.
func (t *Table) retain(gen uint32) {
	if gen != t.gen {
		t.part = true
		t.Mark()
	}
	if t.part {
		t.RetainMarked()
	}
	t.gen, t.part, t.Left = gen, false, 0
}

// happen takes in an event, and tells whether its row is new or has changed.
func (t *Table) happen(e wire.Event) bool {
	if e.Row == nil {
		return false
	}
	if e.Type == watch.Deleted {
		t.Delete(e.Row.UID)
		delete(t.fresh, e.Row.UID)
		return false
	}
	if before, known := t.Get(e.Row.UID); known && before.ResourceVersion == e.Row.ResourceVersion {
		return false
	}
	t.Put(*e.Row)
	t.fresh[e.Row.UID] = t.now
	return true
}

// Arriving tells whether a known number of rows has not arrived.
func (t *Table) Arriving() bool { return t.part && t.Left > 0 }

// Partial tells whether more rows may arrive, even if their number isn't known.
func (t *Table) Partial() bool { return t.part }

// Whole tells whether the subscription has brought a complete state.
func (t *Table) Whole() bool { return t.synced }

// Tick takes in the reader's time.
func (t *Table) Tick(now time.Time) {
	t.Contact.Tick(now)
	for uid, at := range t.fresh {
		if now.Sub(at) > FreshFor {
			delete(t.fresh, uid)
		}
	}
}

// Fresh tells whether a row changed a moment ago.
func (t *Table) Fresh(uid string) bool {
	_, fresh := t.fresh[uid]
	return fresh
}

// Hold keeps the rows at their places while the pointer is over them. Cells still change, but no row appears, disappears or moves.
func (t *Table) Hold(over bool) {
	t.Release()
	t.held = nil
	if over {
		t.held = t.Store.Hold()
	}
}

// Holds tells whether rows are held.
func (t *Table) Holds() bool { return t.held != nil }

// Shown is the number of rows that are shown.
func (t *Table) Shown() int {
	if t.held != nil {
		return t.held.Len()
	}
	return t.Len()
}

// Rows returns up to n rows from first on, in the order in which they are shown. A row that was deleted while rows are held keeps its last
// content, but Get doesn't find it.
func (t *Table) Rows(first, n int) []table.Row {
	if t.held != nil {
		return t.held.Window(first, n)
	}
	return t.Window(first, n)
}

// Back is how many rows are held back.
func (t *Table) Back() int {
	if t.held == nil {
		return 0
	}
	return t.held.Back()
}

// BackWords say how many rows are held back, after a comma. They are empty if there are none, or if the page isn't live.
func (t *Table) BackWords(one, many string) string {
	if n := t.Back(); n > 0 && t.Live() {
		return ", " + words.Count(int64(n), one, many) + " held back while you point"
	}
	return ""
}

// Liveness says how current the rows are.
func (t *Table) Liveness() components.Liveness { return t.Contact.Liveness(int64(t.Total()), t.Left) }

// Subscribe is the command that follows a table from the version that the page has.
func Subscribe(id uint32, cluster, path string, have table.Table) page.Subscribe {
	return page.Subscribe{ID: id, Cluster: cluster, Path: path, As: wire.Table, ResourceVersion: have.ResourceVersion, Continue: have.Continue}
}
