package web

import (
	"net/url"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
)

// Parts of the query of Act. Others are the options of the chosen act.
const (
	ActName = "act"  // the name of an act
	ActPath = "path" // the API path of an object; any number of times
	// ActIn is the API path of a collection. With it, ActObjects are names of objects in it, or namespace/name if the collection is that of all namespaces.
	// Spaces are between them, because a space is one byte in an address. 500 paths would be too long for many proxies.
	ActIn      = "in"
	ActObjects = "objects" // any number of times, so a box of a form can have one name
)

// MostActedOn is the number of objects that one act takes at most.
const MostActedOn = 500

// ActOn is the address of an act on objects, given their API paths. Without a name, the page lists the acts.
func ActOn(slug, name string, paths ...string) string {
	query := ActQuery(paths)
	query.Set(ActName, name)
	return WithQuery(Tool(slug, Act), query)
}

// ActQuery is the part of the query of Act that names objects.
func ActQuery(paths []string) url.Values {
	if len(paths) > 1 {
		if in, names, ok := together(paths); ok {
			return url.Values{ActIn: {in}, ActObjects: {strings.Join(names, " ")}}
		}
	}
	return url.Values{ActPath: paths}
}

// ActedOn are the API paths of the objects that a query of Act names, each once.
func ActedOn(query url.Values) []string {
	all := slices.Clone(query[ActPath])
	in, err := apipath.Parse(query.Get(ActIn))
	for _, name := range strings.Fields(strings.Join(query[ActObjects], " ")) {
		if err != nil || in.Kind != apipath.KindCollection {
			all = append(all, query.Get(ActIn)+"/"+name) // the page says that this is no path
			continue
		}
		all = append(all, ObjectIn(in, name))
	}
	seen := make(map[string]bool, len(all))
	return slices.DeleteFunc(all, func(path string) bool {
		twice := seen[path]
		seen[path] = true
		return twice
	})
}

// ObjectIn is the API path of an object in a collection, given a value of ActObjects.
func ObjectIn(collection apipath.Path, name string) string {
	if namespace, rest, has := strings.Cut(name, "/"); has {
		if plain, err := url.PathUnescape(namespace); err == nil {
			collection, name = collection.In(plain), rest
		}
	}
	return collection.String() + "/" + name
}

// together names objects of one type by their collection and their names; ok is false if they are of several types.
func together(paths []string) (in string, names []string, ok bool) {
	var collection apipath.Path
	spread := false // over namespaces
	for i, path := range paths {
		p, err := apipath.Parse(path)
		if err != nil || p.Kind != apipath.KindObject || p.Watch || p.String() != path {
			return "", nil, false
		}
		of := apipath.CollectionOf(p)
		switch {
		case i == 0:
			collection = of
		case of.In("") != collection.In(""):
			return "", nil, false
		}
		spread = spread || of.Namespace != collection.Namespace
	}
	for _, path := range paths {
		at := strings.LastIndexByte(path, '/')
		name := path[at+1:]
		if spread {
			parent := strings.TrimSuffix(path[:at], "/"+collection.Resource)
			name = parent[strings.LastIndexByte(parent, '/')+1:] + "/" + name
		}
		names = append(names, name)
	}
	if spread {
		collection = collection.In("")
	}
	return collection.String(), names, true
}
