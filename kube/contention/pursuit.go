package contention

import (
	"cmp"
	"container/list"
	"slices"

	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/timeline"
)

// pursuit is what a scan keeps of an object that has changed.
type pursuit struct {
	history *timeline.History // nil: dropped
	place   *list.Element     // in Scan.followed
	weight  int               // of the history, in bytes

	flips   []timeline.Flip // of histories that were dropped
	takings []taking
}

// taking is a manager that takes fields of the object by force.
type taking struct {
	by    ownership.Manager
	count int // number of writes
	paths []string
	more  bool // there are more paths
	from  []ownership.Manager
}

// Limits of what is kept of one object.
const (
	maxFlips   = 8
	maxTakings = 8
	maxNames   = 6
)

// quiet tells whether no managers fight over the object.
func (p *pursuit) quiet() bool {
	return !p.history.Fought() && len(p.flips) == 0 && len(p.takings) == 0
}

// found tells whether anything was found that is worth keeping.
func (p *pursuit) found() bool { return len(p.flips) > 0 || len(p.takings) > 0 }

// freeze drops the history, and keeps the fights that it has.
func (p *pursuit) freeze() {
	p.flips = p.fights()
	p.history, p.place, p.weight = nil, nil, 0
}

// fights are the fields over which managers fight, the most frequent first.
func (p *pursuit) fights() []timeline.Flip {
	all := slices.Clone(p.flips)
	if p.history != nil {
		for _, f := range p.history.Flips() {
			all = join(all, f)
		}
	}
	all = slices.DeleteFunc(all, func(f timeline.Flip) bool { return len(f.Managers) < 2 }) // the other manager isn't known
	slices.SortFunc(all, func(a, b timeline.Flip) int { return cmp.Or(b.Count-a.Count, cmp.Compare(a.Path, b.Path)) })
	return all[:min(len(all), maxFlips)]
}

// join adds a fight to those that were found before a history was dropped.
func join(all []timeline.Flip, f timeline.Flip) []timeline.Flip {
	i := slices.IndexFunc(all, f.Same)
	if i < 0 {
		return append(all, f)
	}
	old := &all[i]
	old.Count += f.Count
	old.Values = f.Values
	old.Last = f.Last
	old.Period = cmp.Or(f.Period, old.Period)
	old.Managers = slices.Clone(old.Managers)
	for _, m := range f.Managers {
		if !slices.ContainsFunc(old.Managers, m.Same) {
			old.Managers = append(old.Managers, m)
		}
	}
	return all
}

// Take is a field that an apply took from another manager.
type Take struct {
	Path     string
	By, From ownership.Manager
}

// Forced returns the fields that were taken by force in a step. No API tells this, so it is inferred. Without force, an apply that changes
// another manager's field is refused as a conflict. So the apply was forced if the value has changed, an Apply manager owns the field now, and a
// former owner doesn't own it any more.
func Forced(step timeline.Step) []Take {
	var all []Take
	for _, c := range step.Changes {
		if c.What != timeline.Changed {
			continue
		}
		by := slices.IndexFunc(c.By, func(o ownership.Owner) bool { return o.Operation == ownership.Apply })
		if by < 0 {
			continue
		}
		for _, from := range c.Before {
			still := slices.ContainsFunc(c.After, func(o ownership.Owner) bool { return o.Same(from.Manager) })
			if !still {
				all = append(all, Take{Path: c.Path, By: c.By[by].Manager, From: from.Manager})
			}
		}
	}
	return all
}

// countTakes counts the fields that one write took.
func (p *pursuit) countTakes(all []Take) {
	var counted []ownership.Manager
	for _, t := range all {
		i := slices.IndexFunc(p.takings, func(old taking) bool { return old.by.Same(t.By) })
		if i < 0 && len(p.takings) == maxTakings {
			continue
		}
		if i < 0 {
			i = len(p.takings)
			p.takings = append(p.takings, taking{by: t.By})
		}
		into := &p.takings[i]
		if !slices.ContainsFunc(counted, t.By.Same) {
			counted = append(counted, t.By)
			into.count++
		}
		into.addTake(t)
	}
}

func (t *taking) addTake(one Take) {
	if !slices.Contains(t.paths, one.Path) {
		if len(t.paths) < maxNames {
			t.paths = append(t.paths, one.Path)
		} else {
			t.more = true
		}
	}
	if !slices.ContainsFunc(t.from, one.From.Same) && len(t.from) < maxNames {
		t.from = append(t.from, one.From)
	}
}
