package table

import (
	"slices"
	"strings"
)

// Store has the rows of a collection by uid, and the rows that match a filter in the chosen order. The time of one change grows with the
// logarithm of the number of rows. A new order or filter needs all rows, which can be done in steps (see Rearrange). A Store is not safe
// for concurrent use.
type Store struct {
	table Table // columns only
	rows  map[string]*item
	order Order
	words []string // of the filter, lower case
	all   ranked
	shown *ranked    // the rows that match; without a filter, the same as all
	way   *arranging // to another order or filter; nil: none is being prepared
	held  *Held
	holds uint32 // the number of holds
	mark  uint32
}

// item is a row in the store. It never changes: a changed row is a new item.
type item struct {
	row  Row
	text string // the text for filters, in lower case; made when it is first needed
	mark uint32 // the last mark with which the row was added
	hold uint32 // twice the number of the hold, plus one if the hold has the row
	gone bool   // the store no longer has the item
}

// NewStore returns an empty store for rows with these columns.
func NewStore(columns []Column) *Store {
	s := &Store{table: Table{Columns: columns}, rows: map[string]*item{}}
	s.Arrange(Order{}, "")
	return s
}

// Columns are the columns of the rows.
func (s *Store) Columns() []Column { return s.table.Columns }

// SetColumns changes the columns, for example after a type's definition has changed.
func (s *Store) SetColumns(columns []Column) {
	if slices.Equal(s.table.Columns, columns) {
		return
	}
	s.finish()
	s.table.Columns = columns
	s.sort()
	s.filter()
}

// Arrange changes the order and the filter in one step; see Order and Filter.
func (s *Store) Arrange(o Order, filter string) {
	s.Rearrange(o, filter)
	s.finish()
}

func (s *Store) finish() {
	for s.Step() {
	}
}

// sort sorts all rows again.
func (s *Store) sort() {
	items := make([]*item, 0, len(s.rows))
	for _, i := range s.rows {
		items = append(items, i)
	}
	s.all.compare = s.comparison(s.order)
	slices.SortFunc(items, s.all.compare)
	s.all.fill(items)
}

// filter selects the rows that match, in order.
func (s *Store) filter() {
	if len(s.words) == 0 {
		s.shown = &s.all
		return
	}
	var passing []*item
	s.all.each(0, func(i *item) bool {
		if i.passes(s.words) {
			passing = append(passing, i)
		}
		return true
	})
	s.shown = &ranked{compare: s.all.compare}
	s.shown.fill(passing)
}

func (i *item) passes(words []string) bool {
	if len(words) == 0 {
		return true
	}
	if i.text == "" {
		i.text = i.row.searchText()
	}
	for _, w := range words {
		if !strings.Contains(i.text, w) {
			return false
		}
	}
	return true
}

// comparison is a total order: by the column, then in the server's order, by namespace and name.
func (s *Store) comparison(o Order) func(a, b *item) int {
	column := s.table.comparison(o)
	return func(a, b *item) int {
		if column != nil {
			c := column(a.row, b.row)
			if o.Descending {
				c = -c
			}
			if c != 0 {
				return c
			}
		}
		return compareListed(a, b)
	}
}

// compareListed is the order in which API servers list objects.
func compareListed(a, b *item) int {
	if c := strings.Compare(a.row.Namespace, b.row.Namespace); c != 0 {
		return c
	}
	if c := strings.Compare(a.row.Name, b.row.Name); c != 0 {
		return c
	}
	return strings.Compare(a.row.UID, b.row.UID)
}

// Put adds a row, or replaces the row with the same uid.
func (s *Store) Put(r Row) { s.put(r, 0) }

func (s *Store) put(r Row, mark uint32) {
	old, added := s.rows[r.UID], &item{row: r, mark: mark}
	if old != nil {
		added.mark = max(mark, old.mark)
		s.remove(old)
	}
	s.rows[r.UID] = added
	s.held.noteChange(old, added)
	s.insert(added)
}

func (s *Store) insert(i *item) {
	s.all.insert(i)
	if s.filtered() && i.passes(s.words) {
		s.shown.insert(i)
	}
	if s.way != nil {
		s.way.late = append(s.way.late, i)
	}
}

// Fill adds many rows, with the current mark.
func (s *Store) Fill(rows []Row) {
	if len(s.rows) > 0 || s.way != nil || s.held != nil {
		for _, r := range rows {
			s.put(r, s.mark)
		}
		return
	}
	for _, r := range rows {
		s.rows[r.UID] = &item{row: r, mark: s.mark}
	}
	s.sort()
	s.filter()
}

// Delete removes the row with a uid; ok is false if there is none.
func (s *Store) Delete(uid string) (ok bool) {
	old, ok := s.rows[uid]
	if !ok {
		return false
	}
	delete(s.rows, uid)
	s.held.noteChange(old, nil)
	s.remove(old)
	return true
}

func (s *Store) remove(old *item) {
	old.gone = true
	s.all.remove(old)
	if s.filtered() {
		s.shown.remove(old)
	}
}

func (s *Store) filtered() bool { return s.shown != &s.all }

// Mark begins a new mark for the rows of the next calls of Fill.
func (s *Store) Mark() { s.mark++ }

// RetainMarked removes every row that Fill has not added since the last Mark.
func (s *Store) RetainMarked() {
	for uid, i := range s.rows {
		if i.mark != s.mark {
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

// UIDs are the uids of all rows, in no order, whether they match the filter or not.
func (s *Store) UIDs() []string {
	all := make([]string, 0, len(s.rows))
	for uid := range s.rows {
		all = append(all, uid)
	}
	return all
}

// Total is the number of rows.
func (s *Store) Total() int { return len(s.rows) }

// Len is the number of rows that match the filter.
func (s *Store) Len() int { return s.shown.len() }

// Each calls f with the rows that match the filter, in order, until f returns false. f must not change the row.
func (s *Store) Each(f func(*Row) bool) {
	s.shown.each(0, func(i *item) bool { return f(&i.row) })
}

// Window returns up to n rows in order, from index first on.
func (s *Store) Window(first, n int) []Row { return window(s.shown, first, n) }

func window(t *ranked, first, n int) []Row {
	first = min(max(first, 0), t.len())
	n = min(max(n, 0), t.len()-first)
	rows := make([]Row, 0, n)
	t.each(first, func(i *item) bool {
		if len(rows) == n {
			return false
		}
		rows = append(rows, i.row)
		return true
	})
	return rows
}

// Index is the index of a row in order; ok is false if it isn't shown.
func (s *Store) Index(uid string) (at int, ok bool) {
	i, there := s.rows[uid]
	if !there {
		return 0, false
	}
	return s.shown.rank(i)
}
