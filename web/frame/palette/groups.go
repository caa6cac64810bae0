package palette

import (
	"slices"

	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// The most entries in a group, and in all groups.
const (
	mostInGroup = 12
	mostInAll   = 40
)

// besides is the kind of a group whose entries the query didn't find, such as an offer.
const besides Kind = -1

// group is the listed hits of one kind.
type group struct {
	kind  Kind
	title string
	hits  []place
	more  int // how many are not listed
}

// groups lists the hits, the group with the best hit first.
func (x *index) groups(f found) []group {
	var order []Kind
	for k := range Kind(kinds) {
		if f.total[k] > 0 {
			order = append(order, k)
		}
	}
	slices.SortFunc(order, func(a, b Kind) int { return x.compare(f.best[a][0], f.best[b][0]) })
	each := f.room(order)
	var all []group
	for _, k := range order {
		g := group{kind: k, title: kindTitles[k]}
		for _, h := range f.best[k][:min(each, len(f.best[k]))] {
			g.hits = append(g.hits, h.place)
		}
		g.more = f.total[k] - len(g.hits)
		all = append(all, g)
	}
	return all
}

// room is how many hits of each kind can be listed. A single kind has all the room.
func (f found) room(order []Kind) int {
	if len(order) == 1 {
		return mostInAll
	}
	for each := mostInGroup; ; each-- {
		sum := 0
		for _, k := range order {
			sum += min(each, len(f.best[k]))
		}
		if sum <= mostInAll {
			return each
		}
	}
}

// atRest are the entries for an empty query: the ones that readers open most.
func (x *index) atRest(scope Scope, frame shell.Model) []group {
	order := []Kind{Type, View, Page, Action}
	switch {
	case scope == Types:
		order = []Kind{Type}
	case scope == Clusters:
		order = []Kind{Cluster}
	case !frame.In():
		order = []Kind{Cluster, Page, Action}
	}
	var all []group
	for _, k := range order {
		g := group{kind: k, title: kindTitles[k]}
		most := mostInGroup
		switch {
		case scope == Types, scope == Clusters:
			most = mostInAll
		case k == Type:
			g.title = "Favorites"
		}
		for i, e := range x.origin {
			switch {
			case e.Kind != k || e.quiet(scope):
			case len(g.hits) < most:
				g.hits = append(g.hits, place{entryList, i})
			default:
				g.more++
			}
		}
		if k == Cluster {
			g.more += frame.Unlisted
		}
		if len(g.hits) > 0 {
			all = append(all, g)
		}
	}
	return all
}

// quiet tells whether an entry is hidden while the query is empty.
func (e Entry) quiet(scope Scope) bool {
	return e.Unable != "" || e.Kind == Lesson || e.Kind == Task || e.Kind == Term || e.Kind == Type && scope != Types && !e.favourite || e.Kind == Page && e.Detail == apiGroup
}
