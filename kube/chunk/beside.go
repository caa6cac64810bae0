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

// Apart is an object that has changed since the snapshot.
type Apart struct {
	Item
	Fate   Fate
	Listed bool    // the list that was read has it
	Same   bool    // the list has it in its state after the last event: chunks after a seam can have it
	Place  int     // how many of the listed objects come before it
	Events []Event // the last ones, at most eventsKept
	Count  int     // of all events
}

// Event has the parts of a watch event that are shown.
type Event struct {
	Type    watch.Type
	Version string
}

// eventsKept bounds the events of one object, besideKept the objects.
const (
	eventsKept = 4
	besideKept = 500
)

// Beside has the changes since a snapshot, as reported by a watch that begins at the snapshot's version. The zero value is ready to use.
type Beside struct {
	all  []Apart
	over int // events of objects that were not kept, because there are too many
}

// Happened adds an event about an object.
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
	if !(a.Fate == Born && fate == Changed) { // an object that was created after the snapshot stays new to it, even if it changes
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

// Over is the number of events about objects that were not kept, because there are too many.
func (b Beside) Over() int { return b.over }

// Of compares the changes with the objects of a list, in the order of the list.
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
