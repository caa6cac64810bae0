package palette

import (
	"cmp"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/web"
)

// index is everything that is searched: some hundred entries, and any number of names of objects. A name becomes an Entry only when it is
// shown.
type index struct {
	catalog discovery.Catalog
	slug    string // of the cluster
	home    string // the reader's current namespace
	entries []item
	origin  []Entry // of the entries, at the same places
	names   []item
	circles []circle
	pairs   []item
	paired  []Entry          // of the pairs, at the same places
	offers  [2]Entry         // what is offered besides: to look further, to search all clusters
	known   map[[2]int]place // the existing pairs, by the places of their entries
}

// place identifies something in the index. It never changes.
type place struct {
	list list
	at   int
}

type list int

const (
	entryList list = iota
	nameList
	pairList
	offerList
)

// The offers, by their places in offerList.
const (
	offerFurther = iota // or to explain a refusal
	offerEverywhere
)

// item is one thing that can be found.
type item struct {
	text
	circle int32
	kind   Kind
}

// circle is words that several items have in common, such as their type and namespace. The items can be found by these words, too.
type circle struct {
	also      []text // other names of the same
	belongs   []text // what it is part of
	holds     mask
	namespace string         // of the objects
	resource  discovery.Type // of the objects
	order     int            // index of that type among all types
}

// grade is the score of a word in the circle. Scattered letters don't count here.
func (c *circle) grade(w word) int {
	best := 0
	for i := range c.also {
		if strings.Contains(c.also[i].folded, w.text) {
			best = max(best, c.also[i].grade(w))
		}
	}
	for i := range c.belongs {
		if strings.Contains(c.belongs[i].folded, w.text) {
			best = max(best, belonging(c.belongs[i].grade(w)))
		}
	}
	return best
}

func newCircle(also, belongs []string) circle {
	c := circle{also: texts(also), belongs: texts(belongs)}
	for _, t := range slices.Concat(c.also, c.belongs) {
		c.holds |= t.holds
	}
	return c
}

func texts(words []string) []text {
	var all []text
	for _, w := range words {
		if w != "" {
			all = append(all, newText(w))
		}
	}
	return all
}

func (x *index) addEntry(e Entry) {
	x.entries = append(x.entries, item{newText(e.Text), int32(len(x.circles)), e.Kind})
	x.circles = append(x.circles, newCircle(e.also, e.belongs))
	x.origin = append(x.origin, e)
}

// addNames adds names of objects of a type. None of them may be in the index already.
func (x *index) addNames(t discovery.Type, names []Name) {
	circles := map[string]int32{}
	order := slices.IndexFunc(x.origin, func(e Entry) bool { return e.Kind == Type && same(e.resource, t) })
	x.names = slices.Grow(x.names, len(names))
	for _, n := range names {
		at, known := circles[n.Namespace]
		if !known {
			at = int32(len(x.circles))
			circles[n.Namespace] = at
			c := newCircle(nil, slices.Concat(t.ShortNames, []string{n.Namespace, t.Resource, t.Singular, t.Kind}))
			c.namespace, c.resource, c.order = n.Namespace, t, order
			x.circles = append(x.circles, c)
		}
		x.names = append(x.names, item{newText(n.Name), at, Object})
	}
}

func same(a, b discovery.Type) bool { return a.Resource == b.Resource && a.Group == b.Group }

func sameAs(a discovery.Type) func(discovery.Type) bool {
	return func(b discovery.Type) bool { return same(a, b) }
}

func (x *index) item(p place) *item {
	switch p.list {
	case nameList:
		return &x.names[p.at]
	case pairList:
		return &x.pairs[p.at]
	default:
		return &x.entries[p.at]
	}
}

// entry is the entry at a place.
func (x *index) entry(p place) Entry {
	switch p.list {
	case nameList:
		it := &x.names[p.at]
		c := &x.circles[it.circle]
		t := c.resource
		path := apipath.Object(t.Group, t.Version, c.namespace, t.Resource, it.shown)
		return Entry{Kind: Object, Text: it.shown, Beside: c.namespace, Detail: t.Kind, Href: web.Page(x.slug, path.String()), object: path}
	case offerList:
		return x.offers[p.at]
	case pairList:
		return x.paired[p.at]
	default:
		return x.origin[p.at]
	}
}

// pair is the place of the entry for a type in a namespace. It adds the entry if necessary.
func (x *index) pair(of, in int) place {
	key := [2]int{of, in}
	if p, ok := x.known[key]; ok {
		return p
	}
	p := place{pairList, len(x.pairs)}
	x.known[key] = p
	x.pairs = append(x.pairs, x.entries[of])
	x.paired = append(x.paired, pair(x.slug, x.origin[of], x.origin[in]))
	return p
}

// hit is something that a query found.
type hit struct {
	score int
	kind  Kind
	place place
}

// compare sorts the better hit first. The order is: score, kind, in the reader's namespace, length of the name, name, type, namespace.
func (x *index) compare(a, b hit) int {
	if a.score != b.score {
		return cmp.Compare(b.score, a.score)
	}
	if a.kind != b.kind {
		return cmp.Compare(a.kind, b.kind)
	}
	i, j := x.item(a.place), x.item(b.place)
	c, d := &x.circles[i.circle], &x.circles[j.circle]
	if here := c.namespace == x.home; here != (d.namespace == x.home) {
		return map[bool]int{true: -1, false: 1}[here]
	}
	if len(i.shown) != len(j.shown) {
		return cmp.Compare(len(i.shown), len(j.shown))
	}
	return cmp.Or(
		strings.Compare(i.folded, j.folded), cmp.Compare(c.order, d.order), strings.Compare(c.namespace, d.namespace),
		cmp.Compare(a.place.list, b.place.list), cmp.Compare(a.place.at, b.place.at))
}
