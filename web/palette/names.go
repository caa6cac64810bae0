package palette

import (
	"encoding/json"
	"net/http"

	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/web/page"
	"github.com/fieldmark/fieldmark/web/shell"
)

// Name is an object, named.
type Name struct{ Namespace, Name string }

// accept asks for objects without what is in them.
const accept = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json"

// prefixID begins the ids of what the palette asks for.
const prefixID = "palette/"

// mostChunks of names are fetched of each type.
const mostChunks = 4

// named are the types whose objects are found by name, as far as the server has them. Secrets are none of them.
var named = []struct{ group, resource string }{
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

// ask is a request for names that is under way.
type ask struct {
	resource  discovery.Type
	namespace string // empty: everywhere
	chunk     int    // how many came before it
}

// asks are the requests that a palette begins with: for the types that most visits are for, and this page's own.
func asks(frame shell.Model) []ask {
	var all []ask
	seen := map[string]bool{"secrets": true, "events": true, "events.events.k8s.io": true}
	add := func(group, resource string) {
		t, ok := frame.Catalog.Type(group, "", resource)
		if ok && t.Listable() && !seen[t.FullName()] {
			seen[t.FullName()] = true
			all = append(all, ask{resource: t})
		}
	}
	add(frame.Path.Group, frame.Path.Resource)
	for _, n := range named {
		add(n.group, n.resource)
	}
	return all
}

// fetch sends a request for names.
func (m Model) fetch(a ask, from string) page.Cmd {
	id := prefixID + a.resource.FullName()
	m.asked[id] = a
	return page.Fetch{ID: id, Cluster: m.frame.Cluster.Slug, Path: list(a.resource, a.namespace, from), Accept: accept}
}

// fetched takes an answer in.
func (m Model) fetched(f page.Fetched) (Model, []page.Cmd) {
	a, asked := m.asked[f.ID]
	if !asked {
		return m, nil
	}
	delete(m.asked, f.ID)
	if f.Status == http.StatusForbidden && a.namespace == "" && a.resource.Namespaced && m.frame.Path.Namespace != "" {
		a.namespace = m.frame.Path.Namespace
		return m, []page.Cmd{m.fetch(a, "")}
	}
	names, next, err := parseNames(f.Body)
	if f.Status != http.StatusOK || err != nil {
		m.refused = append(m.refused, a.resource.Resource)
		return m, nil
	}
	m = m.WithNames(a.resource, names)
	switch {
	case next == "":
		return m, nil
	case a.chunk+1 < mostChunks:
		a.chunk++
		return m, []page.Cmd{m.fetch(a, next)}
	default:
		m.partly = append(m.partly, a.resource.Resource)
		return m, nil
	}
}

func parseNames(data []byte) (names []Name, next string, err error) {
	var answer struct {
		Metadata struct {
			Continue string `json:"continue"`
		} `json:"metadata"`
		Items []struct {
			Metadata Name `json:"metadata"`
		} `json:"items"`
	}
	if err := json.Unmarshal(data, &answer); err != nil {
		return nil, "", err
	}
	for _, i := range answer.Items {
		names = append(names, i.Metadata)
	}
	return names, answer.Metadata.Continue, nil
}

// fresh are the names that are not known yet.
func (x *index) fresh(t discovery.Type, names []Name) []Name {
	news := map[Name]bool{}
	for _, n := range names {
		news[n] = true
	}
	for _, it := range x.names {
		if c := &x.circles[it.circle]; c.resource.Resource == t.Resource && c.resource.Group == t.Group {
			delete(news, Name{c.namespace, it.shown})
		}
	}
	var kept []Name
	for _, n := range names {
		if news[n] {
			delete(news, n)
			kept = append(kept, n)
		}
	}
	return kept
}
