package table

import (
	"cmp"
	"slices"
	"strings"
)

// Store holds the rows of a collection by their uid, and at any time those that pass a filter in the
// order asked for. One change costs a search in that order, whatever the number of rows; changing the
// order or the filter costs a pass over all of them. A Store is not safe for concurrent use.
type Store struct {
	table  Table // columns only
	rows   map[string]*Row
	shown  []*Row // in order, those that pass
	order  Order
	words  []string // of the filter, lower case
	column func(a, b Row) int
}

// NewStore is an empty store for rows of these columns.
func NewStore(columns []Column) *Store {
	return &Store{table: Table{Columns: columns}, rows: map[string]*Row{}}
}

// Columns are the columns of the rows.
func (s *Store) Columns() []Column { return s.table.Columns }

// SetColumns changes what the columns are, as when a type's definition changed.
func (s *Store) SetColumns(columns []Column) {
	s.table.Columns = columns
	s.Arrange(s.order, strings.Join(s.words, " "))
}

// Arrange changes the order and the filter; see Order and Filter.
func (s *Store) Arrange(o Order, filter string) {
	s.order, s.words = o, strings.Fields(strings.ToLower(filter))
	s.column = s.table.comparison(o.Column)
	s.shown = s.shown[:0]
	for _, r := range s.rows {
		if r.holdsAll(s.words) {
			s.shown = append(s.shown, r)
		}
	}
	slices.SortFunc(s.shown, func(a, b *Row) int { return s.compare(*a, *b) })
}

// compare is a total order: by the column, then as the server lists them, by namespace and name.
func (s *Store) compare(a, b Row) int {
	if s.column != nil {
		x, y := a, b
		if s.order.Descending {
			x, y = b, a
		}
		if c := s.column(x, y); c != 0 {
			return c
		}
	}
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name), cmp.Compare(a.UID, b.UID))
}

// Put adds a row, or replaces the one with its uid.
func (s *Store) Put(r Row) {
	s.Delete(r.UID)
	added := &r
	s.rows[r.UID] = added
	if r.holdsAll(s.words) {
		at, _ := s.search(r)
		s.shown = slices.Insert(s.shown, at, added)
	}
}

// Fill adds many rows at once: they are sorted among themselves, then merged in one pass.
func (s *Store) Fill(rows []Row) {
	var added []*Row
	for i := range rows {
		s.Delete(rows[i].UID)
		s.rows[rows[i].UID] = &rows[i]
		if rows[i].holdsAll(s.words) {
			added = append(added, &rows[i])
		}
	}
	slices.SortFunc(added, func(a, b *Row) int { return s.compare(*a, *b) })
	s.shown = s.merge(s.shown, added)
}

func (s *Store) merge(a, b []*Row) []*Row {
	if len(a) == 0 || len(b) == 0 || s.compare(*a[len(a)-1], *b[0]) < 0 {
		return append(a, b...) // as chunks come when nothing is sorted
	}
	merged := make([]*Row, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if s.compare(*a[0], *b[0]) <= 0 {
			merged, a = append(merged, a[0]), a[1:]
		} else {
			merged, b = append(merged, b[0]), b[1:]
		}
	}
	return append(append(merged, a...), b...)
}

// Delete removes the row with a uid; ok is false where there is none.
func (s *Store) Delete(uid string) (ok bool) {
	old, ok := s.rows[uid]
	if !ok {
		return false
	}
	delete(s.rows, uid)
	if at, found := s.search(*old); found {
		s.shown = slices.Delete(s.shown, at, at+1)
	}
	return true
}

// Retain removes every row whose uid is not kept.
func (s *Store) Retain(kept func(uid string) bool) {
	for uid := range s.rows {
		if !kept(uid) {
			s.Delete(uid)
		}
	}
}

// Get finds a row by its uid.
func (s *Store) Get(uid string) (Row, bool) {
	r, ok := s.rows[uid]
	if !ok {
		return Row{}, false
	}
	return *r, true
}

// Total is the number of rows, Len that of those which pass the filter.
func (s *Store) Total() int { return len(s.rows) }

// Len is the number of rows that pass the filter.
func (s *Store) Len() int { return len(s.shown) }

// Window gives up to n rows in order, beginning with the one at first.
func (s *Store) Window(first, n int) []Row {
	first = min(max(first, 0), len(s.shown))
	last := min(first+max(n, 0), len(s.shown))
	rows := make([]Row, 0, last-first)
	for _, r := range s.shown[first:last] {
		rows = append(rows, *r)
	}
	return rows
}

// Index is the place of a row in order; ok is false where it is not shown.
func (s *Store) Index(uid string) (at int, ok bool) {
	r, there := s.rows[uid]
	if !there {
		return 0, false
	}
	return s.search(*r)
}

func (s *Store) search(r Row) (at int, found bool) {
	return slices.BinarySearchFunc(s.shown, r, func(a *Row, b Row) int { return s.compare(*a, b) })
}
