package chunk

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/watch"
)

// Fate is what happened to an object while a list was made.
type Fate string

// The fates.
const (
	Born    Fate = "born"
	Changed Fate = "changed"
	Gone    Fate = "gone"
)

// Apart is an object that is not now as the snapshot has it.
type Apart struct {
	Item
	Fate   Fate
	Listed bool    // it is among the objects that came
	Same   bool    // and came as it was after the last event: after a seam a list may have what happened before it
	Place  int     // how many of the objects that came stand before it in the list's order
	Events []Event // at most eventsKept, the last
	Count  int     // of all events
}

// Event is one event of a watch, as far as it is shown.
type Event struct {
	Type    watch.Type
	Version string
}

// eventsKept bounds the events of one object, besideKept the objects.
const (
	eventsKept = 4
	besideKept = 500
)

// Beside is what happened beside a snapshot since it was taken, by a watch from its version. The zero value is ready.
type Beside struct {
	all  []Apart
	over int // objects that found no room
}

// Happened takes in an event about an object.
func (b Beside) Happened(kind watch.Type, i Item) Beside {
	fate, known := map[watch.Type]Fate{watch.Added: Born, watch.Modified: Changed, watch.Deleted: Gone}[kind]
	if !known {
		return b
	}
	b.all = append([]Apart(nil), b.all...)
	at := -1
	for n := range b.all {
		if b.all[n].UID == i.UID {
			at = n
		}
	}
	if at < 0 {
		if len(b.all) >= besideKept {
			b.over++
			return b
		}
		b.all = append(b.all, Apart{Item: i, Fate: fate})
		at = len(b.all) - 1
	}
	a := &b.all[at]
	if !(a.Fate == Born && fate == Changed) { // what was born stays new to the snapshot however often it changes
		a.Fate = fate
	}
	a.Version = i.Version
	a.Count++
	a.Events = append(a.Events[:len(a.Events):len(a.Events)], Event{Type: kind, Version: i.Version})
	if n := len(a.Events); n > eventsKept {
		a.Events = a.Events[n-eventsKept:]
	}
	return b
}

// Over is of how many events about further objects nothing was kept.
func (b Beside) Over() int { return b.over }

// Of lays what happened on the objects that came, in the order of the list.
func (b Beside) Of(r Run) []Apart {
	keys := make([]string, len(r.keys))
	listed := make(map[string]string, len(r.keys)) // versions by uid
	for n, i := range r.keys {
		keys[n] = i.Key()
		listed[i.UID] = i.Version
	}
	slices.Sort(keys)
	all := append([]Apart(nil), b.all...)
	for n := range all {
		all[n].Place, _ = slices.BinarySearch(keys, all[n].Key())
		version, ok := listed[all[n].UID]
		all[n].Listed, all[n].Same = ok, ok && version == all[n].Version
	}
	slices.SortStableFunc(all, func(x, y Apart) int { return strings.Compare(x.Key(), y.Key()) })
	return all
}
