package timeline

import (
	"cmp"
	"encoding/json"
	"hash/fnv"
	"maps"
	"slices"
	"time"

	"github.com/fieldmark/fieldmark/kube/ownership"
)

// Flip is a field that managers fight over: its value changes back and forth between them.
type Flip struct {
	Path     string
	Field    string        // as in a Change
	Count    int           // how often its value changed back to one that another manager had replaced
	Period   time.Duration // the time for one change there and back: the median of the last ones; zero: not known yet
	Last     time.Time     // when it changed back the last time
	Managers []ownership.Manager
	Values   [2]string // the value that was replaced last, and the current one; empty: none
}

// The maximum number of fields that are followed, and of periods that are kept for each.
const (
	maxTracks  = 4096
	maxPeriods = 32
)

// Same tells whether two fights are over the same field of an object.
func (f Flip) Same(other Flip) bool { return f.Path == other.Path && f.Field == other.Field }

// place is where a field is.
type place struct{ path, field string }

// track is the history of a field that has changed.
type track struct {
	last   write  // the write of its current value
	before *write // the write before that
	flips  int
	back   time.Time // when it flipped last

	periods  []time.Duration
	managers []ownership.Manager
	values   [2]string
}

// write is one change of a field's value.
type write struct {
	at    time.Time // zero: before the watch began
	value uint64    // a hash of the value
	by    ownership.Manager
}

// none is the value of a missing field.
const none = 0

// followChange follows a field. In a flip, a manager restores a value that another manager had replaced. One manager that changes a value up and
// down is no fight, and neither is a manager that removes a field that was added once.
func (h *History) followChange(at time.Time, c Change, old, now any) {
	t := h.track(c)
	if t == nil {
		return
	}
	if t.before == nil {
		t.last = write{value: digest(old), by: first(c.Before)}
	}
	w := write{at: at, value: digest(now), by: first(c.By)}
	if t.before != nil && t.before.value == w.value && w.value != none && !t.last.by.Same(w.by) {
		t.flip(w)
	}
	before := t.last
	t.before, t.last = &before, w
	t.values = [2]string{c.Old, c.New}
}

// track finds the history of a field. If there are too many, it forgets fields that nobody fights over.
func (h *History) track(c Change) *track {
	at := place{c.Path, c.Field}
	if t, ok := h.tracks[at]; ok {
		return t
	}
	if len(h.tracks) >= maxTracks {
		maps.DeleteFunc(h.tracks, func(_ place, t *track) bool { return t.flips == 0 })
	}
	if len(h.tracks) >= maxTracks {
		return nil
	}
	t := &track{}
	h.tracks[at] = t
	return t
}

func first(owners []ownership.Owner) ownership.Manager {
	if len(owners) == 0 {
		return ownership.Manager{}
	}
	return owners[0].Manager
}

func (t *track) flip(w write) {
	t.flips++
	t.back = w.at
	if !t.before.at.IsZero() {
		t.periods = append(t.periods, w.at.Sub(t.before.at))
	}
	if extra := len(t.periods) - maxPeriods; extra > 0 {
		t.periods = slices.Delete(t.periods, 0, extra)
	}
	for _, m := range []ownership.Manager{t.last.by, w.by} {
		if m.Name != "" && !slices.ContainsFunc(t.managers, m.Same) {
			t.managers = append(t.managers, m)
		}
	}
}

func digest(value any) uint64 {
	if _, ok := value.(gone); ok {
		return none
	}
	text, err := json.Marshal(value)
	if err != nil {
		return none // a decoded value can always be written
	}
	sum := fnv.New64a()
	sum.Write(text)
	return sum.Sum64()
}

// Flips are the fields that managers fight over, the worst first.
func (h *History) Flips() []Flip {
	var all []Flip
	for at, t := range h.tracks {
		if t.flips > 0 {
			all = append(all, Flip{at.path, at.field, t.flips, median(t.periods), t.back, slices.Clone(t.managers), t.values})
		}
	}
	slices.SortFunc(all, func(a, b Flip) int {
		return cmp.Or(b.Count-a.Count, cmp.Compare(a.Path, b.Path), cmp.Compare(a.Field, b.Field))
	})
	return all
}

func median(all []time.Duration) time.Duration {
	if len(all) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(all))[len(all)/2]
}
