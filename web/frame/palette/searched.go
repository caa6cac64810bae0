package palette

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/words"
)

// names says of which types the palette knows the names of objects.
type names struct {
	begun map[string]bool  // by the full name of the type: its names were requested, or are known already
	read  []discovery.Type // types whose names, or the first of them, are known
	here  []string         // types that the user can list only in the current namespace
}

// mostNamed is the most types that a sentence names.
const mostNamed = 15

// runFurther is the action of the offer to search more types. The palette runs it itself.
const runFurther = "palette-further"

// mayBeSearched are the types that have names to search, in the server's order.
func (m Model) mayBeSearched() []discovery.Type {
	return slices.DeleteFunc(m.frame.Catalog.Listable(), unsought)
}

// further are the types whose names were not requested yet.
func (m Model) further() []discovery.Type {
	return slices.DeleteFunc(m.mayBeSearched(), func(t discovery.Type) bool { return m.names.begun[t.FullName()] })
}

// nothing tells that there is a query, and no result.
func (m Model) nothing() bool {
	return len(m.words) > 0 && m.found.total == [kinds]int{}
}

// offer is the offer to search the names of more types, if nothing was found. While responses with names are expected, there is no offer, because they may
// have the result.
func (m Model) offer() []group {
	types := m.further()
	if !m.nothing() || m.narrow == Types || len(types) == 0 || len(m.asked) > 0 || !m.frame.In() {
		return nil
	}
	n := int64(len(types))
	m.index.offered = Entry{
		Kind: Action, Run: runFurther,
		Text:   fmt.Sprintf("Search the names of %s", words.Count(n, "more resource type", "more resource types")),
		Detail: words.Count(n, "request", "requests"),
	}
	return []group{{kind: Action, title: kindTitles[Action], hits: []place{{offerList, 0}}}}
}

// searchFurther requests the names of all further types.
func (m Model) searchFurther() (Model, []page.Cmd) {
	var commands []page.Cmd
	for _, t := range m.further() {
		commands = append(commands, m.fetch(ask{resource: t}))
	}
	return m.look(nil), commands
}

// mostByWord is the most types whose names are requested because a word of the query names the type.
const mostByWord = 4

// fetchNamed requests the names of objects of types that the query names, as in "cronjobs nightly".
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

// searched are sentences that say what was searched, and how to search more.
func (m Model) searched() []string {
	places := []string{"clusters", "pages"}
	if m.guided {
		places = append(places, "lessons", "terms")
	}
	switch {
	case m.narrow == Types:
		return []string{
			fmt.Sprintf("Fieldmark searched the plurals, singulars, short names, kinds and groups of the %d resource types in cluster %s.", len(m.frame.Catalog.Listable()), m.frame.Cluster.Name),
			"Type two words for a type and a namespace.",
		}
	case !m.frame.In():
		return []string{fmt.Sprintf("Fieldmark searched %s.", listed(places)), "Open a cluster to search its resource types and objects."}
	}
	said := []string{fmt.Sprintf("Fieldmark searched resource types, namespaces, %s.", listed(places))}
	if names := m.namesRead(); names != "" {
		said = append(said, names)
	}
	if len(m.asked) > 0 {
		said = append(said, fmt.Sprintf("Fieldmark is still fetching the names of objects of %s.", words.Count(int64(len(m.asked)), "resource type", "resource types")))
	}
	if further := m.further(); len(further) > 0 {
		said = append(said, fmt.Sprintf("To search another type, type its name first, such as “%s %s”.", further[0].Resource, strings.Join(m.words, " ")))
	}
	return append(said, "Fieldmark never searches the names of Secrets and Events.")
}

// namesRead is a sentence that says of which types the names of objects were searched; empty if of none.
func (m Model) namesRead() string {
	n := len(m.names.read)
	if n == 0 {
		return ""
	}
	all, cluster := len(m.frame.Catalog.Listable()), m.frame.Cluster.Name
	if n > mostNamed {
		return fmt.Sprintf("Fieldmark searched the names of objects of %d of the %d resource types in cluster %s.", n, all, cluster)
	}
	var types []string
	for _, t := range m.mayBeSearched() {
		if slices.ContainsFunc(m.names.read, sameAs(t)) {
			types = append(types, m.word(t))
		}
	}
	return fmt.Sprintf("Fieldmark searched the names of objects of %d of the %d resource types in cluster %s: %s.", n, all, cluster, listed(types))
}

// word is the name of a type: its resource, with the group if another type has the same resource.
func (m Model) word(t discovery.Type) string {
	alike := func(o discovery.Type) bool { return o.Resource == t.Resource && !same(o, t) }
	if slices.ContainsFunc(m.frame.Catalog.Listable(), alike) {
		return t.FullName()
	}
	return t.Resource
}
