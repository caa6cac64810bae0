package table

import "slices"

// sorting sorts items in steps by a bottom-up merge sort: first blocks, then pairs of sorted blocks. It computes the sort key of each item
// once.
type sorting struct {
	key        func(*Row) key // nil: the order of the server
	descending bool
	from, into []keyed
	width      int // the length of the sorted blocks in from; 0: some blocks are not sorted
	done       int // the number of items that this pass has merged
	left, mid  int // the next items of the two blocks, which end at mid and at end
	right, end int
}

type keyed struct {
	*item
	key key
}

func newSorting(key func(*Row) key, descending bool, n int) *sorting {
	return &sorting{key: key, descending: descending, from: make([]keyed, 0, n)}
}

func (s *sorting) addItem(i *item) {
	added := keyed{item: i}
	if s.key != nil {
		added.key = s.key(&i.row)
	}
	s.from = append(s.from, added)
}

func (s *sorting) compare(a, b keyed) int {
	if s.key != nil {
		c := a.key.compare(b.key)
		if s.descending {
			c = -c
		}
		if c != 0 {
			return c
		}
	}
	return compareListed(a.item, b.item)
}

// step does a part of the work; more is false if everything is sorted.
func (s *sorting) step() (more bool) {
	if s.width == 0 {
		s.block()
	} else if s.width < len(s.from) {
		s.merge()
	}
	return s.width == 0 || s.width < len(s.from)
}

func (s *sorting) block() {
	end := min(s.done+sortedPerStep, len(s.from))
	slices.SortFunc(s.from[s.done:end], s.compare)
	s.done = end
	if end == len(s.from) {
		s.width, s.into = sortedPerStep, make([]keyed, len(s.from))
		s.pass()
	}
}

// pass begins to merge all blocks in pairs.
func (s *sorting) pass() { s.done, s.left, s.mid, s.right, s.end = 0, 0, 0, 0, 0 }

func (s *sorting) merge() {
	for range itemsPerStep {
		if s.done == s.end {
			s.pair()
		}
		s.into[s.done] = s.nextItem()
		s.done++
		if s.done == len(s.from) {
			s.from, s.into = s.into, s.from
			s.width *= 2
			s.pass()
			return
		}
	}
}

// pair begins to merge the next two blocks.
func (s *sorting) pair() {
	s.left = s.done
	s.mid = min(s.left+s.width, len(s.from))
	s.right, s.end = s.mid, min(s.mid+s.width, len(s.from))
}

// nextItem takes the smaller of the first items of both blocks. If they are equal, it takes the item of the first block.
func (s *sorting) nextItem() keyed {
	if s.right == s.end || s.left < s.mid && s.compare(s.from[s.left], s.from[s.right]) <= 0 {
		s.left++
		return s.from[s.left-1]
	}
	s.right++
	return s.from[s.right-1]
}

func (s *sorting) items() []*item {
	items := make([]*item, len(s.from))
	for n, k := range s.from {
		items[n] = k.item
	}
	return items
}
