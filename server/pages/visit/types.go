package visit

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/web"
)

// Similar are at most five types whose names contain the beginning of the word, best first.
func Similar(catalog discovery.Catalog, word string) []discovery.Type {
	word = strings.ToLower(word)
	var close []discovery.Type
	for n := len(word); n >= 3 && len(close) == 0; n-- {
		for _, t := range catalog.Listable() {
			if strings.Contains(t.Resource, word[:n]) && len(close) < 5 {
				close = append(close, t)
			}
		}
	}
	return close
}

// FindType finds the type of the visit's path, also one that was defined a moment ago.
func (v *Visit) FindType(t *discovery.Type) (err error) {
	var known bool
	*t, known, err = v.cluster.Type(v.Context(), v.client, v.Path.Group, v.Path.Version, v.Path.Resource)
	if err == nil && !known {
		return v.unknownType()
	}
	return err
}

// unknownType says that the cluster does not serve the type of the path, and links to similar types. If nobody can know that, it says why.
func (v *Visit) unknownType() error {
	catalog := v.around.catalog
	if code, unread := v.Unread(catalog, v.Path.Group, v.Path.Version); unread != nil {
		return NoPage(code, "Unknown type", *unread)
	}
	gv := discovery.GroupVersion(v.Path.Group, v.Path.Version)
	n := components.Notice{
		Tone:    components.Warn,
		Title:   fmt.Sprintf("This cluster serves no type %q in %s", v.Path.Resource, gv),
		Words:   "Discovery doesn’t list this resource type. It may be in another group or version, or its definition was deleted.",
		Details: Otherwise(catalog, v.Path.Group, v.Path.Version),
	}
	candidates := catalog.Find(v.Path.Resource)
	if len(candidates) == 0 {
		candidates = Similar(catalog, v.Path.Resource)
	}
	for _, t := range candidates {
		p := apipath.Collection(t.Group, t.Version, "", t.Resource)
		if t.Namespaced {
			p = p.In(v.Path.Namespace)
		}
		n.Links = append(n.Links, components.Link{Text: t.FullName() + " (" + t.GroupVersion() + ")", Href: web.Page(v.cluster.Slug(), p.String())})
	}
	n.Links = append(n.Links, components.Link{Text: "All types", Href: web.Cluster(v.cluster.Slug())})
	return NoPage(http.StatusNotFound, "No such type", n)
}

// Definable tells whether a CustomResourceDefinition may define types of the group.
func Definable(group string) bool {
	return strings.Contains(group, ".") && !strings.HasSuffix(group, ".k8s.io")
}

// DefinitionOf is the path of the CustomResourceDefinition of a type.
func DefinitionOf(resource, group string) apipath.Path {
	return apipath.Object("apiextensions.k8s.io", "v1", "", "customresourcedefinitions", resource+"."+group)
}
