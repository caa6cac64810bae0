package table

// Held are the rows, in their order, at the moment of Hold. To hold them costs nothing. During the hold, changes of rows cost a little
// more.
type Held struct {
	store  *Store
	number uint32
	rows   *ranked
	went   map[string]bool // uids of deleted rows
	back   int             // rows that would be shown, but are not held
}

// Hold holds the rows that are shown now. A store has only one hold, the last one.
func (s *Store) Hold() *Held {
	s.holds++
	s.held = &Held{store: s, number: s.holds, rows: s.shown.snapshot(), went: map[string]bool{}}
	return s.held
}

// Release ends the hold.
func (s *Store) Release() { s.held = nil }

// Len is the number of rows held.
func (h *Held) Len() int { return h.rows.len() }

// Back is the number of rows that would be shown without the hold.
func (h *Held) Back() int { return h.back }

// Window returns up to n rows from index first on, in their current state. A deleted row has its last state.
func (h *Held) Window(first, n int) []Row {
	rows := window(h.rows, first, n)
	for i := range rows {
		if now, there := h.store.rows[rows[i].UID]; there {
			rows[i] = now.row
		}
	}
	return rows
}

// noteChange notes that a row was added, changed or deleted. For an added row, old is nil; for a deleted row, now is nil.
func (h *Held) noteChange(old, now *item) {
	if h == nil {
		return
	}
	among := false
	if old != nil {
		among = h.has(old)
		h.adjustBack(old, among, -1)
	}
	if now == nil {
		if among {
			h.went[old.row.UID] = true
		}
		return
	}
	if h.went[now.row.UID] {
		among = true
		delete(h.went, now.row.UID)
	}
	now.hold = h.number << 1
	if among {
		now.hold++
	}
	h.adjustBack(now, among, 1)
}

// has tells whether the row of an item is held.
func (h *Held) has(i *item) bool {
	if i.hold>>1 == h.number {
		return i.hold&1 == 1
	}
	_, there := h.rows.rank(i)
	return there
}

func (h *Held) adjustBack(i *item, among bool, change int) {
	if !among && i.passes(h.store.words) {
		h.back += change
	}
}
