package collection

import (
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// receive takes in a message of the subscription.
func (l *live) receive(w wire.Message) {
	l.contact.Hear(w)
	switch w.Type {
	case wire.Rows:
		l.arrive(w)
	case wire.Synced:
		l.store.Whole(w.Gen)
	case wire.Events:
		for _, e := range w.Events {
			l.happen(e)
		}
	case wire.Gap:
		l.store.Left = 0
	}
}

// arrive takes in a chunk of an initial state.
func (l *live) arrive(w wire.Message) {
	l.store.Arrive(w)
	l.widths = l.widths.grown(l.store.Columns(), w.Rows)
}

// happen takes in one event.
func (l *live) happen(e wire.Event) {
	switch l.store.Happen(e) {
	case page.Nothing:
		return
	case page.Went:
		delete(l.fresh, e.Row.UID)
	default:
		l.widths = l.widths.grown(l.store.Columns(), []table.Row{*e.Row})
		l.fresh[e.Row.UID] = l.now
	}
}
