package collection

import (
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web/wire"
)

// receive takes in a message of the subscription.
func (l *live) receive(w wire.Message) {
	l.contact.Hear(w)
	switch w.Type {
	case wire.Rows:
		l.arrive(w)
	case wire.Synced:
		l.whole(w.Gen)
	case wire.Events:
		for _, e := range w.Events {
			l.happen(e)
		}
	case wire.Gap:
		l.left = 0
	}
}

// arrive takes in a chunk of an initial state. What is shown of an older generation stays until the new one
// is whole.
func (l *live) arrive(w wire.Message) {
	if w.Gen != l.gen || l.kept == nil {
		l.gen, l.kept = w.Gen, map[string]bool{}
	}
	if len(w.Columns) > 0 {
		l.store.SetColumns(w.Columns)
		l.widths = l.widths.grown(w.Columns, nil)
	}
	l.keep(w.Rows)
	l.store.Fill(w.Rows)
	for i := range w.Rows {
		l.stir(w.Rows[i].UID)
	}
	l.widths = l.widths.grown(l.store.Columns(), w.Rows)
	l.left = 0
	if w.Remaining != nil {
		l.left = *w.Remaining
	}
}

// keep notes rows that belong to the generation that is arriving.
func (l *live) keep(rows []table.Row) {
	if l.kept == nil {
		l.kept = make(map[string]bool, len(rows))
	}
	for i := range rows {
		l.kept[rows[i].UID] = true
	}
}

// arriving tells whether rows of an initial state are still to come.
func (l *live) arriving() bool { return l.kept != nil && l.left > 0 }

// whole drops what the generation that has arrived does not hold.
func (l *live) whole(gen uint32) {
	if l.kept != nil {
		l.store.Retain(func(uid string) bool { return l.kept[uid] })
	} else if gen != l.gen {
		l.store.Retain(func(string) bool { return false }) // a fresh state that is empty has no chunk
	}
	if l.held != nil {
		for uid := range l.held.waiting {
			l.stir(uid)
		}
	}
	l.gen, l.kept, l.left = gen, nil, 0
}

// happen takes in one event.
func (l *live) happen(e wire.Event) {
	if e.Row == nil {
		return
	}
	if e.Type == wire.Deleted {
		l.store.Delete(e.Row.UID)
		l.stir(e.Row.UID)
		delete(l.fresh, e.Row.UID)
		return
	}
	before, known := l.store.Get(e.Row.UID)
	if known && before.ResourceVersion == e.Row.ResourceVersion {
		return
	}
	l.store.Put(*e.Row)
	l.stir(e.Row.UID)
	l.widths = l.widths.grown(l.store.Columns(), []table.Row{*e.Row})
	l.fresh[e.Row.UID] = l.now
}
