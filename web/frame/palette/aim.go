package palette

import (
	"slices"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// runAim is the action of a command that needs an object. The palette runs it itself: it asks which object.
const runAim = "palette-aim"

// aimAt searches an object for a command. Only types that have the command are searched.
func (m Model) aimAt(c *command) (Model, []page.Cmd) {
	h := m.hunt
	m.aim, m.scope, m.narrow, m.query, m.words, m.active, m.moved = c, Objects, Objects, "", nil, 0, false
	h.queue = slices.DeleteFunc(h.queue, func(a ask) bool { return !c.able(a.resource) })
	h.paused, h.requests, h.objects = true, mostRequests, mostObjects
	next, commands := m.runSearch(nil).pump()
	return next, append(commands, page.Focus{ID: components.PaletteObject}, page.Announce{Words: next.which()})
}

// which asks for the object of the command.
func (m Model) which() string { return m.aim.title() + ": which object?" }

// aimed are the types that are searched for an object; all types if the reader searches everything.
func (m Model) aimed(t discovery.Type) bool { return m.aim == nil || m.aim.able(t) }

// few tells whether so few types have the command that their names are requested before the reader types.
func (m Model) few() bool {
	n := 0
	for _, t := range m.frame.Catalog.Listable() {
		if m.aimed(t) {
			n++
		}
	}
	return n <= mostAtOnce
}

// entry is the entry at a place. If the reader chooses an object for a command, it opens the command's page for it.
func (m Model) entry(p place) Entry {
	e := m.index.entry(p)
	if m.aim != nil && e.Kind == Object {
		e.Href = m.aim.address(m.frame.Cluster.Slug, e.object)
	}
	return e
}

// candidates are the objects to choose from before the reader types: those whose names are known, those of the current namespace first.
func (m Model) candidates() []group {
	g := group{kind: Object, title: kindTitles[Object]}
	var all []hit
	for i := range m.index.names {
		if it := &m.index.names[i]; m.aimed(m.index.circles[it.circle].resource) {
			all = append(all, hit{0, Object, place{nameList, i}})
		}
	}
	slices.SortFunc(all, m.index.compare)
	g.more = max(0, len(all)-mostInAll)
	for _, h := range all[:len(all)-g.more] {
		g.hits = append(g.hits, h.place)
	}
	if len(g.hits) == 0 {
		return nil
	}
	return []group{g}
}
