// Package shell is the frame of every page: the bar at the top with the menus of clusters and namespaces, the resource types at the side, and
// the requests of the page at the bottom.
package shell

import (
	"slices"
	"strings"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/feature"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/words"
)

// Cluster names a cluster: by its slug in addresses, by its context's name for people.
type Cluster struct {
	Slug     string `json:"slug"`
	Name     string `json:"name"`
	Practice bool   `json:"practice,omitempty"` // the practice cluster, as an administrator
}

// Assets are the addresses of what a page loads.
type Assets struct {
	Stylesheet string   `json:"stylesheet"`
	Fonts      []string `json:"-"` // what the stylesheet will ask for
	Icon       string   `json:"icon"`
	Script     string   `json:"script"` // connects the browser's program with a document; empty: there is no program
	Early      string   `json:"-"`      // the text of the script in documents, which runs before the first layout
	Build      string   `json:"build"`  // identifies the build of the pages
}

// lives tells whether the page has a program for the browser.
func (a Assets) lives() bool { return a.Script != "" }

// Model is the shell's state. On pages outside of a cluster, Cluster and everything about it are empty.
type Model struct {
	Title    string               `json:"title"` // of the document
	Theme    string               `json:"theme"` // "" (as the system), light, dark
	Assets   Assets               `json:"assets"`
	ReadOnly bool                 `json:"readOnly"`
	Why      string               `json:"why,omitempty"`      // why the session only reads, in whole sentences; empty: the flag --read-only
	Origin   string               `json:"origin"`             // scheme and host by which the reader reached Fieldmark
	Here     string               `json:"here"`               // the address of this page; empty: nobody is signed in
	Clusters []Cluster            `json:"clusters"`           // at most MostClusters: the current one and the last used are among them
	Unlisted int                  `json:"unlisted,omitempty"` // how many more clusters the reader has
	Cluster  Cluster              `json:"cluster"`
	Catalog  discovery.Catalog    `json:"catalog"`
	Path     apipath.Path         `json:"path"`
	Tool     string               `json:"tool,omitempty"` // the name of the tool, if the page is a tool
	Requests []components.Request `json:"requests"`       // the API requests of this page
	User     string               `json:"user,omitempty"` // the name by which the cluster knows the reader; empty: it isn't known yet
	View     Viewed               `json:"view,omitzero"`
	Reader   string               `json:"reader,omitempty"`   // differs between the people who may use one browser; empty in local mode
	Progress string               `json:"progress,omitempty"` // the revision of the progress that the server keeps; empty: only the browser keeps it
	Refresh  string               `json:"-"`                  // the address that the document opens by itself at once; empty: none
	Card     templ.Component      `json:"-"`                  // stands beside the page, and isn't the page's program's; nil: nothing does

	Preferences Preferences `json:"preferences"`

	Namespaces     []string `json:"namespaces"`
	MoreNamespaces bool     `json:"moreNamespaces"` // the list is not complete
	NamespacesNote string   `json:"namespacesNote"` // says why the list is short or empty

	// Apart tells that the page is a file that was made beforehand. Nothing can be sent from it, and it has links to other such files only.
	Apart bool `json:"-"`

	// Troubles say what is wrong with the kubeconfig that has the cluster.
	Troubles []components.Notice `json:"troubles,omitempty"`

	// Stray says that the address names a tab that the page doesn't have.
	Stray *components.Notice `json:"stray,omitempty"`

	// Lacks are the features that the page does without, because the server doesn't offer them.
	Lacks []feature.Feature `json:"lacks,omitempty"`

	// Coming says that the content of the document comes in parts, while it is read.
	Coming bool `json:"-"`

	// Fights are what the session's scan and its watched objects found lately in this cluster.
	Fights []report.Known `json:"fights,omitempty"`
	// Watching is what the server watches for the session in this cluster.
	Watching Watching `json:"watching,omitzero"`
}

// program is the name of the browser's program that runs the page.
func (m Model) program() string { return web.Program(m.Here) }

// learning tells whether the page is one of the field guide's.
func (m Model) learning() bool { return m.program() == web.LearnProgram }

// besideGuide tells whether the guide opens in a new tab. Pages of a cluster may have a recording, a stream or a draft, which would be lost if the guide
// opened in their place.
func (m Model) besideGuide() bool { return m.In() && !m.learning() }

func (m Model) guideHint() string {
	if m.besideGuide() {
		return "The field guide: lessons about every concept of the Kubernetes API (new tab)"
	}
	return "The field guide: lessons about every concept of the Kubernetes API"
}

