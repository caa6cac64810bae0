// Package shell is the frame of every page: the bar at the top with the choice of cluster and namespace, the resource types at the
// side, the requests of the page at the bottom.
package shell

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/web"
)

// Cluster names a cluster: by its slug in addresses, by its context's name for people.
type Cluster struct {
	Slug     string `json:"slug"`
	Name     string `json:"name"`
	Practice bool   `json:"practice,omitempty"` // the practice cluster, as one who may do everything
}

// Assets are the addresses of what a page loads.
type Assets struct {
	Stylesheet string   `json:"stylesheet"`
	Icon       string   `json:"icon"`
	Script     string   `json:"script"`  // the loader of the browser's program; empty: there is none
	Early      string   `json:"early"`   // what is run before anything is laid out
	Modules    []string `json:"modules"` // what the loader imports
	Build      string   `json:"build"`   // which build of the pages this is
}

// lives tells whether there is a program for the browser.
func (a Assets) lives() bool { return a.Script != "" && a.Early != "" }

// Model is the shell's state. Cluster and all that hangs on it are empty on pages outside any cluster.
type Model struct {
	Title    string               `json:"title"` // of the document
	Theme    string               `json:"theme"` // "" (as the system), light, dark
	Assets   Assets               `json:"assets"`
	ReadOnly bool                 `json:"readOnly"`
	Origin   string               `json:"origin"` // scheme and host that the reader reached us at
	Here     string               `json:"here"`   // this page's own address; empty: nobody is signed in
	Clusters []Cluster            `json:"clusters"`
	Cluster  Cluster              `json:"cluster"`
	Catalog  discovery.Catalog    `json:"catalog"`
	Path     apipath.Path         `json:"path"`
	Tool     string               `json:"tool,omitempty"` // which tool the page is, if it is one
	Requests []components.Request `json:"requests"`       // what this page asked the API server

	Namespaces     []string `json:"namespaces"`
	MoreNamespaces bool     `json:"moreNamespaces"` // the list is cut
	NamespacesNote string   `json:"namespacesNote"` // why the list is short or empty
}

// program names the program for the browser that the page is run by.
func (m Model) program() string {
	path, _, _ := strings.Cut(m.Here, "?")
	return web.Program(path)
}

// learning tells whether the page is one of the field guide's.
func (m Model) learning() bool { return m.program() == web.LearnProgram }

// besideGuide tells whether the guide opens in a new tab: pages of a cluster may hold a recording, a stream or a draft, which would end
// with them.
func (m Model) besideGuide() bool { return m.In() && !m.learning() }

func (m Model) guideHint() string {
	const hint = "The field guide: lessons about every concept of the Kubernetes API"
	if m.besideGuide() {
		return hint + ". Opens a new tab."
	}
	return hint
}

// OpensNewTab tells whether a link to an address opens a new tab on this page: from a page of a cluster into the guide.
func (m Model) OpensNewTab(address string) bool {
	path, _, _ := strings.Cut(address, "?")
	path, _, _ = strings.Cut(path, "#")
	return m.besideGuide() && web.Program(path) == web.LearnProgram
}

// Server is where programs of the reader's reach the cluster through us.
func (m Model) Server() string { return m.Origin + web.API(m.Cluster.Slug, "") }

// In tells whether the page is inside a cluster.
func (m Model) In() bool { return m.Cluster.Slug != "" }

// made says how many requests the page made.
func (m Model) made() string {
	switch n := len(m.Requests); n {
	case 0:
		return ""
	case 1:
		return "1 request of this page"
	default:
		return "all " + strconv.Itoa(n) + " requests of this page"
	}
}

// sided tells whether there are resource types to show at the side.
func (m Model) sided() bool { return m.In() && len(m.Catalog.Groups) > 0 }

// ClusterMenu is the choice of cluster.
func (m Model) ClusterMenu() components.Menu {
	menu := components.Menu{Label: "cluster", Current: m.Cluster.Name}
	if !m.In() {
		menu.Current = "choose…"
	}
	for _, c := range m.Clusters {
		menu.Links = append(menu.Links, components.Link{
			Text: c.Name, Href: web.Cluster(c.Slug), Current: c == m.Cluster,
		})
	}
	menu.Links = append(menu.Links, components.Link{Text: "All clusters…", Href: web.Home})
	return menu
}

// NamespaceMenu is the choice of namespace: the same collection elsewhere. Pages of cluster-scoped
// types offer each namespace's own page instead.
func (m Model) NamespaceMenu() components.Menu {
	menu := components.Menu{Label: "namespace", Current: m.Path.Namespace, Note: m.NamespacesNote}
	if menu.Current == "" {
		menu.Current = "all"
	}
	menu.Links = append(menu.Links, components.Link{
		Text: "All namespaces", Href: m.inNamespace(""), Current: m.Path.Namespace == "",
	})
	for _, n := range m.Namespaces {
		menu.Links = append(menu.Links, components.Link{
			Text: n, Href: m.inNamespace(n), Current: n == m.Path.Namespace,
		})
	}
	if m.MoreNamespaces {
		menu.Links = append(menu.Links, components.Link{
			Text: "More…", Href: m.page(apipath.Collection("", "v1", "", "namespaces")),
		})
	}
	return menu
}

