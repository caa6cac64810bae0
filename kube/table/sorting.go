package table

import "slices"

// sorting sorts items in steps: blocks first, then pairs of what is sorted already (a merge sort from below), each item
// with what it is sorted by.
type sorting struct {
	key        func(*Row) key // nil: as the server lists
	descending bool
	from, into []keyed
	width      int // of the blocks in from that are sorted; 0: not all of them are
	done       int // items of this pass
	left, mid  int // what comes next of the two blocks that are merged: up to mid, and up to end
	right, end int
}

type keyed struct {
	*item
	key key
}

func newSorting(key func(*Row) key, descending bool, n int) *sorting {
	return &sorting{key: key, descending: descending, from: make([]keyed, 0, n)}
}

func (s *sorting) add(i *item) {
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

// step does a part; false: all is sorted.
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

// pass begins to merge all blocks, two by two.
func (s *sorting) pass() { s.done, s.left, s.mid, s.right, s.end = 0, 0, 0, 0, 0 }

func (s *sorting) merge() {
	for range itemsPerStep {
		if s.done == s.end {
			s.pair()
		}
		s.into[s.done] = s.next()
		s.done++
		if s.done == len(s.from) {
			s.from, s.into = s.into, s.from
			s.width *= 2
			s.pass()
			return
		}
	}
}

// pair begins with the next two blocks.
func (s *sorting) pair() {
	s.left = s.done
	s.mid = min(s.left+s.width, len(s.from))
	s.right, s.end = s.mid, min(s.mid+s.width, len(s.from))
}

// next takes the lesser of what the two blocks begin with; of equal ones that of the first.
func (s *sorting) next() keyed {
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
