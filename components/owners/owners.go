// Package owners shows who owns the fields of an object: its managers in columns, each with a hue of its own.
package owners

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

// Manager is an owner in a view. Its place among all is its column.
type Manager struct {
	ownership.Owner
	components.Manager
	ID string // in addresses: name,operation,subresource
}

// IsCalled tells whether a text names the manager: by its name, or in full.
func (m Manager) IsCalled(text string) bool { return text == m.ID || text == m.Owner.Name }

// Plain shows a manager without a hue, as where only a few are named.
func Plain(m ownership.Manager) components.Manager {
	return components.Manager{Name: m.Name, Operation: m.Operation, Subresource: m.Subresource, APIVersion: m.APIVersion, History: m.History()}
}

// Of are the owners in the order of their columns, which does not change when one of them writes: who applies
// first, what is history last.
func Of(owners []ownership.Owner) []Manager {
	owners = slices.Clone(owners)
	slices.SortStableFunc(owners, func(a, b ownership.Owner) int {
		return cmp.Or(
			cmp.Compare(rank(a), rank(b)), strings.Compare(a.Name, b.Name),
			strings.Compare(a.Subresource, b.Subresource), strings.Compare(a.APIVersion, b.APIVersion), strings.Compare(a.Time, b.Time),
		)
	})
	owners = slices.Compact(owners)
	all := make([]Manager, 0, len(owners))
	ids, used := map[string]bool{}, map[int]bool{}
	for _, o := range owners {
		if hue := people[o.Name]; hue > 0 {
			used[hue] = true
		}
	}
	seen := map[string]bool{}
	for _, o := range owners {
		id := strings.TrimSuffix(o.Name+","+o.Operation+","+o.Subresource, ",")
		if ids[id] {
			id += "," + o.APIVersion
		}
		ids[id] = true
		hue, again := people[o.Name], seen[o.Name]
		if hue == 0 {
			hue, again = hueOf(id, used)
		}
		seen[o.Name] = true
		shown := Plain(o.Manager)
		shown.Hue, shown.Again, shown.Initials = hue, again, components.Initials(o.Name)
		all = append(all, Manager{Owner: o, ID: id, Manager: shown})
	}
	return all
}

func rank(o ownership.Owner) int {
	switch {
	case o.History():
		return 2
	case o.Operation == ownership.Apply:
		return 0
	default:
		return 1
	}
}

// people are those that the field guide tells of. Their hues are those of its drawings, whatever they do, and no other manager beside
// them has one.
var people = map[string]int{"ada": 1, "ben": 2, "caro": 3}

// hueOf is a manager's hue: everywhere the same, unless another manager of the view has it.
func hueOf(id string, used map[int]bool) (hue int, again bool) {
	h := fnv.New32a()
	h.Write([]byte(id))
	first := int(h.Sum32() % components.Hues)
	for i := range components.Hues {
		if hue = (first+i)%components.Hues + 1; !used[hue] {
			used[hue] = true
			return hue, false
		}
	}
	return first + 1, true
}
