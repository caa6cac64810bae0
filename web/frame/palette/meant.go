package palette

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/fieldmark/fieldmark/kube/typed"
)

// mostMeant is the most entries that are offered for a query with a typing error.
const mostMeant = 5

// meant are types, pages, commands, lessons and terms whose names are almost the query. They are offered if none of them was found by more than scattered
// letters.
func (m Model) meant() group {
	g := group{kind: besides, title: "Did you mean"}
	if m.aim != nil {
		return g
	}
	for kind, best := range m.found.best {
		if Kind(kind) != Object && len(best) > 0 && best[0].score >= wordStart*len(m.words) {
			return g
		}
	}
	listed := m.options()
	type near struct {
		at, distance int
	}
	var all []near
	for i := range m.index.entries {
		if e := &m.index.origin[i]; e.Kind == Namespace || e.Kind == Cluster || m.narrow == Types && e.Kind != Type || slices.Contains(listed, place{entryList, i}) {
			continue
		}
		if d := m.index.distance(i, m.words); d > 0 {
			all = append(all, near{i, d})
		}
	}
	slices.SortStableFunc(all, func(a, b near) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(m.index.origin[a.at].Kind, m.index.origin[b.at].Kind))
	})
	for _, n := range all[:min(len(all), mostMeant)] {
		g.hits = append(g.hits, place{entryList, n.at})
	}
	return g
}

// distance is how many letters must be changed so that each word of the query is a word of the entry; 0 if the words are too different.
func (x *index) distance(entry int, query []string) int {
	var words []string
	c := &x.circles[x.entries[entry].circle]
	for _, t := range append([]text{x.entries[entry].text}, c.also...) {
		words = append(words, t.folded)
		words = append(words, strings.FieldsFunc(t.folded, func(r rune) bool { return r < utf8.RuneSelf && !wordly(byte(r)) })...)
	}
	sum := 0
	for _, w := range query {
		least := allowed(w) + 1
		for _, other := range words {
			least = min(least, typed.Typos(w, other, least))
		}
		if least > allowed(w) {
			return 0
		}
		sum += least
	}
	return sum
}

// allowed is how many errors a word may have.
func allowed(word string) int {
	switch n := utf8.RuneCountInString(word); {
	case n < 4:
		return 0
	case n < 7:
		return 1
	default:
		return 2
	}
}
