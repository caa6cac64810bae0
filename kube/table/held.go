package table

// Held are the rows, and their order, as they were shown at one moment. A hold costs nothing. While it lasts, changes of rows cost a
// little more.
type Held struct {
	store  *Store
	number uint32
	rows   *ranked
	went   map[string]bool // uids of those that are gone
	back   int             // rows that would be shown, and are not among these
}

// Hold holds the rows as they are shown now. A store has one hold at a time: the last one.
func (s *Store) Hold() *Held {
	s.holds++
	s.held = &Held{store: s, number: s.holds, rows: s.shown.snapshot(), went: map[string]bool{}}
	return s.held
}

// Release ends the hold.
func (s *Store) Release() { s.held = nil }

// Len is the number of rows held.
func (h *Held) Len() int { return h.rows.len() }

// Back is how many rows would be shown without the hold.
func (h *Held) Back() int { return h.back }

// Window returns up to n of the rows, beginning with the one at first, as they are now. A deleted row is as it last was.
func (h *Held) Window(first, n int) []Row {
	rows := window(h.rows, first, n)
	for i := range rows {
		if now, there := h.store.rows[rows[i].UID]; there {
			rows[i] = now.row
		}
	}
	return rows
}

// note takes in that a row came, changed or went; either may be nil.
func (h *Held) note(old, now *item) {
	if h == nil {
		return
	}
	among := false
	if old != nil {
		among = h.has(old)
		h.count(old, among, -1)
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
	h.count(now, among, 1)
}

// has tells whether an item's row is among those held.
func (h *Held) has(i *item) bool {
	if i.hold>>1 == h.number {
		return i.hold&1 == 1
	}
	_, there := h.rows.rank(i)
	return there
}

func (h *Held) count(i *item, among bool, change int) {
	if !among && i.passes(h.store.words) {
		h.back += change
	}
}