// OpensNewTab tells whether a link on this page opens a new tab. It does from a page of a cluster to the guide.
func (m Model) OpensNewTab(address string) bool {
	return m.besideGuide() && web.Program(address) == web.LearnProgram
}

// Server is the address by which other programs, such as kubectl, reach the cluster through Fieldmark.
func (m Model) Server() string { return m.Origin + web.API(m.Cluster.Slug, "") }

// In tells whether the page is inside a cluster.
func (m Model) In() bool { return m.Cluster.Slug != "" }

// made says how many requests the page made.
func (m Model) made() string {
	if len(m.Requests) == 0 {
		return ""
	}
	return words.Count(int64(len(m.Requests)), "request of this page", "requests of this page")
}

// sided tells whether the page has a list of resource types at the side.
func (m Model) sided() bool { return m.In() && len(m.Catalog.Groups) > 0 }

// MostClusters is how many clusters a document lists. If the reader has more, menus search for the others, so that no page grows with the kubeconfig.
const MostClusters = 20

// DoContexts is the action that opens the search for another cluster.
const DoContexts = "contexts"

// Unlisting says that a menu lists only some of the clusters; empty: it lists all of them.
func (m Model) Unlisting() string {
	if m.Unlisted == 0 {
		return ""
	}
	listed := len(m.Clusters)
	return "This menu lists " + words.Thousands(int64(listed)) + " of " + words.Thousands(int64(listed+m.Unlisted)) + " contexts. Open another context, and the menu lists it, too."
}

// ClusterMenu is the menu of clusters. If the reader has more than it lists, it has a search for the others.
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
	if m.Unlisted > 0 {
		all := "Find one of " + words.Thousands(int64(len(m.Clusters)+m.Unlisted)) + " contexts…"
		menu.Find = &components.Finding{Action: web.Home, Field: web.ContextQuery, Do: DoContexts, Words: all}
	}
	return menu
}

// NamespaceMenu is the menu of namespaces. It opens the same collection in another namespace. On pages of cluster-scoped types, it opens the pods of the
// namespace.
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

// inNamespace is the address of this page's collection in another namespace. On a cluster-scoped page, it is the address of the pods there.
func (m Model) inNamespace(namespace string) string {
	collection := apipath.CollectionOf(m.Path)
	t, known := m.Catalog.Type(collection.Group, collection.Version, collection.Resource)
	if !known || !t.Namespaced {
		collection = apipath.Collection("", "v1", "", "pods")
	}
	return m.page(collection.In(namespace))
}

// FindAction is the address of the form that jumps to a type.
func (m Model) FindAction() string { return web.Tool(m.Cluster.Slug, web.Find) }

// TypeNames are the names that the form offers, in the server's order.
func (m Model) TypeNames() []string {
	var names []string
	for _, t := range m.Catalog.Listable() {
		names = append(names, t.FullName())
	}
	return names
}

// Section is a group of links at the side, which folds.
type Section struct {
	ID    string // names the group in the reader's preferences
	Title string
	Hint  string
	Links []components.Link
	Types []discovery.Type // of the links, if each is a type
	Usual bool             // the group is open if the reader didn't choose otherwise
	Open  bool
}

// The ids of the sections that aren't API groups. API groups of these names don't exist.
const (
	favouritesID = "favorites"
	coreID       = "core"
)

// unfolded are the API groups that are usually open, besides groups that were added to the cluster, if these are few.
var unfolded = []string{"", "apps", "batch"}

// fewAdded is how many added groups are usually open.
const fewAdded = 4

// Added tells whether an API group is none of those that every Kubernetes has.
func Added(group string) bool {
	return strings.Contains(group, ".") && !strings.HasSuffix(group, ".k8s.io")
}

// opened is a section, opened or closed. A section with the current page is open.
func (m Model) opened(s Section) Section {
	open, chosen := m.Preferences.Folds[s.ID]
	s.Open = chosen && open || !chosen && s.Usual || slices.ContainsFunc(s.Links, func(l components.Link) bool { return l.Current })
	return s
}

// later tells whether a group is read after the first screen. Only documents have the script that reads it.
func (m Model) later(s Section) bool { return !s.Open && m.Assets.lives() && m.Assets.Early != "" }

// tools are links to the tools of a cluster: those for work, and those to try out the API.
func (m Model) tools() []Section {
	var sections []Section
	for _, menu := range []web.Menu{web.Work, web.Laboratories} {
		in := Section{ID: strings.ToLower(string(menu)), Title: string(menu), Usual: true}
		for _, t := range web.Listed(menu) {
			in.Links = append(in.Links, components.Link{Text: t.Title, Hint: t.Hint, Href: web.Tool(m.Cluster.Slug, t.Tool()), Current: m.Tool == t.Tool()})
		}
		sections = append(sections, m.opened(in))
	}
	return sections
}

