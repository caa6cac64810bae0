package report

import (
	"cmp"
	"slices"
	"strings"
)

// Comparison is what differs between two censuses.
type Comparison struct {
	New  []Manager `json:"new,omitempty"`  // as they are now; those with the most fields first
	Gone []Manager `json:"gone,omitempty"` // as they were
	// Cells are those of managers that both know, with other numbers; those that changed most first.
	Cells []Change `json:"cells,omitempty"`
	// Apart are types that only one of the two read to the end. They aren't compared, and a manager of only such types is neither new nor gone.
	Apart []string `json:"apart,omitempty"`
	// Namespaces tells that the two read different namespaces.
	Namespaces bool `json:"namespaces,omitempty"`
	// Folded tells that one of them had no room for all managers, so that a new manager may be an old one.
	Folded bool `json:"folded,omitempty"`
}

// Change is a cell with its numbers in the earlier census and now.
type Change struct {
	Manager string `json:"manager"`
	Type    string `json:"type"`
	Objects Pair   `json:"objects"`
	Fields  Pair   `json:"fields"`
}

// Pair is an earlier number, and the number now.
type Pair struct {
	Before int `json:"before"`
	Now    int `json:"now"`
}

// Grew tells whether the manager owns more fields than before.
func (c Change) Grew() bool {
	return cmp.Or(c.Fields.Now-c.Fields.Before, c.Objects.Now-c.Objects.Before) > 0
}

// Same tells whether nothing differs.
func (c Comparison) Same() bool { return len(c.New)+len(c.Gone)+len(c.Cells) == 0 }

// Compare compares a census with an earlier one.
func Compare(earlier, now Report) Comparison {
	c := Comparison{Folded: earlier.Folded > 0 || now.Folded > 0, Namespaces: !slices.Equal(slices.Sorted(slices.Values(earlier.Namespaces)), slices.Sorted(slices.Values(now.Namespaces)))}
	both := c.types(earlier, now)
	was, is := cells(earlier, both), cells(now, both)
	c.New, c.Gone = missing(now, is, was), missing(earlier, was, is)
	for name, types := range is {
		if was[name] == nil {
			continue
		}
		for typ := range union(types, was[name]) {
			before, after := was[name][typ], types[typ]
			if before.Fields != after.Fields || before.Objects != after.Objects {
				c.Cells = append(c.Cells, Change{name, typ, Pair{before.Objects, after.Objects}, Pair{before.Fields, after.Fields}})
			}
		}
	}
	slices.SortFunc(c.Cells, func(a, b Change) int {
		return cmp.Or(b.size()-a.size(), strings.Compare(a.Manager, b.Manager), strings.Compare(a.Type, b.Type))
	})
	return c
}

func (c Change) size() int {
	return max(c.Fields.Now-c.Fields.Before, c.Fields.Before-c.Fields.Now)
}

// types are those that both read to the end.
func (c *Comparison) types(earlier, now Report) map[string]bool {
	read := map[string]int{}
	for _, r := range []Report{earlier, now} {
		for _, t := range r.Types {
			if t.State == Read {
				read[t.Name()]++
			} else {
				read[t.Name()] += 0
			}
		}
	}
	both := map[string]bool{}
	for name, n := range read {
		if both[name] = n == 2; n == 1 {
			c.Apart = append(c.Apart, name)
		}
	}
	slices.Sort(c.Apart)
	return both
}

// cells are the cells of types, by manager, then by type.
func cells(r Report, of map[string]bool) map[string]map[string]Cell {
	all := map[string]map[string]Cell{}
	for _, c := range r.Cells {
		m, typ := r.Managers[c.Manager], r.Types[c.Type].Name()
		if m.Others || !of[typ] {
			continue
		}
		if all[m.Name] == nil {
			all[m.Name] = map[string]Cell{}
		}
		all[m.Name][typ] = c
	}
	return all
}

// missing are the managers of a census that the other one doesn't have.
func missing(r Report, its, others map[string]map[string]Cell) []Manager {
	var all []Manager
	for _, m := range r.Managers {
		if !m.Others && its[m.Name] != nil && others[m.Name] == nil {
			all = append(all, m)
		}
	}
	return all
}

func union(a, b map[string]Cell) map[string]bool {
	all := map[string]bool{}
	for k := range a {
		all[k] = true
	}
	for k := range b {
		all[k] = true
	}
	return all
}
