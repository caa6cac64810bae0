// Package overview is the page of a cluster: which workloads, custom resources, nodes and namespaces aren't as they should be and why, warnings, recent
// writes with their managers, and signs of fights. The discovery paths of the API (/api, /apis, /apis/apps/v1) are pages of this package, too. They show
// the types that the path lists, with the number of objects.
package overview

import (
	"slices"
	"strings"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/health"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/words"
)

// Count is the number of objects of a type, or the reason why it is unknown.
type Count struct {
	Known   bool   `json:"known"`
	N       int64  `json:"n"`
	AtLeast bool   `json:"atLeast,omitempty"` // there are more, but the server doesn't say how many
	Why     string `json:"why,omitempty"`
}

// CountKey is the key of a type in Counts.
func CountKey(group, resource string) string { return resource + "." + group }

// Kind names the page in the embedded model.
const Kind = "overview"

// QueryNamespace is the part of the page's query that narrows it to a namespace.
const QueryNamespace = "namespace"

// Model is the page's state. Shell.Path limits what it shows; the root shows everything.
type Model struct {
	page.Frame
	Server  string           `json:"server"`
	Version string           `json:"version"`
	User    string           `json:"user"`
	State   string           `json:"state"` // a sentence
	Tone    components.Tone  `json:"tone"`
	Counts  map[string]Count `json:"counts,omitempty"` // nil on the cluster's own page
	Fight   *Fight           `json:"fight,omitempty"`  // nil: the cluster isn't a practice cluster, or this user can't start a fight
	Health  *health.Report   `json:"health,omitempty"` // nil on the pages of discovery's paths
	// Namespace is the namespace of Health; empty: all.
	Namespace string  `json:"namespace,omitempty"`
	Scan      *Scan   `json:"scan,omitempty"`   // nil: the session has not scanned the cluster
	Census    *Census `json:"census,omitempty"` // nil: the session has not counted its managers

	live live // zero on the server
}

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Head implements page.Headed.
func (m Model) Head() page.Head {
	h := page.Head{Title: page.Text(m.heading())}
	if m.Namespace != "" {
		h.Small = inNamespace(m)
	}
	if m.whole() {
		h.Below = components.Facts(m.facts())
	} else {
		h.Where = m.Shell.Anatomy()
	}
	return h
}

// whole tells whether this is the cluster's own page.
func (m Model) whole() bool { return m.Shell.Path.Kind == apipath.KindRoot }

// narrowed tells whether this is the page of one version of a group. The version is then its heading.
func (m Model) narrowed() bool {
	return m.Shell.Path.Kind == apipath.KindDiscovery && m.Shell.Path.Version != ""
}

func (m Model) heading() string {
	p := m.Shell.Path
	switch {
	case m.whole():
		return m.Shell.Cluster.Name
	case p.Kind == apipath.KindGroupList:
		return "API groups"
	case p.Group == "" && p.Version == "":
		return "Core API group"
	case p.Group == "":
		return "Core API group, " + p.Version
	case p.Version == "":
		return p.Group
	default:
		return p.Group + "/" + p.Version
	}
}

func (m Model) facts() []components.Fact {
	facts := []components.Fact{
		{Name: "state", Text: m.State, Tone: m.unlessIll(m.Tone)},
		{Name: "version", Text: m.Version, Mono: true},
		{Name: "server", Text: m.Server, Mono: true},
		{Name: "user", Text: m.User},
	}
	return slices.DeleteFunc(facts, func(f components.Fact) bool { return f.Text == "" })
}

// groupView is one version of a group on the page.
type groupView struct {
	Title string
	Href  string
	Other []components.Link // the group's other versions
	Types []discovery.Type
	Stale string // says why its types are unknown
}

// groups are the groups on the page, each in the version of the path, or in its preferred one.
func (m Model) groups() []groupView {
	var views []groupView
	for _, g := range m.Shell.Catalog.Groups {
		if !m.inScope(g.Name) {
			continue
		}
		version := m.Shell.Path.Version
		if version == "" {
			version = g.Preferred
		}
		views = append(views, m.groupView(g, version))
	}
	return views
}

func (m Model) inScope(group string) bool {
	p := m.Shell.Path
	switch p.Kind {
	case apipath.KindRoot:
		return true
	case apipath.KindGroupList:
		return group != ""
	default:
		return group == p.Group
	}
}

func (m Model) groupView(g discovery.Group, version string) groupView {
	view := groupView{Title: title(g.Name, version), Href: m.page(apipath.DiscoveryOf(g.Name, version))}
	if v, ok := g.Version(version); ok {
		view.Types = slices.Clone(v.Types)
		slices.SortStableFunc(view.Types, func(a, b discovery.Type) int { return strings.Compare(a.Resource, b.Resource) })
	}
	for _, f := range m.Shell.Catalog.Failures {
		if f.Group == g.Name && f.Version == version {
			view.Stale = f.Why
		}
	}
	for _, v := range g.Versions {
		if v.Name != version {
			view.Other = append(view.Other, components.Link{Text: v.Name, Href: m.page(apipath.DiscoveryOf(g.Name, v.Name))})
		}
	}
	return view
}

func title(group, version string) string {
	if group == "" {
		return "core, " + version
	}
	return discovery.GroupVersion(group, version)
}

func (m Model) page(p apipath.Path) string { return web.Page(m.Shell.Cluster.Slug, p.String()) }

func (m Model) typeHref(t discovery.Type) string {
	if !t.Listable() {
		return ""
	}
	return m.page(apipath.Collection(t.Group, t.Version, "", t.Resource))
}

func (m Model) countText(t discovery.Type) (text, hint string) {
	c, asked := m.Counts[CountKey(t.Group, t.Resource)]
	if !t.Listable() {
		return "", "This type has no collection to count."
	}
	return c.Words(asked)
}

// Words are the number, and a hint if the number isn't the whole truth. A count that nobody made took too long.
func (c Count) Words(made bool) (text, hint string) {
	switch {
	case !made:
		return "…", "The count took too long. Reload the page to see it."
	case !c.Known:
		return "–", c.Why
	case c.AtLeast:
		return words.Thousands(c.N) + "+", "There are more. The server doesn’t say how many."
	default:
		return words.Thousands(c.N), ""
	}
}

// usualVerbs are the verbs of most types.
var usualVerbs = []string{"get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"}

// verbs lists a type's verbs. The usual set has a short text, so that other sets are easy to see.
func verbs(t discovery.Type) (text, all string) {
	all = strings.Join(t.Verbs, " ")
	var missing []string
	for _, v := range usualVerbs {
		if !t.Can(v) {
			missing = append(missing, v)
		}
	}
	switch {
	case len(t.Verbs) == len(usualVerbs) && len(missing) == 0:
		return "all eight", all
	case len(t.Verbs) == len(usualVerbs)-1 && len(missing) == 1:
		return "all but " + missing[0], all
	default:
		return all, all
	}
}
