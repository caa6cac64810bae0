package page

import (
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web/wire"
)

// Rows are the rows of a Table that a page follows: those it was made with, then what the subscription brings.
// What is known of an older generation stays until the new one is whole.
type Rows struct {
	*table.Store
	Left int64 // rows of the initial state that are still to come

	gen  uint32
	kept map[string]bool // uids of the generation that is arriving; nil: it is whole
}

// Change is what an event meant for the rows.
type Change int

// The changes.
const (
	Nothing Change = iota // it was known
	Came
	Changed
	Went
)

// NewRows are the rows that a page has as it awakes.
func NewRows(have table.Table) *Rows {
	r := &Rows{Store: table.NewStore(have.Columns), gen: 1}
	r.Fill(have.Rows)
	if have.Continue != "" {
		r.keep(have.Rows)
	}
	if have.Remaining != nil {
		r.Left = *have.Remaining
	}
	return r
}

// Arrive takes in a chunk of an initial state.
func (r *Rows) Arrive(w wire.Message) {
	if w.Gen != r.gen || r.kept == nil {
		r.gen, r.kept = w.Gen, map[string]bool{}
	}
	if len(w.Columns) > 0 {
		r.SetColumns(w.Columns)
	}
	r.keep(w.Rows)
	r.Fill(w.Rows)
	r.Left = 0
	if w.Remaining != nil {
		r.Left = *w.Remaining
	}
}

func (r *Rows) keep(rows []table.Row) {
	if r.kept == nil {
		r.kept = make(map[string]bool, len(rows))
	}
	for i := range rows {
		r.kept[rows[i].UID] = true
	}
}

// Arriving tells whether rows of an initial state are still to come.
func (r *Rows) Arriving() bool { return r.kept != nil && r.Left > 0 }

// Whole drops what the generation that has arrived does not hold. A fresh state that is empty has kept nothing.
func (r *Rows) Whole(gen uint32) {
	if r.kept != nil || gen != r.gen {
		r.Retain(func(uid string) bool { return r.kept[uid] })
	}
	r.gen, r.kept, r.Left = gen, nil, 0
}

// Happen takes in one event.
func (r *Rows) Happen(e wire.Event) Change {
	if e.Row == nil {
		return Nothing
	}
	if e.Type == wire.Deleted {
		r.Delete(e.Row.UID)
		return Went
	}
	before, known := r.Get(e.Row.UID)
	if known && before.ResourceVersion == e.Row.ResourceVersion {
		return Nothing
	}
	r.Put(*e.Row)
	if known {
		return Changed
	}
	return Came
}
