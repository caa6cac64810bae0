package page

import (
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// Rows are the rows of a Table that a page follows: those it was made with, then what the subscription brings.
// What is known of an older generation stays until the new one is whole.
type Rows struct {
	*table.Store
	Left int64 // rows of the initial state that are still to come

	gen  uint32
	part bool // of this generation: some is still to come
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
	r := &Rows{Store: table.NewStore(have.Columns), gen: 1, part: have.Continue != ""}
	r.Mark()
	r.Fill(have.Rows)
	if have.Remaining != nil {
		r.Left = *have.Remaining
	}
	return r
}

// Arrive takes in a chunk of an initial state.
func (r *Rows) Arrive(w wire.Message) {
	if w.Gen != r.gen || !r.part {
		r.gen, r.part = w.Gen, true
		r.Mark()
	}
	if len(w.Columns) > 0 {
		r.SetColumns(w.Columns)
	}
	r.Fill(w.Rows)
	r.Left = 0
	if w.Remaining != nil {
		r.Left = *w.Remaining
	}
}

// Arriving tells whether rows of an initial state are still to come.
func (r *Rows) Arriving() bool { return r.part && r.Left > 0 }

// Partial tells whether some of what is there may still come, whether or not it is known how much.
func (r *Rows) Partial() bool { return r.part }

// Whole drops what the generation that has arrived does not hold. A fresh state that is empty has brought nothing.
func (r *Rows) Whole(gen uint32) {
	if gen != r.gen {
		r.part = true
		r.Mark()
	}
	if r.part {
		r.RetainMarked()
	}
	r.gen, r.part, r.Left = gen, false, 0
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
