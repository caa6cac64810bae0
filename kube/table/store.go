package table

import (
	"cmp"
	"slices"
	"strings"
)

// Store holds the rows of a collection by their uid, and at any time those that pass a filter in the order asked
// for. What one change costs grows with the logarithm of the number of rows; changing the order or the filter costs a pass
// over all of them. A Store is not safe for concurrent use.
type Store struct {
	table Table // columns only
	rows  map[string]*item
	order Order
	words []string // of the filter, lower case
	all   ranked
	shown *ranked // those that pass: all itself where there is no filter
}

// item is a row as the store keeps it.
type item struct {
	row  Row
	text string // what a filter looks at, lower case; made when it is first needed
}

// NewStore is an empty store for rows of these columns.
func NewStore(columns []Column) *Store {
	s := &Store{table: Table{Columns: columns}, rows: map[string]*item{}}
	s.Arrange(Order{}, "")
	return s
}

// Columns are the columns of the rows.
func (s *Store) Columns() []Column { return s.table.Columns }

// SetColumns changes what the columns are, as when a type's definition changed.
func (s *Store) SetColumns(columns []Column) {
	if slices.Equal(s.table.Columns, columns) {
		return
	}
	s.table.Columns = columns
	s.sort()
	s.filter()
}

// Arrange changes the order and the filter; see Order and Filter.
func (s *Store) Arrange(o Order, filter string) {
	words := strings.Fields(strings.ToLower(filter))
	if s.order != o || s.all.compare == nil {
		s.order = o
		s.sort()
	}
	s.words = words
	s.filter()
}

func (s *Store) sort() {
	items := make([]*item, 0, len(s.rows))
	for _, i := range s.rows {
		items = append(items, i)
	}
	s.all.compare = s.comparison()
	slices.SortFunc(items, s.all.compare)
	s.all.fill(items)
}

// filter chooses among all, in their order.
func (s *Store) filter() {
	if len(s.words) == 0 {
		s.shown = &s.all
		return
	}
	var passing []*item
	s.all.each(0, func(i *item) bool {
		if s.passes(i) {
			passing = append(passing, i)
		}
		return true
	})
	s.shown = &ranked{compare: s.all.compare}
	s.shown.fill(passing)
}

func (s *Store) passes(i *item) bool {
	if i.text == "" {
		i.text = i.row.text()
	}
	for _, w := range s.words {
		if !strings.Contains(i.text, w) {
			return false
		}
	}
	return true
}

// comparison is a total order: by the column, then as the server lists them, by namespace and name.
func (s *Store) comparison() func(a, b *item) int {
	column, descending := s.table.comparison(s.order.Column), s.order.Descending
	return func(a, b *item) int {
		if column != nil {
			c := column(a.row, b.row)
			if descending {
				c = -c
			}
			if c != 0 {
				return c
			}
		}
		return cmp.Or(cmp.Compare(a.row.Namespace, b.row.Namespace), cmp.Compare(a.row.Name, b.row.Name), cmp.Compare(a.row.UID, b.row.UID))
	}
}

// Put adds a row, or replaces the one with its uid.
func (s *Store) Put(r Row) {
	s.Delete(r.UID)
	added := &item{row: r}
	s.rows[r.UID] = added
	s.all.insert(added)
	if s.filtered() && s.passes(added) {
		s.shown.insert(added)
	}
}

// Fill adds many rows.
func (s *Store) Fill(rows []Row) {
	if len(s.rows) > 0 {
		for _, r := range rows {
			s.Put(r)
		}
		return
	}
	for _, r := range rows {
		s.rows[r.UID] = &item{row: r}
	}
	s.sort()
	s.filter()
}

// Delete removes the row with a uid; ok is false where there is none.
func (s *Store) Delete(uid string) (ok bool) {
	old, ok := s.rows[uid]
	if !ok {
		return false
	}
	delete(s.rows, uid)
	s.all.remove(old)
	if s.filtered() {
		s.shown.remove(old)
	}
	return true
}

func (s *Store) filtered() bool { return s.shown != &s.all }

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
	i, ok := s.rows[uid]
	if !ok {
		return Row{}, false
	}
	return i.row, true
}

// Total is the number of rows.
func (s *Store) Total() int { return len(s.rows) }

// Len is the number of rows that pass the filter.
func (s *Store) Len() int { return s.shown.len() }

// Each calls f with the rows that pass the filter, in order, until it has enough. The row must not be changed.
func (s *Store) Each(f func(*Row) bool) {
	s.shown.each(0, func(i *item) bool { return f(&i.row) })
}

// Window gives up to n rows in order, beginning with the one at first.
func (s *Store) Window(first, n int) []Row {
	first = min(max(first, 0), s.Len())
	n = min(max(n, 0), s.Len()-first)
	rows := make([]Row, 0, n)
	s.shown.each(first, func(i *item) bool {
		if len(rows) == n {
			return false
		}
		rows = append(rows, i.row)
		return true
	})
	return rows
}

// Index is the place of a row in order; ok is false where it is not shown.
func (s *Store) Index(uid string) (at int, ok bool) {
	i, there := s.rows[uid]
	if !there {
		return 0, false
	}
	return s.shown.rank(i)
}
