package shell

import (
	"slices"

	"github.com/fieldmark/fieldmark/kube/discovery"
)

// favourites name the types that most visits are for, in the order in which people look at them.
var favourites = []struct{ group, resource string }{
	{"", "pods"}, {"apps", "deployments"}, {"", "services"}, {"", "configmaps"}, {"", "nodes"}, {"", "events"}, {"", "namespaces"},
}

// Favourites are the types that most visits are for, as far as the server has them. The sidebar and the palette show them first.
func Favourites(c discovery.Catalog) []discovery.Type {
	var all []discovery.Type
	for _, f := range favourites {
		if t, ok := c.Type(f.group, "", f.resource); ok && t.Listable() {
			all = append(all, t)
		}
	}
	return all
}

// IsFavourite tells whether a type is one of the favourites.
func IsFavourite(t discovery.Type) bool {
	return slices.Contains(favourites, struct{ group, resource string }{t.Group, t.Resource})
}
