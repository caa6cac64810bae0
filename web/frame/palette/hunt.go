package palette

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// The bounds of a search for objects. Each “Look further” allows as much again.
const (
	mostAtOnce   = 4      // requests at a time
	mostRequests = 80     // of a search
	mostObjects  = 20_000 // of a search, in responses
	leastLetters = 2      // of a query whose objects are searched
)

// hunt is the search for objects by their names. It lists type after type, and keeps every name, because a longer query may need it.
type hunt struct {
	queue    []ask           // the next requests, in order
	begun    map[string]bool // by the full name of the type: its names were requested, or are known
	read     []discovery.Type
	here     []string // types that the user can list only in the current namespace
	refused  []string // types whose objects the user can't list
	failed   []string // types whose names could not be fetched
	paused   bool     // the reader has stopped typing
	further  bool     // the reader wants the less likely types, too
	requests int      // that are left
	objects  int      // that are left
}

// Paused says that the reader has stopped typing for a moment. Only then the palette requests names.
func (m Model) Paused() (Model, []page.Cmd) {
	m.hunt.paused = true
	m.name()
	next, commands := m.pump()
	return next.refresh(), append(commands, m.askContexts()...)
}

// hunts tells whether the query is one whose objects are searched.
func (m Model) hunts() bool {
	return m.frame.In() && m.narrow != Types && m.narrow != Clusters && (letters(m.words) >= leastLetters || m.aim != nil && m.few()) && !m.isRefusal()
}

// letters is the number of letters of a query.
func letters(words []string) int {
	n := 0
	for _, w := range words {
		n += utf8.RuneCountInString(w)
	}
	return n
}

// pump sends the next requests, a few at a time.
func (m Model) pump() (Model, []page.Cmd) {
	var commands []page.Cmd
	for m.hunt.paused && m.hunts() && len(m.asked) < mostAtOnce {
		i := m.nextQueueIndex()
		if i < 0 {
			break
		}
		a := m.hunt.queue[i]
		m.hunt.queue = slices.Delete(m.hunt.queue, i, i+1)
		m.hunt.requests--
		commands = append(commands, m.fetch(a))
	}
	return m, commands
}

// nextQueueIndex is the index of the next request in the queue; -1 if there is none for now.
func (m Model) nextQueueIndex() int {
	h := m.hunt
	if h.requests <= 0 || h.objects <= 0 {
		return -1
	}
	if i := slices.IndexFunc(h.queue, func(a ask) bool { return a.likely }); i >= 0 {
		return i
	}
	if len(h.queue) > 0 && (h.further || !m.satisfied()) {
		return 0
	}
	return -1
}

// satisfied tells whether the reader has probably found what they are looking for: an object, or something whose name begins like the query.
func (m Model) satisfied() bool {
	if m.found.total[Object] > 0 {
		return true
	}
	for _, best := range m.found.best {
		if len(best) > 0 && best[0].score >= prefix*len(m.words) {
			return true
		}
	}
	return false
}

// name moves types to the front whose names are in the query, as in "cronjobs nightly". Names of Secrets are requested only in this way.
func (m Model) name() {
	if len(m.words) < 2 || !m.hunts() {
		return
	}
	for _, w := range m.words {
		for _, t := range m.frame.Catalog.Find(strings.TrimRight(w, ".")) {
			if i := slices.IndexFunc(m.hunt.queue, func(a ask) bool { return same(a.resource, t) }); i >= 0 {
				m.hunt.queue[i].likely = true
			} else if t.Resource == "secrets" && t.Group == "" && t.Listable() && !m.hunt.begun[t.FullName()] {
				m.hunt.begun[t.FullName()] = true
				m.hunt.queue = slices.Insert(m.hunt.queue, 0, ask{resource: t, likely: true})
			}
		}
	}
}

// leads tells whether there is more to look at, or something is being looked at.
func (m Model) leads() bool { return len(m.hunt.queue) > 0 || len(m.asked) > 0 }

// looking tells whether requests are on their way, or will be without the reader's doing.
func (m Model) looking() bool { return len(m.asked) > 0 || m.hunts() && m.nextQueueIndex() >= 0 }

// searchFurther continues the search with as many requests again.
func (m Model) searchFurther() (Model, []page.Cmd) {
	m.hunt.further, m.hunt.paused = true, true
	m.hunt.requests, m.hunt.objects = max(m.hunt.requests, mostRequests), max(m.hunt.objects, mostObjects)
	next, commands := m.pump()
	return next.refresh(), commands
}

// sought are common types, which are searched before others.
var sought = []struct{ group, resource string }{
	{"", "pods"},
	{"apps", "deployments"},
	{"", "services"},
	{"", "configmaps"},
	{"", "nodes"},
	{"", "namespaces"},
	{"apps", "statefulsets"},
	{"apps", "daemonsets"},
	{"batch", "cronjobs"},
	{"networking.k8s.io", "ingresses"},
}

// unsought tells whether names of a type are not requested by themselves. Names of Secrets are private unless the reader asks for them, and nobody
// knows names of Events.
func unsought(t discovery.Type) bool { return t.Resource == "secrets" || t.Resource == "events" }

// queue is the first request for each type. The likely ones are first: the page's own type, those that the reader opened recently, the
// favorites, and common ones. Then come types that were added to the cluster, and then the others.
func queue(frame shell.Model, known []Known) []ask {
	q := queuing{complete: map[string]bool{}}
	for _, k := range known {
		q.complete[k.Type.FullName()] = k.All
	}
	if frame.Path.IsResource() {
		q.addCatalogType(frame, frame.Path.Group, frame.Path.Resource)
	}
	for _, k := range known {
		q.addCatalogType(frame, k.Type.Group, k.Type.Resource)
	}
	for _, t := range frame.Favourites() {
		q.addType(t, true)
	}
	for _, s := range sought {
		q.addCatalogType(frame, s.group, s.resource)
	}
	for _, own := range []bool{true, false} {
		for _, t := range frame.Catalog.Listable() {
			if shell.Added(t.Group) == own {
				q.addType(t, false)
			}
		}
	}
	return q.all
}

type queuing struct {
	all      []ask
	complete map[string]bool
}

func (q *queuing) addCatalogType(frame shell.Model, group, resource string) {
	if t, ok := frame.Catalog.Type(group, "", resource); ok {
		q.addType(t, true)
	}
}

func (q *queuing) addType(t discovery.Type, likely bool) {
	known := func(a ask) bool { return same(a.resource, t) }
	if t.Listable() && !unsought(t) && !q.complete[t.FullName()] && !slices.ContainsFunc(q.all, known) {
		q.all = append(q.all, ask{resource: t, likely: likely})
	}
}
