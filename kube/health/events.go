package health

import (
	"slices"
	"time"

	"github.com/fieldmark/fieldmark/kube/discovery"
)

// EventLimit is how many Events are read. API servers sort them by name, so these need not be the newest.
const EventLimit = 500

// EventGroup is what happened to an object for one reason.
type EventGroup struct {
	About   Ref       `json:"about"`
	Reason  string    `json:"reason"`
	Warning bool      `json:"warning,omitempty"`
	Count   int64     `json:"count"`
	First   time.Time `json:"first"`
	Last    time.Time `json:"last"`
	Message string    `json:"message"`          // of the newest
	Others  int       `json:"others,omitempty"` // how many other messages there are
}

// EventSource is the list of a cluster's Events; ok is false if the API server doesn't serve them.
func EventSource(catalog discovery.Catalog, warnings bool) (s Source, ok bool) {
	served := catalog.Versions("", "events")
	if len(served) == 0 {
		return Source{}, false
	}
	s = Source{Type: served[0], Form: AllEvents}
	if warnings {
		s.Form = AllWarnings
	}
	return s, s.Type.Can("list")
}

// GroupEvents groups Events by their object and reason: warnings first, and the newest of each first. The catalog tells the paths of the
// objects.
func GroupEvents(events []Event, catalog discovery.Catalog) []EventGroup {
	type key struct {
		about   Ref
		group   string
		reason  string
		warning bool
	}
	sorted := slices.Clone(events)
	slices.SortStableFunc(sorted, func(a, b Event) int { return b.Last.Compare(a.Last) })
	groups := map[key]*EventGroup{}
	messages := map[key]map[string]bool{}
	var order []*EventGroup
	for _, e := range sorted {
		k := key{e.About, e.Group, e.Reason, e.Warning}
		g := groups[k]
		if g == nil {
			g = &EventGroup{About: e.about(catalog), Reason: e.Reason, Warning: e.Warning, First: e.First, Last: e.Last, Message: e.Message}
			groups[k], messages[k], order = g, map[string]bool{}, append(order, g)
		}
		g.Count += e.Count
		g.First = oldest(g.First, e.First)
		messages[k][e.Message] = true
		g.Others = len(messages[k]) - 1
	}
	slices.SortStableFunc(order, func(a, b *EventGroup) int {
		switch {
		case a.Warning == b.Warning:
			return 0
		case a.Warning:
			return -1
		default:
			return 1
		}
	})
	all := make([]EventGroup, len(order))
	for i, g := range order {
		all[i] = *g
	}
	return all
}
