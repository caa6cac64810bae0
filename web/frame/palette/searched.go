package palette

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/words"
)

// mostNamed is the most types that a sentence names.
const mostNamed = 15

// runFurther is the action of the offer to search more types. The palette runs it itself.
const runFurther = "palette-further"

// mayBeSearched are the types that have names to search, in the server's order.
func (m Model) mayBeSearched() []discovery.Type {
	return slices.DeleteFunc(m.frame.Catalog.Listable(), unsought)
}

// nothing tells that there is a query, and no result.
func (m Model) nothing() bool {
	return len(m.words) > 0 && m.found.total == [kinds]int{}
}

// offer is the offer to look further, at the end of the options. It keeps its place while requests are on their way.
func (m Model) offer() []group {
	if !m.hunts() || !m.leads() {
		return nil
	}
	e := Entry{Kind: Action, Run: runFurther, Text: "Look further", Beside: m.ahead()}
	if m.looking() {
		e.Text = "Looking further…"
	}
	m.index.offers[offerFurther] = e
	return []group{{kind: besides, title: m.lookedAt(), hits: []place{{offerList, offerFurther}}}}
}

// ahead says what is left to look at.
func (m Model) ahead() string {
	types, rest := 0, 0
	for _, a := range m.hunt.queue {
		if a.chunks == 0 {
			types++
		} else {
			rest++
		}
	}
	var parts []string
	if types > 0 {
		parts = append(parts, words.Count(int64(types), "more resource type", "more resource types"))
	}
	if rest > 0 {
		parts = append(parts, "the rest of "+words.Count(int64(rest), "long list", "long lists"))
	}
	return listed(parts)
}

// lookedAt says how far the search for objects has got.
func (m Model) lookedAt() string {
	return fmt.Sprintf("Looked at %s of %d of %s", words.Count(int64(len(m.index.names)), "object", "objects"), len(m.hunt.read),
		words.Count(int64(len(m.frame.Catalog.Listable())), "type", "types"))
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
	case m.narrow == Clusters:
		return []string{fmt.Sprintf("Fieldmark searched the names of %s.", words.Count(int64(len(m.frame.Clusters)+m.frame.Unlisted), "context", "contexts"))}
	case !m.frame.In():
		return []string{fmt.Sprintf("Fieldmark searched %s.", listed(places)), "Open a cluster to search its resource types and objects."}
	}
	said := []string{fmt.Sprintf("Fieldmark searched resource types, namespaces, %s.", listed(places))}
	if !m.hunts() {
		return append(said, "To search objects, type at least two letters.")
	}
	if looked := m.typesRead(); looked != "" {
		said = append(said, looked)
	}
	if m.looking() || !m.hunt.paused && m.leads() {
		said = append(said, "Fieldmark is still looking at other types.")
	}
	if i := slices.IndexFunc(m.hunt.queue, func(a ask) bool { return a.chunks == 0 }); i >= 0 {
		said = append(said, fmt.Sprintf("To search another type first, type its name too, such as “%s %s”.", m.hunt.queue[i].resource.Resource, strings.Join(m.words, " ")))
	}
	return append(said, fmt.Sprintf("Fieldmark searches the names of Secrets only if you type “secrets %s”, and never those of Events.", strings.Join(m.words, " ")))
}

// typesRead is a sentence that says of which types the names of objects were searched; empty if of none.
func (m Model) typesRead() string {
	n := len(m.hunt.read)
	if n == 0 {
		return ""
	}
	all, cluster := len(m.frame.Catalog.Listable()), m.frame.Cluster.Name
	if n > mostNamed {
		return fmt.Sprintf("Fieldmark looked at %s of %d of the %d resource types in cluster %s.", words.Count(int64(len(m.index.names)), "object", "objects"), n, all, cluster)
	}
	var types []string
	for _, t := range m.mayBeSearched() {
		if slices.ContainsFunc(m.hunt.read, sameAs(t)) {
			types = append(types, m.word(t))
		}
	}
	return fmt.Sprintf("Fieldmark looked at %s of %d of the %d resource types in cluster %s: %s.",
		words.Count(int64(len(m.index.names)), "object", "objects"), n, all, cluster, listed(types))
}

// word is the name of a type: its resource, with the group if another type has the same resource.
func (m Model) word(t discovery.Type) string {
	alike := func(o discovery.Type) bool { return o.Resource == t.Resource && !same(o, t) }
	if slices.ContainsFunc(m.frame.Catalog.Listable(), alike) {
		return t.FullName()
	}
	return t.Resource
}
