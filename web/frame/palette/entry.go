package palette

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// Kind is the kind of an entry. Hits of the same score are in this order.
type Kind int

// The kinds of entry.
const (
	Type Kind = iota
	Namespace
	Object
	Cluster
	View
	Page
	Lesson
	Task
	Term
	Action
	kinds int = iota
)

var kindTitles = [kinds]string{"Resource types", "Namespaces", "Objects", "Clusters", "Views", "Pages", "Lessons", "Tasks", "Glossary", "Actions"}

// apiGroup is the label of the page of a group version.
const apiGroup = "API group"

// Entry is a result that the reader can choose. It opens an address, or the caller runs an action.
type Entry struct {
	Kind   Kind
	Text   string
	Beside string // shown in soft color beside the text: short names, a namespace
	Detail string // shown at the end of the line: a group version, a kind
	Href   string // the address that it opens
	Run    string // the caller's name of the action to run, if Href is empty
	Unable string // why the entry can't be chosen here; empty: it can
	// Refusal is the text of a refusal, for the page that explains it. A form of the current page sends it there, because the text may have secrets, and so
	// must not be in an address.
	Refusal string

	aim       *command     // for an object that the reader chooses next
	object    apipath.Path // of an Object
	also      []string     // other names
	belongs   []string     // names of what contains it
	favourite bool
	resource  discovery.Type // of a Type
	namespace string         // of a Namespace; empty: all of them
	paired    bool           // a Type in a namespace
}

// fixed are the entries that need no request.
func fixed(frame shell.Model) []Entry {
	return slices.Concat(typeEntries(frame), namespaceEntries(frame), clusterEntries(frame), pageEntries(frame))
}

func typeEntries(frame shell.Model) []Entry {
	var entries []Entry
	for _, t := range frame.Favourites() {
		e := typeEntry(frame, t)
		e.favourite = true
		entries = append(entries, e)
	}
	for _, t := range frame.Catalog.Listable() {
		if !frame.IsFavourite(t) {
			entries = append(entries, typeEntry(frame, t))
		}
	}
	return entries
}

func typeEntry(frame shell.Model, t discovery.Type) Entry {
	namespace := ""
	if t.Namespaced {
		namespace = frame.Path.Namespace
	}
	return Entry{
		Kind: Type, Text: shell.Plural(t), Beside: strings.Join(t.ShortNames, " "), Detail: t.GroupVersion(),
		Href:    web.Page(frame.Cluster.Slug, apipath.Collection(t.Group, t.Version, namespace, t.Resource).String()),
		also:    append([]string{t.Resource, t.Singular, t.Kind}, t.ShortNames...),
		belongs: []string{t.Group}, resource: t,
	}
}

// namespaceEntries open this page's collection in other namespaces.
func namespaceEntries(frame shell.Model) []Entry {
	if !frame.In() {
		return nil
	}
	there := "Pods" // the type that a namespace's entry opens; see shell.Model.NamespaceMenu
	if t, ok := frame.Catalog.Type(frame.Path.Group, frame.Path.Version, frame.Path.Resource); ok && t.Namespaced {
		there = shell.Plural(t)
	}
	var entries []Entry
	frame.MoreNamespaces = false
	for _, l := range frame.NamespaceMenu().Links {
		entries = append(entries, Entry{Kind: Namespace, Text: l.Text, Detail: there, Href: l.Href, namespace: l.Text})
	}
	entries[0].namespace = "" // the entry opens all namespaces
	return entries
}

func clusterEntries(frame shell.Model) []Entry {
	var entries []Entry
	for _, c := range frame.Clusters {
		entries = append(entries, clusterEntry(c))
	}
	return entries
}

func clusterEntry(c shell.Cluster) Entry {
	return Entry{Kind: Cluster, Text: c.Name, Href: web.Cluster(c.Slug)}
}

func pageEntries(frame shell.Model) []Entry {
	choose, guide, glossary := known("clusters"), known("guide"), known("glossary")
	guide.also = []string{"learn"}
	if !frame.In() {
		return []Entry{choose, guide, glossary}
	}
	page := func(p apipath.Path) string { return web.Page(frame.Cluster.Slug, p.String()) }
	entries := []Entry{
		{Kind: Page, Text: web.OfKind("overview").Title, Beside: frame.Cluster.Name, Href: web.Cluster(frame.Cluster.Slug)},
		{Kind: Page, Text: "API groups", Href: page(apipath.Path{Kind: apipath.KindGroupList})},
		choose,
		guide,
		glossary,
	}
	for _, t := range web.Listed(web.NoMenu) {
		entries = append(entries, Entry{Kind: Page, Text: t.Title, Beside: t.Brief, Href: web.Tool(frame.Cluster.Slug, t.Tool())})
	}
	for _, g := range frame.Catalog.Groups {
		entries = append(entries, Entry{
			Kind: Page, Text: discovery.GroupVersion(g.Name, g.Preferred), Detail: apiGroup,
			Href: page(apipath.DiscoveryOf(g.Name, g.Preferred)),
		})
	}
	return entries
}

// known is the entry for a page outside of any cluster, by its kind.
func known(kind string) Entry {
	p := web.OfKind(kind)
	return Entry{Kind: Page, Text: p.Title, Beside: p.Brief, Href: p.Address}
}

// Link makes an entry of a link on the current page, such as a tab.
func Link(l components.Link) Entry {
	return Entry{Kind: Page, Text: l.Text, Beside: l.Hint, Href: l.Href}
}

// pair is an entry for a type in a namespace, if the query names both.
func pair(slug string, of, in Entry) Entry {
	t := of.resource
	return Entry{
		Kind: Type, Text: of.Text, Beside: "in " + strings.Replace(in.Text, "All ", "all ", 1), Detail: of.Detail, resource: t, paired: true,
		Href: web.Page(slug, apipath.Collection(t.Group, t.Version, in.namespace, t.Resource).String()),
	}
}
