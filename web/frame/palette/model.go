// Package palette is the search for everything that can be opened: resource types, objects, namespaces, clusters, pages, and actions of the current
// page. It exists only in the browser, as a dialog over a page.
package palette

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// Scope is which entries are searched.
type Scope string

// The scopes.
const (
	Everything Scope = "everything"
	Types      Scope = "types"
	Objects    Scope = "objects" // for a command that needs one
	Clusters   Scope = "clusters"
)

// Field is the name of the search field.
const Field = "palette"

// Model is an open palette. Its copies share state, and only the newest copy is valid.
type Model struct {
	frame  shell.Model
	scope  Scope
	index  *index
	query  string
	words  []string // of the query, folded
	narrow Scope    // the scope, or what the query says
	found  found
	groups []group
	active int  // index of the selected option
	moved  bool // the reader selected the option, which wasn't just the first result
	asked  map[string]ask
	hunt   *hunt
	guided bool // the field guide is searched, too
	chosen *Entry
	// unlisted is how many contexts match the query besides those that were sent.
	unlisted int
	aim      *command // the reader chooses an object for it
}

// Open opens a palette over a page, with the page's own links and actions, and the objects that the page knows. Names of more
// objects are requested while the reader types. Pass responses whose ID begins with "palette/" to the palette. After it is closed, drop them. Call Paused
// after a pause in typing.
func Open(frame shell.Model, scope Scope, extra []Entry, known ...Known) (Model, []page.Cmd) {
	return open(frame, scope, slices.Concat(extra, fixed(frame)), known...)
}

func open(frame shell.Model, scope Scope, entries []Entry, known ...Known) (Model, []page.Cmd) {
	if !frame.In() && scope != Clusters {
		scope = Everything // outside a cluster, there are no types
	}
	m := Model{
		frame: frame, scope: scope, narrow: scope, asked: map[string]ask{},
		hunt:  &hunt{begun: map[string]bool{}, requests: mostRequests, objects: mostObjects},
		index: &index{catalog: frame.Catalog, slug: frame.Cluster.Slug, home: frame.Path.Namespace, known: map[[2]int]place{}},
	}
	for _, e := range entries {
		m.index.addEntry(e)
	}
	if scope == Types || scope == Clusters {
		return m.runSearch(nil), nil
	}
	commands := []page.Cmd{askGuide()}
	if !frame.In() {
		return m.runSearch(nil), commands
	}
	known = append(slices.Clone(known), namespaces(frame))
	for _, k := range known {
		m.index.addNames(k.Type, m.index.fresh(k.Type, k.Names))
		if k.All && k.Type.Listable() && !unsought(k.Type) {
			m.hunt.begun[k.Type.FullName()] = true
			m.hunt.read = append(m.hunt.read, k.Type)
		}
	}
	m.hunt.queue = queue(frame, known)
	return m.runSearch(nil), commands
}

// Update handles a message: text in the field, a key, or a response.
func (m Model) Update(msg page.Msg) (Model, []page.Cmd) {
	switch msg := msg.(type) {
	case page.Typed:
		if msg.Field == Field && msg.Text != m.query {
			return m.typed(msg.Text), nil
		}
	case page.Pressed:
		return m.pressed(msg.Key)
	case page.Response:
		switch msg.ID {
		case guideID:
			return m.guide(msg), nil
		case contextsID:
			return m.contexts(msg), nil
		}
		return m.fetched(msg)
	}
	return m, nil
}

// Chosen is the entry that the reader chose; ok is false if there is none. After it, close the palette. If the entry has an address, Update returned a
// Navigate with it. If it has none, the caller runs its action.
func (m Model) Chosen() (e Entry, ok bool) {
	if m.chosen == nil {
		return Entry{}, false
	}
	return *m.chosen, true
}

func (m Model) typed(query string) Model {
	before, was := m.query, m.found.among
	m.query, m.active, m.moved, m.unlisted = query, 0, false, 0
	m.hunt.paused = false // requests that were not sent yet are not sent for the former text
	m.words, m.narrow = parseQuery(query, m.scope)
	if before != "" && strings.HasPrefix(query, before) {
		return m.runSearch(was)
	}
	return m.runSearch(nil)
}

// parseQuery splits a query into words. A colon at the beginning limits the search to types.
func parseQuery(query string, scope Scope) (words []string, narrow Scope) {
	query = strings.TrimSpace(strings.ToValidUTF8(query, ""))
	if rest, colon := strings.CutPrefix(query, ":"); colon && scope != Objects && scope != Clusters {
		query, scope = rest, Types
	}
	return strings.Fields(fold(query)), scope
}

// runSearch searches with the query, among some of the names, or, if among is nil, all of them.
func (m Model) runSearch(among []int32) Model {
	switch {
	case len(m.words) > 0:
		m.found = m.index.search(m.narrow, m.words, among, m.aimed)
		return m.refresh()
	case m.aim != nil:
		m.found, m.groups = found{}, m.candidates()
	default:
		m.found, m.groups = found{}, m.index.atRest(m.narrow, m.frame)
	}
	return m
}

// refresh lists what was found again, with what is offered besides.
func (m Model) refresh() Model {
	if len(m.words) == 0 {
		return m
	}
	m.groups = m.withUnlisted(m.index.groups(m.found))
	if m.isRefusal() {
		m.groups = append([]group{m.explanation()}, m.groups...)
		return m
	}
	if meant := m.meant(); len(meant.hits) > 0 {
		m.groups = append(m.groups, meant)
	}
	m.groups = append(append(m.groups, m.offer()...), m.everywhere()...)
	return m
}

// again searches again after the index has changed. The option that the reader selected stays selected.
func (m Model) again() Model {
	options := m.options()
	if !m.moved || m.active >= len(options) {
		return m.runSearch(nil)
	}
	was := options[m.active]
	m = m.runSearch(nil)
	m.active = max(0, slices.Index(m.options(), was))
	return m
}

// options are the places of all listed entries.
func (m Model) options() []place {
	var all []place
	for _, g := range m.groups {
		all = append(all, g.hits...)
	}
	return all
}

// leap is by how many options PageUp and PageDown move.
const leap = 8

func (m Model) pressed(key string) (Model, []page.Cmd) {
	n := len(m.options())
	if n == 0 {
		return m, nil
	}
	switch key {
	case "ArrowDown":
		m.active = (m.active + 1) % n
	case "ArrowUp":
		m.active = (m.active + n - 1) % n
	case "PageDown":
		m.active = min(m.active+leap, n-1)
	case "PageUp":
		m.active = max(m.active-leap, 0)
	case "Home":
		m.active = 0
	case "End":
		m.active = n - 1
	case "Enter":
		return m.Take(components.PaletteOptionID(m.active))
	default:
		return m, nil
	}
	m.moved = true
	return m, nil
}

// Take chooses the option with an id, as a click does.
func (m Model) Take(id string) (Model, []page.Cmd) {
	for i, p := range m.options() {
		if components.PaletteOptionID(i) != id {
			continue
		}
		e := m.entry(p)
		switch e.Run {
		case runFurther:
			return m.searchFurther()
		case runAim:
			return m.aimAt(e.aim)
		}
		if e.Unable != "" {
			return m, []page.Cmd{page.Announce{Words: e.Unable}}
		}
		m.chosen = &e
		if e.Href != "" {
			return m, []page.Cmd{page.Navigate{Address: e.Href}}
		}
	}
	return m, nil
}
