package contention

import (
	"cmp"
	"container/list"
	"slices"

	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/timeline"
)

// pursuit is what is kept of an object that has changed.
type pursuit struct {
	history *timeline.History // nil: it was forgotten
	place   *list.Element
	weight  int

	flips   []timeline.Flip // of histories that were forgotten
	takings []taking
}

// taking is a manager that takes fields of the object by force.
type taking struct {
	by    ownership.Manager
	count int // writes
	paths []string
	more  bool // there are more paths
	from  []ownership.Manager
}

// What is kept of one object.
const (
	maxFlips   = 8
	maxTakings = 8
	maxNames   = 6
)

// quiet tells whether nobody fights over the object.
func (p *pursuit) quiet() bool {
	return !p.history.Fought() && len(p.flips) == 0 && len(p.takings) == 0
}

// found tells whether anything was found that is worth keeping.
func (p *pursuit) found() bool { return len(p.flips) > 0 || len(p.takings) > 0 }

// freeze gives up the history, but for what it found.
func (p *pursuit) freeze() {
	p.flips = p.fights()
	p.history, p.place, p.weight = nil, nil, 0
}

// fights are the fields that are fought over, as far as they are kept.
func (p *pursuit) fights() []timeline.Flip {
	all := slices.Clone(p.flips)
	if p.history != nil {
		for _, f := range p.history.Flips() {
			all = join(all, f)
		}
	}
	all = slices.DeleteFunc(all, func(f timeline.Flip) bool { return len(f.Managers) < 2 }) // of whoever else it was, nothing is known
	slices.SortFunc(all, func(a, b timeline.Flip) int { return cmp.Or(b.Count-a.Count, cmp.Compare(a.Path, b.Path)) })
	return all[:min(len(all), maxFlips)]
}

// join adds what was found of a field to what was found before its history was forgotten.
func join(all []timeline.Flip, f timeline.Flip) []timeline.Flip {
	i := slices.IndexFunc(all, func(old timeline.Flip) bool { return old.Path == f.Path })
	if i < 0 {
		return append(all, f)
	}
	old := &all[i]
	old.Count += f.Count
	old.Values = f.Values
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

// Forced are the fields that were taken by force in a step. No API tells that: it is inferred. An Apply that gives a
// field another value than another manager wants is refused as a conflict; so where the value is another, an Apply owns it
// now, and a manager that owned it before does not, it was forced.
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

// take counts what one write took.
func (p *pursuit) take(all []Take) {
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
		into.add(t)
	}
}

func (t *taking) add(one Take) {
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
