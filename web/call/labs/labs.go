// Package labs leads from what a page shows to the laboratories that take up its path.
package labs

import (
	"net/url"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/web"
)

// At is the address of a laboratory at an API path, which may have a query.
func At(slug, tool, path string) string {
	return web.WithQuery(web.Tool(slug, tool), url.Values{"path": {path}})
}

// Collection offers what can be tried with a collection of a type, at a path with its query.
func Collection(slug, path string, of discovery.Type) components.Menu {
	m := menu(slug, path)
	if of.Listable() {
		m.Links = append(m.Links, to(slug, web.Chunks, path, "Chunks"), to(slug, web.Versions, path, "Versions"))
	}
	if of.Watchable() {
		m.Links = append(m.Links, to(slug, web.Watch, path, "Watch"))
	}
	return m
}

// Object offers what can be tried with an object: the watch is of its collection, narrowed down to its name.
func Object(slug string, at apipath.Path, of discovery.Type) components.Menu {
	m := menu(slug, at.String())
	if of.Watchable() {
		alone := apipath.CollectionOf(at).String() + "?" + url.Values{"fieldSelector": {"metadata.name=" + at.Name}}.Encode()
		m.Links = append(m.Links, to(slug, web.Watch, alone, "Watch"))
	}
	return m
}

func menu(slug, path string) components.Menu {
	return components.Menu{Current: "Try it", Links: []components.Link{
		to(slug, web.Request, path, "Request"), to(slug, web.Representations, path, "Representations"),
	}}
}

func to(slug, tool, path, words string) components.Link {
	return components.Link{Text: words, Href: At(slug, tool, path)}
}
