package palette

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/words"
)

// names is of which types the palette knows the names of objects.
type names struct {
	begun map[string]bool  // by the full name of the type: its names were asked for, or are known without
	read  []discovery.Type // their names are known, or the first of them
	here  []string         // types of which only the names in the reader's own namespace may be listed
}

// mostNamed is how many types are named in a sentence.
const mostNamed = 15

// runFurther is what the offer to search further types does. The palette does it itself.
const runFurther = "palette-further"

// mayBeSearched are the types that have names to search, in the server's order.
func (m Model) mayBeSearched() []discovery.Type {
	return slices.DeleteFunc(m.frame.Catalog.Listable(), unsought)
}

// further are the types whose names were not asked for yet.
func (m Model) further() []discovery.Type {
	return slices.DeleteFunc(m.mayBeSearched(), func(t discovery.Type) bool { return m.names.begun[t.FullName()] })
}

// nothing tells that something is looked for, and nothing is found.
func (m Model) nothing() bool {
	return len(m.words) > 0 && m.found.total == [kinds]int{}
}

// offer is what is offered where nothing is found: to search the names of further types. While names are on their way there is no offer:
// they may be what is looked for.
func (m Model) offer() []group {
	types := m.further()
	if !m.nothing() || m.narrow == Types || len(types) == 0 || len(m.asked) > 0 || !m.frame.In() {
		return nil
	}
	n := int64(len(types))
	m.index.offered = Entry{
		Kind: Action, Run: runFurther,
		Text:   "Search the names of " + words.Count(n, "more resource type", "more resource types"),
		Detail: words.Count(n, "request", "requests"),
	}
	return []group{{kind: Action, title: kindTitles[Action], hits: []place{{offerList, 0}}}}
}

// searchFurther asks for the names of all further types.
func (m Model) searchFurther() (Model, []page.Cmd) {
	var commands []page.Cmd
	for _, t := range m.further() {
		commands = append(commands, m.fetch(ask{resource: t}))
	}
	return m.look(nil), commands
}

// mostByWord is of how many types names are asked for because a word of the query names them.
const mostByWord = 4

// fetchNamed asks for the names of types that the query itself names, beside what it looks for.
func (m Model) fetchNamed() []page.Cmd {
	if len(m.words) < 2 || m.narrow == Types || !m.frame.In() {
		return nil
	}
	var commands []page.Cmd
	further := m.further()
	for _, w := range m.words {
		for _, t := range m.frame.Catalog.Find(strings.TrimRight(w, ".")) {
			if len(commands) < mostByWord && slices.ContainsFunc(further, sameAs(t)) && !m.names.begun[t.FullName()] {
				commands = append(commands, m.fetch(ask{resource: t}))
			}
		}
	}
	return commands
}

// searched says what was searched, and how to search more.
func (m Model) searched() []string {
	all := strconv.Itoa(len(m.frame.Catalog.Listable())) + " resource types in cluster " + m.frame.Cluster.Name
	places := []string{"clusters", "pages"}
	if m.guided {
		places = append(places, "lessons", "terms")
	}
	switch {
	case m.narrow == Types:
		return []string{"Fieldmark searched the plurals, singulars, short names, kinds and groups of the " + all + ".", "Two words name a type and a namespace."}
	case !m.frame.In():
		return []string{"Fieldmark searched " + listed(places) + ".", "Open a cluster to search its resource types and objects."}
	}
	said := []string{"Fieldmark searched resource types, namespaces, " + listed(places) + "."}
	if names := m.namesRead(all); names != "" {
		said = append(said, names)
	}
	if len(m.asked) > 0 {
		said = append(said, "Fieldmark is still fetching the names of objects of "+words.Count(int64(len(m.asked)), "resource type", "resource types")+".")
	}
	if further := m.further(); len(further) > 0 {
		said = append(said, "To search another type, type its name first, such as “"+further[0].Resource+" "+strings.Join(m.words, " ")+"”.")
	}
	return append(said, "Fieldmark never searches the names of Secrets and Events.")
}

// namesRead says of which types the names of objects were searched.
func (m Model) namesRead(all string) string {
	n := len(m.names.read)
	if n == 0 {
		return ""
	}
	words := "It searched the names of objects of " + strconv.Itoa(n) + " of the " + all
	if n <= mostNamed {
		var types []string
		for _, t := range m.mayBeSearched() {
			if slices.ContainsFunc(m.names.read, sameAs(t)) {
				types = append(types, m.word(t))
			}
		}
		words += ": " + listed(types)
	}
	return words + "."
}

// word is a type in a word: its resource, with the group where another has the same.
func (m Model) word(t discovery.Type) string {
	alike := func(o discovery.Type) bool { return o.Resource == t.Resource && !same(o, t) }
	if slices.ContainsFunc(m.frame.Catalog.Listable(), alike) {
		return t.FullName()
	}
	return t.Resource
}
