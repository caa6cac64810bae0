package table

import (
	"slices"
	"strings"
)

// The amount of work in one step: a millisecond or two in a browser.
const (
	itemsPerStep  = 2048
	sortedPerStep = 512 // sorting compares each row several times
)

// arranging is a change of the order or filter that isn't complete. Until it is, the rows are shown as before. Rows may be added and removed meanwhile.
type arranging struct {
	order   Order
	words   []string
	source  *ranked  // all rows at its beginning
	sorting *sorting // nil: the rows are sorted
	items   []*item  // all rows in the new order
	looked  int      // the number of rows that the filter has checked
	passing []*item
	late    []*item // rows that were added meanwhile
}

// Rearrange begins to change the order and the filter; see Order and Filter. The rows are shown as before until Step has
// nothing more to do.
func (s *Store) Rearrange(o Order, filter string) {
	words := strings.Fields(strings.ToLower(filter))
	if s.all.compare == nil {
		s.order, s.words = o, words
		s.sort()
		s.filter()
		return
	}
	s.way = nil
	if s.order == o && slices.Equal(s.words, words) {
		return
	}
	s.way = &arranging{order: o, words: words, source: s.all.snapshot()}
	if s.order != o {
		s.way.sorting = newSorting(s.table.key(o), o.Descending, s.all.len())
	}
}

// Arranging tells whether a new order or filter is being prepared (on), and whether the order is (sorting).
func (s *Store) Arranging() (on, sorting bool) {
	return s.way != nil, s.way != nil && s.way.order != s.order
}

// Step does a part of the work that Rearrange began. If the work is complete, more is false.
func (s *Store) Step() (more bool) {
	if s.way == nil {
		return false
	}
	if s.way.step() {
		return true
	}
	s.showArrangement()
	return false
}

// step does a part of the work; more is false if it is complete.
func (w *arranging) step() (more bool) {
	switch {
	case w.source != nil:
		w.collect()
	case w.sorting != nil:
		if !w.sorting.step() {
			w.items, w.sorting = w.sorting.items(), nil
		}
	case len(w.words) > 0 && w.looked < len(w.items):
		w.choose()
	default:
		return false
	}
	return true
}

func (w *arranging) collect() {
	have, n := len(w.items), 0
	if w.sorting != nil {
		have = len(w.sorting.from)
	}
	w.source.each(have, func(i *item) bool {
		if w.sorting != nil {
			w.sorting.addItem(i)
		} else {
			w.items = append(w.items, i)
		}
		n++
		return n < itemsPerStep
	})
	if n < itemsPerStep {
		w.source = nil
	}
}

func (w *arranging) choose() {
	end := min(w.looked+itemsPerStep, len(w.items))
	for _, i := range w.items[w.looked:end] {
		if i.passes(w.words) {
			w.passing = append(w.passing, i)
		}
	}
	w.looked = end
}

// showArrangement shows the rows in the new order and with the new filter.
func (s *Store) showArrangement() {
	w := s.way
	s.way = nil
	s.words = w.words
	if s.order != w.order {
		s.order = w.order
		s.all.compare = s.comparison(w.order)
		s.all.fill(still(w.items))
		insertAll(&s.all, w.late)
	}
	s.shown = &s.all
	if len(w.words) > 0 {
		s.shown = &ranked{compare: s.all.compare}
		s.shown.fill(still(w.passing))
		insertAll(s.shown, slices.DeleteFunc(w.late, func(i *item) bool { return !i.passes(w.words) }))
	}
}

// still returns the items that were not replaced or deleted meanwhile.
func still(items []*item) []*item {
	return slices.DeleteFunc(items, func(i *item) bool { return i.gone })
}

func insertAll(t *ranked, items []*item) {
	for _, i := range items {
		if !i.gone {
			t.insert(i)
		}
	}
}
