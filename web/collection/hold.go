package collection

import "github.com/fieldmark/fieldmark/kube/table"

// held are rows that stay where they are while the pointer is over them: cells go on changing, but no row comes, goes or
// moves.
type held struct {
	order   []string              // uids, as they were when the pointer came
	known   map[string]*table.Row // the rows, as they were
	waiting map[string]bool       // uids of rows that would be shown but for the pointer
}

func (l *live) hold(over bool) {
	l.held = nil
	if !over {
		return
	}
	n := l.store.Len()
	l.held = &held{order: make([]string, 0, n), known: make(map[string]*table.Row, n), waiting: map[string]bool{}}
	l.store.Each(func(r *table.Row) bool {
		l.held.order = append(l.held.order, r.UID)
		l.held.known[r.UID] = r
		return true
	})
}

// back is how many rows are held back.
func (h *held) back() int {
	if h == nil {
		return 0
	}
	return len(h.waiting)
}

// stir notes that a row came, changed or went.
func (l *live) stir(uid string) {
	if l.held == nil || l.held.known[uid] != nil {
		return
	}
	if _, shown := l.store.Index(uid); shown {
		l.held.waiting[uid] = true
	} else {
		delete(l.held.waiting, uid)
	}
}

// rearrange puts the rows in the order and under the filter that the query says. The pointer may be where it was.
func (m Model) rearrange() {
	m.live.store.Arrange(m.Query.Sort, m.Query.Filter)
	m.live.hold(m.live.held != nil)
}
