package collection

// hold keeps rows where they are while the pointer is over them: cells go on changing, but no row comes, goes or moves.
func (l *live) hold(over bool) {
	l.store.Release()
	l.held = nil
	if over {
		l.held = l.store.Hold()
	}
}

// back is how many rows are held back.
func (l *live) back() int {
	if l.held == nil {
		return 0
	}
	return l.held.Back()
}

// atOnce is how many steps are gone before the page is shown as it was, and says that it takes a moment.
const atOnce = 8

// rearrange begins to put the rows in the order and under the filter that the query says. The pointer may be where it was.
func (m Model) rearrange() {
	m.live.store.Rearrange(m.Query.Sort, m.Query.Filter)
	for range atOnce {
		if !m.step() {
			return
		}
	}
}

// step does a part of that; false: it is done.
func (m Model) step() (more bool) {
	if m.live.store.Step() {
		return true
	}
	m.live.hold(m.live.held != nil)
	return false
}

// Work implements page.Working.
func (m Model) Work() (done bool) {
	if m.live == nil {
		return false
	}
	on, _ := m.live.store.Arranging()
	if on {
		m.step()
	}
	return on
}

// arranging says what takes a moment; nothing where all is in order.
func (m Model) arranging() string {
	if m.live == nil {
		return ""
	}
	switch on, sorting := m.live.store.Arranging(); {
	case sorting:
		return "sorting"
	case on:
		return "filtering"
	default:
		return ""
	}
}
