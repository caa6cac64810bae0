// Package palette is the search among everything one can go to: resource types, objects, namespaces, clusters,
// pages, and what the page in front can do. It lives in the browser only, above a page.
package palette

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/page"
	"github.com/fieldmark/fieldmark/web/shell"
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
	found   found
	groups  []group
	active  int  // place among the options
	moved   bool // the reader chose it, and did not just find it first
	asked   map[string]ask
	refused []string // types whose names may not be listed
	partly  []string // types of which only the first names are known
	chosen  *Entry
}

// Open opens a palette over a page, with further entries of the page's own, and begins to fetch names of objects.
// Answers whose ID begins with "palette/" are its own; they may come when it is closed already, and are then nobody's.
func Open(frame shell.Model, scope Scope, extra []Entry) (Model, []page.Cmd) {
	m := Model{frame: frame, scope: scope, index: &index{catalog: frame.Catalog}, asked: map[string]ask{}}
	for _, e := range fixed(frame, scope) {
		m.index.add(e)
	}
	var commands []page.Cmd
	if scope != Types {
		for _, e := range extra {
			m.index.add(e)
		}
		for _, a := range asks(frame) {
			commands = append(commands, m.fetch(a, ""))
		}
	}
	return m.look(nil), commands
}

// WithNames adds objects of a type whose names the page knows. Those known already are left out.
func (m Model) WithNames(t discovery.Type, names []Name) Model {
	m.index.addNames(t, m.index.fresh(t, names))
	return m.again()
}

// Update takes a message in: what was typed, a key, an answer.
func (m Model) Update(msg page.Msg) (Model, []page.Cmd) {
	switch msg := msg.(type) {
	case page.Typed:
		if msg.Field == Field && msg.Text != m.query {
			return m.typed(msg.Text), nil
		}
	case page.Pressed:
		return m.pressed(msg.Key)
	case page.Fetched:
		return m.fetched(msg)
	}
	return m, nil
}

// Chosen is what was chosen, once something was: the palette is done. What has an address is opened by the Navigate
// that came along with it; the rest is the caller's to do.
func (m Model) Chosen() (Entry, bool) {
	if m.chosen == nil {
		return Entry{}, false
	}
	return *m.chosen, true
}

func (m Model) typed(query string) Model {
	var among []int32
	if m.query != "" && strings.HasPrefix(query, m.query) {
		among = m.found.among
	}
	m.query, m.active, m.moved = query, 0, false
	return m.look(among)
}

// look finds what the query asks for.
func (m Model) look(among []int32) Model {
	words := strings.Fields(fold(strings.ToValidUTF8(m.query, "")))
	if len(words) == 0 {
		m.found, m.groups = found{}, m.index.atRest(m.scope, m.frame)
		return m
	}
	m.found = m.index.search(words, among)
	m.groups = m.found.groups()
	return m
}

// again finds anew as there is more to be found now. What the reader has moved to stays chosen.
func (m Model) again() Model {
	was, had := m.at(m.active)
	m = m.look(nil)
	if !m.moved || !had {
		return m
	}
	m.active = max(0, slices.Index(m.options(), was))
	return m
}

func (m Model) options() []int {
	var all []int
	for _, g := range m.groups {
		all = append(all, g.hits...)
	}
	return all
}

func (m Model) at(place int) (hit int, ok bool) {
	options := m.options()
	if place < 0 || place >= len(options) {
		return 0, false
	}
	return options[place], true
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
	for place, hit := range m.options() {
		if components.PaletteOptionID(place) != id {
			continue
		}
		e := m.entry(hit)
		m.chosen = &e
		if e.Href != "" {
			return m, []page.Cmd{page.Navigate{Address: e.Href}}
		}
	}
	return m, nil
}

// entry is what was found, by its place in the index.
func (m Model) entry(at int) Entry {
	if at < len(m.index.origin) {
		return m.index.origin[at]
	}
	it := m.index.names[at-len(m.index.origin)]
	c := m.index.circles[it.circle]
	t := c.resource
	return Entry{
		Kind: Object, Text: it.shown, Beside: c.namespace, Detail: t.Kind,
		Href: web.Page(m.frame.Cluster.Slug, apipath.Object(t.Group, t.Version, c.namespace, t.Resource, it.shown).String()),
	}
}
