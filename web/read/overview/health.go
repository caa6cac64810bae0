package overview

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/kube/health"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/words"
)

// sections are the parts of a cluster's health, each with the types without which it is empty for no good reason.
var (
	ofWorkloads  = []string{"deployments.apps", "statefulsets.apps", "daemonsets.apps", "jobs.batch", "pods"}
	ofNamespaces = []string{"namespaces"}
	ofWarnings   = []string{"events"}
	ofNodes      = []string{"nodes"}
)

// ill tells whether anything on the page is wrong. Then nothing on it is green: a green word beside it would be read first.
func (m Model) ill() bool {
	r := m.Health
	return m.Tone == components.Warn || m.Tone == components.Bad || r != nil && (len(r.Workloads) > 0 || len(r.Custom.Odd) > 0 ||
		len(r.Namespaces.Leaving) > 0 || r.Nodes.Ready < r.Nodes.Count || r.Warned > 0 || len(r.Contested) > 0 || len(m.known()) > 0) ||
		m.Fight != nil && m.Fight.stage() == rages
}

// unlessIll is a tone, which isn't green if anything is wrong, or nothing is known yet.
func (m Model) unlessIll(t components.Tone) components.Tone {
	if t == components.Good && (m.ill() || m.Rest != nil) {
		return components.Calm
	}
	return t
}

// fine is the tone of what is as it should be, if all objects of these types were read.
func (m Model) fine(types []string) components.Tone {
	if len(m.missing(types)) > 0 {
		return components.Calm
	}
	return m.unlessIll(components.Good)
}

// blind tells that none of the types was read.
func (m Model) blind(types []string) bool {
	for _, t := range types {
		if m.hasReadType(t) {
			return false
		}
	}
	return true
}

func (m Model) hasReadType(resource string) bool {
	return slices.Contains(m.Health.Types, resource)
}

// others are the types with gaps that no section of their own names.
func (m Model) others() []string {
	var all []string
	for _, g := range m.Health.Gaps {
		if !slices.Contains(slices.Concat(ofWorkloads, ofNamespaces, ofWarnings, ofNodes), g.Resource) {
			all = append(all, g.Resource)
		}
	}
	return all
}

// missing says in sentences what a section doesn't know, of the types that it is made from.
func (m Model) missing(types []string) []string {
	var forbidden, failed, part []string
	for _, g := range m.Health.Gaps {
		if !slices.Contains(types, g.Resource) {
			continue
		}
		switch {
		case g.Forbidden:
			forbidden = append(forbidden, components.Visible(g.Resource))
		case g.Why != "":
			failed = append(failed, components.Visible(g.Resource)+" ("+components.Visible(strings.TrimSuffix(g.Why, "."))+")")
		case g.Rest > 0:
			part = append(part, words.Thousands(g.Rest)+" "+components.Visible(g.Resource))
		default:
			part = append(part, "more "+components.Visible(g.Resource))
		}
	}
	var said []string
	if len(forbidden) > 0 {
		said = append(said, "You don’t have permission to list "+owners.And(forbidden)+m.where()+".")
	}
	if len(failed) > 0 {
		said = append(said, "Fieldmark couldn’t read "+owners.And(failed)+".")
	}
	if len(part) > 0 {
		said = append(said, "Fieldmark read the first "+strconv.Itoa(health.Limit)+" objects of each type, in the order of their names. Not read: "+owners.And(part)+".")
	}
	return said
}

func (m Model) where() string {
	if m.Namespace != "" {
		return " in the namespace " + components.Visible(m.Namespace)
	}
	return " across the cluster"
}

// refused tells that nothing but a part may be read, so that a namespace is worth choosing.
func (m Model) refused() bool {
	for _, g := range m.Health.Gaps {
		if g.Forbidden && slices.Contains(ofWorkloads, g.Resource) {
			return m.Namespace == ""
		}
	}
	return false
}

// mostNamespaces is how many namespaces are offered.
const mostNamespaces = 12

// places are the namespaces that the overview can be narrowed to.
func (m Model) places() []components.Link {
	var links []components.Link
	for _, n := range m.Shell.Namespaces[:min(len(m.Shell.Namespaces), mostNamespaces)] {
		links = append(links, components.Link{Text: n, Href: m.in(n)})
	}
	return links
}

// in is the overview of a namespace; of the whole cluster if it is empty.
func (m Model) in(namespace string) string {
	return web.WithQuery(web.Cluster(m.Shell.Cluster.Slug), url.Values{QueryNamespace: {namespace}})
}

// events is the address of the cluster's events, in the same namespace.
func (m Model) events() string {
	return web.WithQuery(web.Tool(m.Shell.Cluster.Slug, web.Events), url.Values{QueryNamespace: {m.Namespace}})
}

// ago is how long something is in the past.
func (m Model) ago(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return table.Duration(max(0, m.Health.Read.Sub(t))) + " ago"
}

func exact(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// object leads to the page of an object; a tab may be chosen.
func (m Model) object(r health.Ref, tab string) string {
	if r.Path == "" {
		return ""
	}
	return web.WithQuery(web.Page(m.Shell.Cluster.Slug, r.Path), url.Values{"tab": {tab}})
}

// called is an object's kind and name, as kubectl prints them.
func called(r health.Ref) string {
	name := strings.ToLower(r.Kind) + "/" + r.Name
	if r.Namespace != "" {
		name = r.Namespace + " " + name
	}
	return name
}

func managers(writes []health.Write) []manager.Manager {
	var all []manager.Manager
	seen := map[string]bool{}
	for _, w := range writes {
		if !seen[w.Manager.Name] {
			seen[w.Manager.Name] = true
			all = append(all, w.Manager)
		}
	}
	return all
}

// faces are those of all managers on the page.
func (m Model) faces() owners.Faces {
	var all []manager.Manager
	for _, writes := range [][]health.Write{m.Health.Writes, m.Health.Status} {
		for _, w := range writes {
			all = append(all, ofAllVersions(w.Manager))
		}
	}
	for _, k := range m.known() {
		for _, who := range k.Managers {
			all = append(all, ofAllVersions(who))
		}
	}
	for _, c := range m.Health.Contested {
		for _, who := range c.Managers {
			all = append(all, ofAllVersions(who))
		}
	}
	return owners.FacesOf(all)
}

// ofAllVersions is a manager without its API version. The page shows objects of many types, and a manager looks the same beside all of them.
func ofAllVersions(m manager.Manager) manager.Manager {
	m.APIVersion = ""
	return m
}

func shown(f owners.Faces, all []manager.Manager) []components.Manager {
	var shown []components.Manager
	for _, one := range all {
		shown = append(shown, f.Of(ofAllVersions(one)))
	}
	return shown
}

// lists says which lists the page was made from.
func (m Model) lists() string {
	if len(m.Health.Types) == 0 {
		return "Fieldmark could read none of the lists for this page."
	}
	return "Fieldmark read " + words.Count(int64(len(m.Health.Types)), "list", "lists") + " for this page: " + strings.Join(m.Health.Types, ", ") + "."
}

// served says in a line what the server offers.
func (m Model) served() string {
	return words.Count(int64(len(m.Shell.Catalog.Preferred())), "resource type", "resource types") + " in " +
		words.Count(int64(len(m.Shell.Catalog.Groups)), "API group", "API groups")
}
