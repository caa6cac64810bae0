package palette

import (
	"cmp"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/discovery"
)

// index is what is searched: entries, of which there are hundreds, and names of objects, of which there may be very
// many. An entry is made of a name only to show it.
type index struct {
	catalog discovery.Catalog
	entries []item
	origin  []Entry // of the entries, at the same places
	names   []item
	circles []circle
}

// item is one thing that can be found.
type item struct {
	text
	mask   mask // of all that it can be found by
	circle int32
	kind   Kind
}

// circle is what things have in common by which they can be found besides their own text.
type circle struct {
	also      []string // other names of the same
	belongs   []string // what it is part of
	mask      mask
	namespace string         // of the objects
	resource  discovery.Type // of the objects
}

// grade says how well a folded word is found in the circle. What a thing belongs to counts half, and less than any
// name of its own that begins with the word.
func (c circle) grade(word string) int {
	best := 0
	for _, other := range c.also {
		if strings.Contains(other, word) {
			best = max(best, text{other, other}.grade(word))
		}
	}
	for _, whole := range c.belongs {
		if strings.Contains(whole, word) {
			best = max(best, text{whole, whole}.grade(word)/2-50)
		}
	}
	return best
}

func newCircle(also, belongs []string) circle {
	c := circle{also: also, belongs: belongs}
	for _, words := range [][]string{also, belongs} {
		for _, w := range words {
			c.mask |= maskOf(w)
		}
	}
	return c
}

func (x *index) add(e Entry) {
	c := newCircle(e.also, e.belongs)
	t := newText(e.Text)
	x.entries = append(x.entries, item{t, maskOf(t.folded) | c.mask, int32(len(x.circles)), e.Kind})
	x.circles = append(x.circles, c)
	x.origin = append(x.origin, e)
}

// addNames adds the names of objects of a type. Those it knows already it must not be given.
func (x *index) addNames(t discovery.Type, names []Name) {
	circles := map[string]int32{}
	x.names = slices.Grow(x.names, len(names))
	for _, n := range names {
		at, known := circles[n.Namespace]
		if !known {
			at = int32(len(x.circles))
			circles[n.Namespace] = at
			c := newCircle(nil, append(folded(t.ShortNames...), folded(n.Namespace, t.Resource, t.Singular, t.Kind)...))
			c.namespace, c.resource = n.Namespace, t
			x.circles = append(x.circles, c)
		}
		own := newText(n.Name)
		x.names = append(x.names, item{own, maskOf(own.folded) | x.circles[at].mask, at, Object})
	}
}

// hit is something that was found. Names of objects stand behind the entries.
type hit struct {
	score int
	item  item
	at    int
}

// compare puts the better hit first: by score, then by kind, the shorter, and by name.
func compare(a, b hit) int {
	return cmp.Or(
		cmp.Compare(b.score, a.score), cmp.Compare(a.item.kind, b.item.kind), cmp.Compare(len(a.item.shown), len(b.item.shown)),
		strings.Compare(a.item.folded, b.item.folded), cmp.Compare(a.at, b.at))
}

// found is the answer to a query: the best hits of each kind, in order, and how many there are.
type found struct {
	best  [kinds][]hit
	total [kinds]int
	among []int32 // the names that were found: a longer query finds no others
}

func (f *found) take(h hit) {
	k := h.item.kind
	f.total[k]++
	best := f.best[k]
	if len(best) == mostInAll {
		if compare(h, best[len(best)-1]) > 0 {
			return
		}
		best = best[:len(best)-1]
	}
	i, _ := slices.BinarySearchFunc(best, h, compare)
	f.best[k] = slices.Insert(best, i, h)
}

// search finds what holds all words. Names are looked for among some only, unless among is nil.
func (x *index) search(words []string, among []int32) found {
	s := newSearch(x, words)
	f := found{among: []int32{}}
	for i, it := range x.entries {
		if score := s.score(it); score > 0 {
			f.take(hit{score, it, i})
		}
	}
	look := func(i int32) {
		if it := &x.names[i]; it.mask.has(s.mask) {
			if score := s.score(*it); score > 0 {
				f.among = append(f.among, i)
				f.take(hit{score, *it, len(x.entries) + int(i)})
			}
		}
	}
	if among != nil {
		for _, i := range among {
			look(i)
		}
		return f
	}
	for i := range x.names {
		look(int32(i))
	}
	return f
}

// search is a query on its way through the index.
type search struct {
	index   *index
	words   []string
	mask    mask
	circles [][]int16 // what each word is worth in each circle; -1: not known yet
}

func newSearch(x *index, words []string) search {
	s := search{index: x, words: words, circles: make([][]int16, len(words))}
	for i, w := range words {
		s.mask |= maskOf(w)
		s.circles[i] = slices.Repeat([]int16{-1}, len(x.circles))
		for _, t := range x.catalog.Find(w) {
			s.named(i, t)
		}
	}
	return s
}

// named notes that a word names a type as kubectl would take it.
func (s search) named(word int, t discovery.Type) {
	for i, e := range s.index.origin {
		if e.Kind == Type && e.resource.Group == t.Group && e.resource.Resource == t.Resource {
			s.circles[word][s.index.entries[i].circle] = exact
		}
	}
}

// score is the sum of what each word is worth; 0 if one is not found.
func (s search) score(it item) int {
	sum := 0
	for i, w := range s.words {
		best := int(s.circles[i][it.circle])
		if best < 0 {
			best = s.index.circles[it.circle].grade(w)
			s.circles[i][it.circle] = int16(best)
		}
		if best < exact {
			best = max(best, it.grade(w))
		}
		if best == 0 {
			return 0
		}
		sum += best
	}
	return sum
}
