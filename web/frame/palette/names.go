package palette

import (
	"net/url"
	"slices"
	"strconv"

	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// Name is the name and the namespace of an object.
type Name struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// Known are objects of a type that the current page knows, so that they can be found without a request.
type Known struct {
	Type  discovery.Type
	Names []Name
	All   bool // these are all objects of the type in the cluster, so the palette doesn't request them
}

const (
	// prefixID is the beginning of the IDs of the palette's requests.
	prefixID = "palette/"
	// chunk is how many names one request returns. mostChunks is the most requests for one type.
	chunk, mostChunks = 500, 4
)

// sought are the types whose objects can be found by name, if the server has them.
var sought = []struct{ group, resource string }{
	{"", "pods"},
	{"apps", "deployments"},
	{"", "services"},
	{"", "configmaps"},
	{"", "nodes"},
	{"", "namespaces"},
	{"apps", "statefulsets"},
	{"apps", "daemonsets"},
	{"batch", "cronjobs"},
	{"networking.k8s.io", "ingresses"},
}

// unsought tells whether names of a type are never requested. Secrets are private unless the reader opens their list, and nobody knows names of
// Events.
func unsought(t discovery.Type) bool { return t.Resource == "secrets" || t.Resource == "events" }

// ask is a request for names.
type ask struct {
	resource  discovery.Type
	namespace string // empty: all namespaces
	chunks    int    // number of chunks before this one
	from      string // the continue token
}

// asks are the first requests of a palette: for the types in sought and for the page's own type, unless all their names are known.
func asks(frame shell.Model, known []Known) []ask {
	var all []ask
	add := func(group, resource string) {
		t, ok := frame.Catalog.Type(group, "", resource)
		complete := func(k Known) bool { return k.All && same(k.Type, t) }
		asked := func(a ask) bool { return same(a.resource, t) }
		if ok && t.Listable() && !unsought(t) && !slices.ContainsFunc(known, complete) && !slices.ContainsFunc(all, asked) {
			all = append(all, ask{resource: t})
		}
	}
	if frame.Path.IsResource() {
		add(frame.Path.Group, frame.Path.Resource)
	}
	for _, s := range sought {
		add(s.group, s.resource)
	}
	return all
}

// namespaces are the namespaces in the frame's menu, as objects.
func namespaces(frame shell.Model) Known {
	t, ok := frame.Catalog.Type("", "", "namespaces")
	k := Known{Type: t, All: len(frame.Namespaces) > 0 && !frame.MoreNamespaces}
	for _, n := range frame.Namespaces {
		if ok {
			k.Names = append(k.Names, Name{Name: n})
		}
	}
	return k
}

// fetch sends a request for names.
func (m Model) fetch(a ask) page.Cmd {
	id := prefixID + a.resource.FullName()
	m.asked[id] = a
	m.names.begun[a.resource.FullName()] = true
	path := apipath.Collection(a.resource.Group, a.resource.Version, a.namespace, a.resource.Resource).String()
	query := url.Values{"limit": {strconv.Itoa(chunk)}, "continue": {a.from}}
	return page.Get(id, m.frame.Cluster.Slug, web.WithQuery(path, query), accept.MetadataList+accept.OrJSON)
}

// fetched handles a response with names. If the user can't list a type in all namespaces, it requests the type in the current namespace.
func (m Model) fetched(f page.Response) (Model, []page.Cmd) {
	a, asked := m.asked[f.ID]
	if !asked {
		return m, nil
	}
	delete(m.asked, f.ID)
	names, next, err := parseNames(f.Body)
	switch {
	case f.Status == status.CodeForbidden && a.namespace == "" && a.resource.Namespaced && m.frame.Path.Namespace != "":
		a.namespace = m.frame.Path.Namespace
		return m, []page.Cmd{m.fetch(a)}
	case f.Status == status.CodeForbidden:
		m.refused = append(m.refused, m.word(a.resource))
		return m.again(), nil
	case f.Status != status.CodeOK || err != nil:
		m.failed = append(m.failed, m.word(a.resource))
		return m.again(), nil
	}
	if a.chunks == 0 {
		m.names.read = append(m.names.read, a.resource)
		if a.namespace != "" {
			m.names.here = append(m.names.here, m.word(a.resource))
		}
	}
	m = m.learn(a.resource, names).again()
	a.from, a.chunks = next, a.chunks+1
	if next != "" && a.chunks < mostChunks {
		m.rest = append(m.rest, a)
		return m.fetchRest()
	}
	if next != "" {
		m.partly = append(m.partly, m.word(a.resource))
	}
	return m, nil
}

// fetchMore requests names that the query may need.
func (m Model) fetchMore() (Model, []page.Cmd) {
	named := m.fetchNamed()
	if len(named) > 0 {
		m = m.look(nil)
	}
	next, rest := m.fetchRest()
	return next, append(named, rest...)
}

// fetchRest requests more chunks once there is a query. Before that, they are often not needed, because the reader only opens a type.
func (m Model) fetchRest() (Model, []page.Cmd) {
	if len(m.words) == 0 || m.scope == Types {
		return m, nil
	}
	var commands []page.Cmd
	for _, a := range m.rest {
		commands = append(commands, m.fetch(a))
	}
	m.rest = nil
	return m, commands
}

// learn adds names to the index. Names of namespaces become entries, too.
func (m Model) learn(t discovery.Type, names []Name) Model {
	names = m.index.fresh(t, names)
	m.index.addNames(t, names)
	if t.Group == "" && t.Resource == "namespaces" {
		m.index.addNamespaces(m.frame, names)
	}
	return m
}

// addNamespaces adds entries for namespaces that the page's menu doesn't have.
func (x *index) addNamespaces(frame shell.Model, names []Name) {
	frame.Namespaces = slices.DeleteFunc(plain(names), func(n string) bool { return slices.Contains(frame.Namespaces, n) })
	for _, e := range namespaceEntries(frame)[1:] { // the first entry is all namespaces
		x.add(e)
	}
}

func plain(names []Name) []string {
	var all []string
	for _, n := range names {
		all = append(all, n.Name)
	}
	return all
}

// fresh are the names that the index doesn't have yet.
func (x *index) fresh(t discovery.Type, names []Name) []Name {
	if !slices.ContainsFunc(x.circles, func(c circle) bool { return same(c.resource, t) }) {
		return names
	}
	news := map[Name]bool{}
	for _, n := range names {
		news[n] = true
	}
	for i := range x.names {
		if c := &x.circles[x.names[i].circle]; same(c.resource, t) {
			delete(news, Name{c.namespace, x.names[i].shown})
		}
	}
	return slices.DeleteFunc(slices.Clone(names), func(n Name) bool { return !news[n] })
}
