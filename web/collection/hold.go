package collection

// held are rows that stay where they are while the pointer is over them: cells go on changing, but no row comes, goes or
// moves.
type held struct {
	order   []string        // uids, as they were when the pointer came
	known   map[string]bool // the same
	waiting map[string]bool // uids of rows that would be shown but for the pointer
}

func (l *live) hold(over bool) {
	l.held = nil
	if !over {
		return
	}
	rows := l.store.Window(0, l.store.Len())
	l.held = &held{order: make([]string, 0, len(rows)), known: make(map[string]bool, len(rows)), waiting: map[string]bool{}}
	for _, r := range rows {
		l.held.order = append(l.held.order, r.UID)
		l.held.known[r.UID] = true
	}
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
	if l.held == nil || l.held.known[uid] {
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
