package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/owners"
	kube "github.com/fieldmark/fieldmark/kube/compare"
	"github.com/fieldmark/fieldmark/kube/compare/objects"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/words"
)

// pairWords say how two objects differ, in whole sentences.
func pairWords(p *objects.Pair) string {
	values, others := words.Count(int64(p.Values), "field", "fields"), words.Count(int64(p.Owners), "field", "fields")
	switch {
	case p.Values > 0 && p.Owners > 0:
		return fmt.Sprintf("The objects differ in the values of %s. In %s, the values are equal and the owners differ.", values, others)
	case p.Values > 0:
		return fmt.Sprintf("The objects differ in the values of %s.", values)
	case p.Owners > 0:
		return fmt.Sprintf("All values are equal, apart from what always differs. In %s, the owners differ.", others)
	case p.Varies > 0:
		return "All values and owners are equal, apart from what always differs."
	}
	return "All values and owners are equal."
}

// pairing is a pair as the page shows it.
type pairing struct {
	*objects.Pair
	servers [2]string
	people  *owners.Cast
}

func (m Model) pairing() pairing {
	p := pairing{Pair: m.Result.Pair, people: &owners.Cast{}}
	for i := range m.Result.Sides {
		p.servers[i] = m.Result.Sides[i].Name
		p.people.MeetAll(p.Managers[i])
	}
	return p
}

// heading names one of the objects: by its cluster, or if both are in the same cluster, by its own name.
func (p pairing) heading(side int) string {
	if p.servers[0] == p.servers[1] {
		return p.Names[side]
	}
	return p.servers[side]
}

// values are the fields with other values: those of the status, or all others.
func (p pairing) values(status bool) []objects.Field {
	return slices.DeleteFunc(slices.Clone(p.Fields), func(f objects.Field) bool { return f.What == kube.Same || f.Status != status })
}

// sharing are fields with equal values that have the same owners in each object.
type sharing struct {
	paths []string
	of    objects.Field // one of them
}

func (s sharing) count() string { return words.Count(int64(len(s.paths)), "field", "fields") }

// sharings groups the fields with equal values by their owners, those with the most fields first.
func (p pairing) sharings() []sharing {
	var all []sharing
	at := map[string]int{}
	for _, f := range p.Fields {
		if f.What != kube.Same {
			continue
		}
		key := keyOf(f.Left.Owners) + "\n" + keyOf(f.Right.Owners)
		i, known := at[key]
		if !known {
			i = len(all)
			at[key], all = i, append(all, sharing{of: f})
		}
		all[i].paths = append(all[i].paths, f.Path)
	}
	slices.SortStableFunc(all, func(a, b sharing) int { return len(b.paths) - len(a.paths) })
	return all
}

func keyOf(all []ownership.Owner) string {
	var keys []string
	for _, o := range all {
		keys = append(keys, o.Key())
	}
	return strings.Join(keys, "\t")
}

func (p pairing) faces(all []ownership.Owner) []components.Manager { return p.people.OfAll(all) }
