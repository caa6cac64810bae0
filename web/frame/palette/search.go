package palette

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/discovery"
)

// found is the result of a query: the best hits of each kind, in order, and the number of all hits.
type found struct {
	best  [kinds][]hit
	total [kinds]int
	among []int32 // the names that were found; a longer query can only find some of them
}

// search finds entries and names that have all words. It searches only the names in among, or all if that is nil, and of those only the names of
// types that are aimed at.
func (x *index) search(scope Scope, words []string, among []int32, aimed func(discovery.Type) bool) found {
	s := newSearch(x, words)
	s.aimed = make([]bool, len(x.circles))
	for i := range x.circles {
		s.aimed[i] = aimed(x.circles[i].resource)
	}
	for i := range x.entries {
		if it := &x.entries[i]; scope == Everything || scope == Types && it.kind == Type || scope == Clusters && it.kind == Cluster {
			s.considerItem(place{entryList, i}, it)
		}
	}
	if scope == Everything || scope == Types {
		s.lookPairs()
	}
	switch {
	case scope == Types, scope == Clusters:
	case among != nil:
		s.among = []int32{}
		for _, i := range among {
			s.lookName(i)
		}
	default:
		s.among = []int32{}
		for i := range x.names {
			s.lookName(int32(i))
		}
	}
	return s.found
}

// search is the state of one search.
type search struct {
	found
	index   *index
	words   []word
	holds   mask      // the characters of all words
	aimed   []bool    // whether the names in each circle are searched
	circles [][]int16 // the score of each word in each circle; unknown: not computed yet
}

const unknown = -1

func newSearch(x *index, words []string) *search {
	s := &search{index: x, circles: make([][]int16, len(words))}
	for i, w := range words {
		s.words = append(s.words, newWord(w))
		s.holds |= s.words[i].holds
		s.circles[i] = slices.Repeat([]int16{unknown}, len(x.circles))
		for _, t := range x.catalog.Find(strings.TrimRight(w, ".")) {
			s.name(i, t)
		}
	}
	return s
}

// name gives a type the score of an exact name, because a word names the type as kubectl does.
func (s *search) name(word int, t discovery.Type) {
	for i, e := range s.index.origin {
		if e.Kind == Type && same(e.resource, t) {
			s.circles[word][s.index.entries[i].circle] = exact
		}
	}
}

func (s *search) lookName(i int32) {
	it := &s.index.names[i]
	if s.aimed[it.circle] && (it.holds | s.index.circles[it.circle].holds).has(s.holds) && s.considerItem(place{nameList, int(i)}, it) {
		s.among = append(s.among, i)
	}
}

func (s *search) considerItem(at place, it *item) bool {
	score := s.score(it)
	if score > 0 {
		s.keepHit(hit{score, it.kind, at})
	}
	return score > 0
}

// score is the sum of the words' scores; 0 if one word isn't found.
func (s *search) score(it *item) int {
	sum := 0
	for i, w := range s.words {
		best := s.common(i, it.circle)
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

// common is the score of a word for all items in a circle.
func (s *search) common(word int, circle int32) int {
	known := &s.circles[word][circle]
	if *known == unknown {
		*known = int16(s.index.circles[circle].grade(s.words[word]))
	}
	return int(*known)
}

// keepHit keeps a hit if it is among the best of its kind.
func (s *search) keepHit(h hit) {
	s.total[h.kind]++
	best := s.best[h.kind]
	if len(best) == mostInAll {
		if s.index.compare(h, best[len(best)-1]) > 0 {
			return
		}
		best = best[:len(best)-1]
	}
	i, _ := slices.BinarySearchFunc(best, h, s.index.compare)
	s.best[h.kind] = slices.Insert(best, i, h)
}

// How many of the types and namespaces that two words name are paired.
const pairedTypes, pairedNamespaces = 3, 4

// lookPairs finds a type in a namespace, as in "pods shop" or "shop deploy".
func (s *search) lookPairs() {
	if len(s.words) != 2 {
		return
	}
	for i := range s.words {
		types, namespaces := s.bestOf(i, Type, prefix), s.bestOf(1-i, Namespace, wordStart)
		for _, t := range types[:min(len(types), pairedTypes)] {
			for _, n := range namespaces[:min(len(namespaces), pairedNamespaces)] {
				s.keepHit(hit{t.score + n.score, Type, s.index.pair(t.place.at, n.place.at)})
			}
		}
	}
}

// bestOf are the entries of a kind for which one word has at least a score, the best first. Cluster-scoped types are left out.
func (s *search) bestOf(word int, k Kind, least int) []hit {
	var all []hit
	for i := range s.index.entries {
		it := &s.index.entries[i]
		if it.kind != k || k == Type && !s.index.origin[i].resource.Namespaced {
			continue
		}
		if score := max(s.common(word, it.circle), it.grade(s.words[word])); score >= least {
			all = append(all, hit{score, k, place{entryList, i}})
		}
	}
	slices.SortFunc(all, s.index.compare)
	return all
}
