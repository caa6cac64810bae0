package collection

// atOnce is how many steps are gone before the page is shown as it was, and says that it takes a moment.
const atOnce = 8

// rearrange begins to put the rows in the order and under the filter that the query says. The pointer may be where it was.
func (m Model) rearrange() {
	m.live.rows.Rearrange(m.Query.Sort, m.Query.Filter)
	for range atOnce {
		if !m.step() {
			return
		}
	}
}

// step does a part of that; false: it is done.
func (m Model) step() (more bool) {
	if m.live.rows.Step() {
		return true
	}
	m.live.rows.Hold(m.live.rows.Holds())
	return false
}

// Work implements page.Working.
func (m Model) Work() (done bool) {
	if m.live == nil {
		return false
	}
	on, _ := m.live.rows.Arranging()
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
	switch on, sorting := m.live.rows.Arranging(); {
	case sorting:
		return "sorting"
	case on:
		return "filtering"
	default:
		return ""
	}
}
