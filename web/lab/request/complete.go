package request

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// option is a suggestion for the path.
type option struct{ Path, Words string }

// mostOptions bounds the suggestions.
const mostOptions = 80

// options are the suggestions for the typed path.
func (m Model) options() []option {
	typed, _, _ := strings.Cut(m.Draft.Target, "?")
	slash := strings.LastIndexByte(typed, '/')
	var all []option
	if slash > 0 {
		all = m.below(typed[:slash+1])
	}
	seen := map[string]bool{}
	for _, o := range all {
		seen[o.Path] = true
	}
	for _, o := range m.places(namespaceIn(typed)) {
		if !seen[o.Path] {
			seen[o.Path] = true
			all = append(all, o)
		}
	}
	return fittingTo(all, typed)
}

// fittingTo are the options that begin with the typed text, and after them those that contain it.
func fittingTo(all []option, typed string) []option {
	var begin, hold []option
	word := strings.ToLower(strings.Trim(typed, "/"))
	for _, o := range all {
		switch {
		case strings.HasPrefix(o.Path, typed):
			begin = append(begin, o)
		case word != "" && (strings.Contains(o.Path, word) || strings.Contains(strings.ToLower(o.Words), word)):
			hold = append(hold, o)
		}
	}
	all = slices.Concat(begin, hold)
	return all[:min(len(all), mostOptions)]
}

// namespaceIn is the namespace in a path that may be unfinished; empty: none.
func namespaceIn(path string) string {
	_, rest, ok := strings.Cut(path, "/namespaces/")
	name, _, whole := strings.Cut(rest, "/")
	if !ok || !whole {
		return ""
	}
	return name
}

// places are the collections of all types, and the known paths that are no resources.
func (m Model) places(namespace string) []option {
	if namespace == "" {
		namespace = m.Shell.Path.Namespace
	}
	if namespace == "" {
		namespace = "default"
	}
	all := slices.Clone(elsewhere)
	for _, g := range m.Shell.Catalog.Groups {
		if g.Name != "" {
			all = append(all, option{apipath.DiscoveryOf(g.Name, "").String(), "the group " + g.Name})
		}
		for _, v := range g.Versions {
			all = append(all, option{apipath.DiscoveryOf(g.Name, v.Name).String(), "resources of this version"})
			for _, t := range v.Types {
				all = append(all, ofType(t, namespace)...)
			}
		}
	}
	return all
}

func ofType(t discovery.Type, namespace string) []option {
	words := t.Kind + ": " + strings.Join(t.Verbs, ", ")
	whole := option{apipath.Collection(t.Group, t.Version, "", t.Resource).String(), words}
	switch {
	case !t.Namespaced:
		return []option{whole}
	case !t.Listable():
		return []option{{apipath.Collection(t.Group, t.Version, namespace, t.Resource).String(), words}}
	}
	return []option{{apipath.Collection(t.Group, t.Version, namespace, t.Resource).String(), words}, whole}
}

// elsewhere are paths that are no resources.
var elsewhere = []option{
	{"/api", "versions of the core group"},
	{"/apis", "all groups"},
	{"/version", "the server’s version"},
	{"/healthz", "health of the server"},
	{"/livez", "whether the server is alive"},
	{"/readyz", "whether the server is ready for requests"},
	{"/openapi/v3", "OpenAPI documents, by group version"},
	{"/openapi/v2", "OpenAPI, in one document"},
	{"/metrics", "metrics of the server"},
	{"/.well-known/openid-configuration", "the issuer of service account tokens"},
	{"/openid/v1/jwks", "the keys of service account tokens"},
}

// below are the known paths one step below another: namespaces, names of objects, subresources.
func (m Model) below(prefix string) []option {
	if strings.HasSuffix(prefix, "/namespaces/") {
		all := make([]option, 0, len(m.Shell.Namespaces))
		for _, n := range m.Shell.Namespaces {
			all = append(all, option{prefix + n, "namespace"})
		}
		return all
	}
	p, err := apipath.Parse(strings.TrimSuffix(prefix, "/"))
	if err != nil {
		return nil
	}
	t, _ := m.Shell.Catalog.Type(p.Group, p.Version, p.Resource)
	var all []option
	switch p.Kind {
	case apipath.KindCollection:
		for _, name := range m.live.names[p.String()] {
			all = append(all, option{apipath.Object(p.Group, p.Version, p.Namespace, p.Resource, name).String(), t.Kind})
		}
	case apipath.KindObject:
		for _, s := range t.Subresources {
			all = append(all, option{apipath.SubresourceOf(p, s.Name).String(), s.Kind + ": " + strings.Join(s.Verbs, ", ")})
		}
	}
	return all
}

const (
	askNames = "names"
	// mostNames is the limit of the list that gets the names of a collection.
	mostNames = "500"
	// mostCollections bounds the collections whose names are kept.
	mostCollections = 50
	asMetadataList  = accept.MetadataList + accept.OrJSON
)

// name requests the names in the typed collection, once for each collection.
func (m *Model) name() []page.Cmd {
	typed, _, _ := strings.Cut(m.Draft.Target, "?")
	slash := strings.LastIndexByte(typed, '/')
	if slash <= 0 {
		return nil
	}
	p, err := apipath.Parse(typed[:slash])
	if err != nil || p.Kind != apipath.KindCollection {
		return nil
	}
	t, known := m.Shell.Catalog.Type(p.Group, p.Version, p.Resource)
	collection := p.String()
	if _, asked := m.live.names[collection]; asked || !known || !t.Listable() || t.Namespaced && p.Namespace == "" || len(m.live.names) >= mostCollections {
		return nil
	}
	if m.live.names == nil {
		m.live.names = map[string][]string{}
	}
	m.live.names[collection] = nil
	return []page.Cmd{page.Get(askNames+" "+collection, m.Shell.Cluster.Slug, collection+"?limit="+mostNames, asMetadataList)}
}

// storeNames takes the names of a collection in.
func (m Model) storeNames(f page.Response) Model {
	var list struct {
		Items []struct {
			Metadata struct {
				Name string `json:"name"`
			} `json:"metadata"`
		} `json:"items"`
	}
	if f.Status != 200 || json.Unmarshal(f.Body, &list) != nil {
		return m
	}
	names := make([]string, 0, len(list.Items))
	for _, item := range list.Items {
		names = append(names, item.Metadata.Name)
	}
	m.live.names[strings.TrimPrefix(f.ID, askNames+" ")] = names
	return m
}
