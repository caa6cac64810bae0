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

// Known are objects of a type that the current page knows, so that they can be found without a request. The type's other objects are searched early. Without
// names, it is a type that the reader opened recently.
type Known struct {
	Type  discovery.Type
	Names []Name
	All   bool // these are all objects of the type in the cluster, so the palette doesn't request them
}

const (
	// prefixID is the beginning of the IDs of the palette's requests.
	prefixID = "palette/"
	// chunk is how many names one request returns. mostChunks is how many chunks of a likely type are requested before other types.
	chunk, mostChunks = 500, 4
)

// ask is a request for names.
type ask struct {
	resource  discovery.Type
	likely    bool   // the reader probably looks for an object of the type
	namespace string // empty: all namespaces
	chunks    int    // number of chunks before this one
	from      string // the continue token
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
	m.hunt.begun[a.resource.FullName()] = true
	path := apipath.Collection(a.resource.Group, a.resource.Version, a.namespace, a.resource.Resource).String()
	query := url.Values{"limit": {strconv.Itoa(chunk)}, "continue": {a.from}}
	return page.Get(id, m.frame.Cluster.Slug, web.WithQuery(path, query), accept.MetadataList+accept.OrJSON)
}

// fetched handles a response with names, and sends the next request.
func (m Model) fetched(f page.Response) (Model, []page.Cmd) {
	a, asked := m.asked[f.ID]
	if !asked {
		return m, nil
	}
	delete(m.asked, f.ID)
	next, commands := m.heard(a, f).again().pump()
	return next.refresh(), commands
}

// heard takes in a response. If the user can't list a type in all namespaces, the type is listed in the current one.
func (m Model) heard(a ask, f page.Response) Model {
	h := m.hunt
	names, next, err := parseNames(f.Body)
	switch {
	case f.Status == status.CodeForbidden && a.namespace == "" && a.resource.Namespaced && m.frame.Path.Namespace != "":
		a.namespace, a.likely = m.frame.Path.Namespace, true
		h.queue = slices.Insert(h.queue, 0, a)
		return m
	case f.Status == status.CodeForbidden:
		h.refused = append(h.refused, m.word(a.resource))
		return m
	case f.Status != status.CodeOK || err != nil:
		h.failed = append(h.failed, m.word(a.resource))
		return m
	}
	if a.chunks == 0 {
		h.read = append(h.read, a.resource)
		if a.namespace != "" {
			h.here = append(h.here, m.word(a.resource))
		}
	}
	h.objects -= len(names)
	a.from, a.chunks = next, a.chunks+1
	if next != "" {
		a.likely = a.likely && a.chunks < mostChunks
		h.queue = append(h.queue, a)
	}
	return m.learn(a.resource, names)
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
	frame.Namespaces = slices.DeleteFunc(plainNames(names), func(n string) bool { return slices.Contains(frame.Namespaces, n) })
	for _, e := range namespaceEntries(frame)[1:] { // the first entry is all namespaces
		x.addEntry(e)
	}
}

func plainNames(names []Name) []string {
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
