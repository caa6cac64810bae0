// Package palette is the search among everything one can go to: resource types, objects, namespaces, clusters,
// pages, and what the page in front can do. It lives in the browser only, above a page.
package palette

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// Scope is what is searched.
type Scope string

// The scopes.
const (
	Everything Scope = "everything"
	Types      Scope = "types"
)

// Input is the id of the field, which is to have the focus, and Field its name.
const (
	Input = "palette-input"
	Field = "palette"
)

// Model is an open palette. Of its copies only the newest counts.
type Model struct {
	frame   shell.Model
	scope   Scope
	index   *index
	query   string
	words   []string // of the query, folded
	narrow  Scope    // the scope, or what the query says
	found   found
	groups  []group
	active  int  // which option
	moved   bool // the reader chose it, and did not just find it first
	asked   map[string]ask
	names   names
	guided  bool     // the field guide is searched
	rest    []ask    // further chunks, to be asked for once something is looked for
	refused []string // types whose names may not be listed
	failed  []string // types whose names could not be fetched
	partly  []string // types of which only the first names are known
	chosen  *Entry
}

// Open opens a palette over a page, with the page's own links and actions and the objects that it knows, and begins to
// fetch names of further objects. Answers whose ID begins with "palette/" are the palette's; those that come when it
// is closed are nobody's.
func Open(frame shell.Model, scope Scope, extra []Entry, known ...Known) (Model, []page.Cmd) {
	if !frame.In() {
		scope = Everything // there are no types outside a cluster
	}
	m := Model{
		frame: frame, scope: scope, narrow: scope, asked: map[string]ask{}, names: names{begun: map[string]bool{}},
		index: &index{catalog: frame.Catalog, slug: frame.Cluster.Slug, home: frame.Path.Namespace, known: map[[2]int]place{}},
	}
	for _, e := range slices.Concat(extra, fixed(frame)) {
		m.index.add(e)
	}
	if scope == Types {
		return m.look(nil), nil
	}
	commands := []page.Cmd{askGuide()}
	if !frame.In() {
		return m.look(nil), commands
	}
	known = append(slices.Clone(known), namespaces(frame))
	for _, k := range known {
		m.index.addNames(k.Type, m.index.fresh(k.Type, k.Names))
		if k.All && k.Type.Listable() && !unsought(k.Type) {
			m.names.begun[k.Type.FullName()] = true
			m.names.read = append(m.names.read, k.Type)
		}
	}
	for _, a := range asks(frame, known) {
		commands = append(commands, m.fetch(a))
	}
	return m.look(nil), commands
}

// Update takes a message in: what was typed, a key, an answer.
func (m Model) Update(msg page.Msg) (Model, []page.Cmd) {
	switch msg := msg.(type) {
	case page.Typed:
		if msg.Field == Field && msg.Text != m.query {
			return m.typed(msg.Text).fetchMore()
		}
	case page.Pressed:
		return m.pressed(msg.Key)
	case page.Response:
		if msg.ID == guideID {
			return m.guide(msg), nil
		}
		return m.fetched(msg)
	}
	return m, nil
}

// Chosen is what was chosen, once something was: the palette is done. What has an address is opened by the Navigate
// that came along with it; what has none is the caller's to do.
func (m Model) Chosen() (e Entry, ok bool) {
	if m.chosen == nil {
		return Entry{}, false
	}
	return *m.chosen, true
}

func (m Model) typed(query string) Model {
	before, was := m.query, m.found.among
	m.query, m.active, m.moved = query, 0, false
	m.words, m.narrow = read(query, m.scope)
	if before != "" && strings.HasPrefix(query, before) {
		return m.look(was)
	}
	return m.look(nil)
}

// read takes a query apart. A colon before it says that it names a type.
func read(query string, scope Scope) (words []string, narrow Scope) {
	query = strings.TrimSpace(strings.ToValidUTF8(query, ""))
	if rest, colon := strings.CutPrefix(query, ":"); colon {
		query, scope = rest, Types
	}
	return strings.Fields(fold(query)), scope
}

// look finds what the query asks for, among some of the names or, if that is nil, among all.
func (m Model) look(among []int32) Model {
	if len(m.words) == 0 {
		m.found, m.groups = found{}, m.index.atRest(m.narrow, m.frame)
		return m
	}
	m.found = m.index.search(m.narrow, m.words, among)
	m.groups = m.index.groups(m.found)
	switch {
	case m.isRefusal():
		m.groups = append([]group{m.explanation()}, m.groups...)
	case len(m.groups) == 0:
		m.groups = m.offer()
	}
	return m
}

// again finds anew as there is more to be found now. What the reader has moved to stays chosen.
func (m Model) again() Model {
	options := m.options()
	if !m.moved || m.active >= len(options) {
		return m.look(nil)
	}
	was := options[m.active]
	m = m.look(nil)
	m.active = max(0, slices.Index(m.options(), was))
	return m
}

// options are the places of all that is listed.
func (m Model) options() []place {
	var all []place
	for _, g := range m.groups {
		all = append(all, g.hits...)
	}
	return all
}

// leap is how many options a page key moves.
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

// Take chooses the option of an id, as a click on it does.
func (m Model) Take(id string) (Model, []page.Cmd) {
	for i, p := range m.options() {
		if components.PaletteOptionID(i) != id {
			continue
		}
		e := m.index.entry(p)
		if e.Run == runFurther {
			return m.searchFurther()
		}
		m.chosen = &e
		if e.Href != "" {
			return m, []page.Cmd{page.Navigate{Address: e.Href}}
		}
	}
	return m, nil
}