// inNamespace leads to this page's collection in another namespace; a cluster-scoped page leads to
// the pods there.
func (m Model) inNamespace(namespace string) string {
	collection := apipath.CollectionOf(m.Path)
	t, known := m.Catalog.Type(collection.Group, collection.Version, collection.Resource)
	if !known || !t.Namespaced {
		collection = apipath.Collection("", "v1", "", "pods")
	}
	return m.page(collection.In(namespace))
}

// FindAction is where the jump to a type is sent.
func (m Model) FindAction() string { return web.Tool(m.Cluster.Slug, web.Find) }

// TypeNames are the words the jump offers, in the server's order.
func (m Model) TypeNames() []string {
	var names []string
	for _, t := range m.Catalog.Listable() {
		names = append(names, t.FullName())
	}
	return names
}

// Section is a group of links at the side.
type Section struct {
	Title string
	Hint  string
	Links []components.Link
}

// tools are the pages of a cluster that show no part of its API: those to work with, and those to try the API out.
func (m Model) tools() []Section {
	var sections []Section
	for _, menu := range []web.Menu{web.Work, web.Laboratories} {
		in := Section{Title: string(menu)}
		for _, t := range web.Listed(menu) {
			in.Links = append(in.Links, components.Link{Text: t.Title, Hint: t.Hint, Href: web.Tool(m.Cluster.Slug, t.Name), Current: m.Tool == t.Name})
		}
		sections = append(sections, in)
	}
	return sections
}

// Sections are the favourites, then every listable type by group, groups of the server's own first
// as it lists them.
func (m Model) Sections() []Section {
	sections := []Section{{Title: "Favourites", Links: m.favourites()}}
	index := map[string]int{}
	for _, t := range m.Catalog.Listable() {
		i, seen := index[t.Group]
		if !seen {
			i = len(sections)
			index[t.Group] = i
			sections = append(sections, Section{Title: groupTitle(t.Group), Hint: components.Visible(t.GroupVersion())})
		}
		link := m.typeLink(t)
		link.Current = link.Current && !IsFavourite(t) // it is marked once, above
		sections[i].Links = append(sections[i].Links, link)
	}
	for i := range sections[1:] {
		slices.SortStableFunc(sections[i+1].Links, func(a, b components.Link) int { return strings.Compare(a.Text, b.Text) })
	}
	if len(sections[0].Links) == 0 {
		return sections[1:]
	}
	return sections
}

func (m Model) favourites() []components.Link {
	var links []components.Link
	for _, t := range Favourites(m.Catalog) {
		links = append(links, m.typeLink(t))
	}
	return links
}

func groupTitle(group string) string {
	if group == "" {
		return "core"
	}
	return group
}

// typeLink leads to a type's collection, in the namespace the reader is in.
func (m Model) typeLink(t discovery.Type) components.Link {
	namespace := ""
	if t.Namespaced {
		namespace = m.Path.Namespace
	}
	p := m.Path
	return components.Link{
		Text:    Plural(t),
		Hint:    t.FullName() + " in " + t.GroupVersion(),
		Href:    m.page(apipath.Collection(t.Group, t.Version, namespace, t.Resource)),
		Current: p.IsResource() && p.Resource == t.Resource && p.Group == t.Group,
	}
}

func (m Model) page(p apipath.Path) string { return web.Page(m.Cluster.Slug, p.String()) }

// Plural words a type for headings and menus: its kind's own capitals on its plural ("ConfigMaps",
// "EndpointSlices"), or the kind with the resource beside it where the two do not match.
func Plural(t discovery.Type) string {
	kind, resource := strings.ToLower(t.Kind), t.Resource
	common := 0
	for common < len(kind) && common < len(resource) && kind[common] == resource[common] {
		common++
	}
	if common < len(kind)-1 || common == 0 || len(kind) != len(t.Kind) { // unequal lengths: an index into one is none into the other
		return t.Kind + " (" + t.Resource + ")"
	}
	return t.Kind[:common] + resource[common:]
}

// ThemeChoice is the theme that the switch leads to, and its words.
func (m Model) ThemeChoice() (value, words string) {
	switch m.Theme {
	case "light":
		return "dark", "dark"
	case "dark":
		return "auto", "the system’s setting"
	default:
		return "light", "light"
	}
}

// Anatomy is the page's API path, part by part.
func (m Model) Anatomy() []components.Segment {
	return anatomy(m.Path, m.page)
}

// Up is the address of what the page belongs to: an object's collection, a collection's cluster.
func (m Model) Up() string {
	switch {
	case !m.In():
		return web.Home
	case m.Path.Kind == apipath.KindSubresource:
		return m.page(apipath.ObjectOf(m.Path))
	case m.Path.Kind == apipath.KindObject:
		return m.page(apipath.CollectionOf(m.Path))
	case m.Tool != "":
		return web.Cluster(m.Cluster.Slug)
	case m.Path.Kind == apipath.KindRoot:
		return web.Home
	default:
		return web.Cluster(m.Cluster.Slug)
	}
}