// Sections are the favourites, and then every listable type by group, in the server's order of groups.
func (m Model) Sections() []Section {
	favourites := Section{ID: favouritesID, Title: "Favorites", Usual: true, Types: m.Favourites()}
	for _, t := range favourites.Types {
		favourites.Links = append(favourites.Links, m.typeLink(t))
	}
	groups := m.groups()
	for i := range groups {
		groups[i] = m.filled(groups[i])
	}
	if len(favourites.Links) == 0 && !m.Preferences.Chosen {
		return groups
	}
	return slices.Insert(groups, 0, m.opened(favourites))
}

// groups are the listable types by group, in the server's order of groups. If many groups were added, those of one domain are one section: a
// provider of Crossplane alone adds dozens of them.
func (m Model) groups() []Section {
	var groups []Section
	added, families := 0, map[string][]string{}
	for _, g := range m.Catalog.Groups {
		if Added(g.Name) {
			added++
			families[family(g.Name)] = append(families[family(g.Name)], g.Name)
		}
	}
	index := map[string]int{}
	for _, t := range m.Catalog.Listable() {
		section := Section{Title: groupTitle(t.Group), Hint: components.Visible(t.GroupVersion()), Usual: slices.Contains(unfolded, t.Group) || Added(t.Group) && added <= fewAdded}
		if all := families[family(t.Group)]; added > fewAdded && len(all) > 1 {
			section.Title, section.Hint = family(t.Group), words.Count(int64(len(all)), "API group", "API groups")+": "+components.Visible(strings.Join(all, ", "))
		}
		section.ID = section.Title
		i, seen := index[section.ID]
		if !seen {
			i = len(groups)
			index[section.ID] = i
			groups = append(groups, section)
		}
		groups[i].Types = append(groups[i].Types, t)
	}
	return groups
}

// family is the domain of an API group: its last two names.
func family(group string) string {
	names := strings.Split(group, ".")
	return strings.Join(names[max(0, len(names)-2):], ".")
}

// filled is a group with the links to its types, by name. Types of the same name in different groups are told apart by their groups.
func (m Model) filled(s Section) Section {
	slices.SortStableFunc(s.Types, func(a, b discovery.Type) int { return strings.Compare(Plural(a), Plural(b)) })
	for i, t := range s.Types {
		link := m.typeLink(t)
		link.Current = link.Current && !m.IsFavourite(t) // a favourite is marked only once, in the section above
		alike := func(at int) bool { return at >= 0 && at < len(s.Types) && Plural(s.Types[at]) == Plural(t) }
		if alike(i-1) || alike(i+1) {
			link.Text += " in " + strings.TrimSuffix(t.Group, "."+family(t.Group))
		}
		s.Links = append(s.Links, link)
	}
	return m.opened(s)
}

func groupTitle(group string) string {
	if group == "" {
		return coreID
	}
	return group
}

// typeLink is the link to a type's collection, in the current namespace.
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

// Plural is a type's name for headings and menus: its plural with the capital letters of its kind ("ConfigMaps", "EndpointSlices"). If the two don't
// match, it is the kind, with the resource in brackets.
func Plural(t discovery.Type) string {
	kind, resource := strings.ToLower(t.Kind), t.Resource
	common := 0
	for common < len(kind) && common < len(resource) && kind[common] == resource[common] {
		common++
	}
	if common < len(kind)-1 || common == 0 || len(kind) != len(t.Kind) { // if lowercasing changes the length, an index can't be used for both texts
		return t.Kind + " (" + t.Resource + ")"
	}
	return t.Kind[:common] + resource[common:]
}

// ThemeChoice is the theme that the button selects, and the label of the button.
func (m Model) ThemeChoice() (value, label string) {
	switch m.Theme {
	case "light":
		return "dark", "Change colors to dark"
	case "dark":
		return "auto", "Change colors to the system’s setting"
	default:
		return "light", "Change colors to light"
	}
}

// Anatomy is the parts of the page's API path, with explanations.
func (m Model) Anatomy() []components.Segment {
	return anatomy(m.Path, m.page)
}

// Up is the address of the parent page: an object's collection, or a collection's cluster.
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

// OwnKey is the key of the browser's storage for something that belongs to a reader. In local mode there is one reader, whose key is empty.
func OwnKey(reader, key string) string {
	if reader == "" {
		return key
	}
	return reader + "." + key
}
