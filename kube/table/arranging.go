package table

import (
	"slices"
	"strings"
)

// How much is done in a step: a millisecond or two of a browser's time.
const (
	itemsPerStep  = 2048
	sortedPerStep = 512 // sorting takes several looks at each
)

// arranging is the way to another order or filter. While it is gone, rows are shown as before, and may come and go.
type arranging struct {
	order   Order
	words   []string
	source  *ranked  // all rows, as they were when it began
	sorting *sorting // nil: they are in order already
	items   []*item  // all rows, in the order asked for
	looked  int      // how many of them the filter has looked at
	passing []*item
	late    []*item // that came meanwhile
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
		s.way.sorting = newSorting(s.table.key(o.Column), o.Descending, s.all.len())
	}
}

// Arranging tells whether the rows are on their way to another order or filter, and whether it is the order.
func (s *Store) Arranging() (on, sorting bool) {
	return s.way != nil, s.way != nil && s.way.order != s.order
}

// Step does a part of the work that Rearrange began. When nothing is left to do, more is false.
func (s *Store) Step() (more bool) {
	if s.way == nil {
		return false
	}
	if s.way.step() {
		return true
	}
	s.settle()
	return false
}

// step does a part; false: the rows are sorted and chosen.
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
			w.sorting.add(i)
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

// settle shows the rows as they were asked for.
func (s *Store) settle() {
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

// still are those that were not replaced or deleted meanwhile.
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
