package collection

// atOnce is how many steps are done at once. If more are needed, the page shows the rows as they were, and says what it does.
const atOnce = 8

// rearrange begins to sort and filter the rows as the query says.
func (m Model) rearrange() {
	m.live.rows.Rearrange(m.Query.Sort, m.Query.Filter)
	for range atOnce {
		if !m.step() {
			return
		}
	}
}

// step does a part of the arranging. It returns false when all is done.
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

// arranging says what the page is doing with the rows; empty if the rows are sorted and filtered.
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
