package assist

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

// Fight is what managers did to one field, in the versions of an object that were seen. managedFields name the owners of a field, not the
// writers. So each owner in a version wants the value that the field has in it. The value NewFight returns has seen no version.
type Fight struct {
	Path     string
	Wants    []Want // in the order in which the managers became owners
	Versions int
	Values   int           // how often the value changed
	Passes   int           // how often the field lost an owner or got another one
	Longest  time.Duration // the longest time between two writes; zero: fewer than two were seen
	Now      string        // the value as JSON; empty: the object has no such field

	wrote time.Time
}

// Want is what one manager wants of the field.
type Want struct {
	ownership.Owner                // with the time of its newest entry that was seen
	Value           string         // as JSON, in the last version in which the manager owned the field
	Object          map[string]any // this version
	Owns            bool           // in the newest version
	Writes          int
	Wrote           time.Time // the last of these writes, by the clock of who saw it; zero: none was seen
}

// Write is what one version did to the field.
type Write struct {
	By       []ownership.Manager // who wrote, as far as managedFields tell; empty: nobody owns the field now
	Old, New string              // as JSON
	Took     bool                // the value changed, or a manager lost the field
}

// mostWants is the most managers of which a fight keeps the values.
const mostWants = 12

// NewFight begins to follow a field.
func NewFight(path string) *Fight { return &Fight{Path: path} }

// See takes in a version, and returns what it did to the field. The first version did nothing.
func (f *Fight) See(o map[string]any, at time.Time) Write {
	blame := ownership.Parse(o).On(manifest.Tree(o), nil)
	old, value := f.Now, ""
	var owners []ownership.Owner
	for _, n := range blame.Find(f.Path) {
		value, owners = asJSON(n.Value), blame.Owners(n)
		break
	}
	came, lost := f.differ(owners)
	w := Write{Old: old, New: value, Took: old != value || lost}
	if f.Versions++; f.Versions == 1 {
		w = Write{New: value}
	}
	f.Now = value
	f.updateWants(o, owners, value, blame.Record.Managers())
	if !w.Took {
		return w
	}
	w.By = writers(owners, came)
	f.countWrite(w, lost || len(came) > 0, at)
	return w
}

// countWrite counts a write.
func (f *Fight) countWrite(w Write, passed bool, at time.Time) {
	if w.Old != w.New {
		f.Values++
	}
	if passed {
		f.Passes++
	}
	if !f.wrote.IsZero() {
		f.Longest = max(f.Longest, at.Sub(f.wrote))
	}
	f.wrote = at
	for i, want := range f.Wants {
		if slices.ContainsFunc(w.By, want.Same) {
			f.Wants[i].Writes++
			f.Wants[i].Wrote = at
		}
	}
}

// differ returns the managers that own the field now and didn't before, and whether one has lost it.
func (f *Fight) differ(owners []ownership.Owner) (came []ownership.Manager, lost bool) {
	for _, o := range owners {
		if w := f.Of(o.Manager); w == nil || !w.Owns {
			came = append(came, o.Manager)
		}
	}
	for _, w := range f.Wants {
		lost = lost || w.Owns && !slices.ContainsFunc(owners, func(o ownership.Owner) bool { return o.Same(w.Manager) })
	}
	return came, lost
}

// updateWants keeps what the owners of a version want, and when each manager last wrote.
func (f *Fight) updateWants(o map[string]any, owners []ownership.Owner, value string, all []ownership.Owner) {
	for i := range f.Wants {
		w := &f.Wants[i]
		w.Owns = false
		if at := slices.IndexFunc(all, func(o ownership.Owner) bool { return o.Same(w.Manager) }); at >= 0 {
			w.Time = all[at].Time
		}
	}
	for _, owner := range owners {
		if f.Of(owner.Manager) == nil && len(f.Wants) < mostWants {
			f.Wants = append(f.Wants, Want{})
			f.Wants[len(f.Wants)-1].Owner = owner
		}
		if w := f.Of(owner.Manager); w != nil {
			w.Owner, w.Value, w.Object, w.Owns = owner, value, o, true
		}
	}
}

// writers are who wrote a version: the managers that became owners, or else the owner that wrote last.
func writers(owners []ownership.Owner, came []ownership.Manager) []ownership.Manager {
	if len(came) > 0 || len(owners) == 0 {
		return came
	}
	last := slices.MaxFunc(owners, func(a, b ownership.Owner) int { return a.Written().Compare(b.Written()) })
	return []ownership.Manager{last.Manager}
}

// Of is what a manager wants; nil if it never owned the field.
func (f *Fight) Of(m ownership.Manager) *Want {
	for i := range f.Wants {
		if f.Wants[i].Same(m) {
			return &f.Wants[i]
		}
	}
	return nil
}

// asJSON is a value as JSON.
func asJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return "" // decoded values always encode
	}
	return string(text)
}

// Outcome is what a request does to one field, and to each of its owners.
type Outcome struct {
	Old, New string // the value as JSON; empty: no such field
	Fates    []Fate
}

// Fate is what happens to one manager's ownership of the field.
type Fate struct {
	ownership.Manager
	Before, After bool // whether it owns the field
}

// OutcomeOf compares two versions of an object. It names the owners of the field in both, and the other managers that are given.
func OutcomeOf(before, after map[string]any, path string, managers []ownership.Manager) Outcome {
	var o Outcome
	at := func(m ownership.Manager) *Fate {
		for i := range o.Fates {
			if o.Fates[i].Same(m) {
				return &o.Fates[i]
			}
		}
		o.Fates = append(o.Fates, Fate{Manager: m})
		return &o.Fates[len(o.Fates)-1]
	}
	for _, m := range managers {
		at(m)
	}
	old, now := NewFight(path), NewFight(path)
	old.See(before, time.Time{})
	now.See(after, time.Time{})
	for _, w := range old.Wants {
		at(w.Manager).Before = true
	}
	for _, w := range now.Wants {
		at(w.Manager).After = true
	}
	o.Old, o.New = old.Now, now.Now
	return o
}
