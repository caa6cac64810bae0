package shell

import (
	"net/url"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/web"
)

// ToolAt is the address of a tool for an API path, which may have a query.
func ToolAt(slug, tool, path string) string {
	return web.WithQuery(web.Tool(slug, tool), url.Values{"path": {path}})
}

// CollectionTools lists the tools for a collection of a type, at a path with its query.
func CollectionTools(slug, path string, of discovery.Type) components.Menu {
	m := tryMenu(slug, path)
	if of.Listable() {
		m.Links = append(m.Links, tool(slug, web.Chunks, path, "Chunks"), tool(slug, web.Versions, path, "Versions"))
	}
	if of.Watchable() {
		m.Links = append(m.Links, tool(slug, web.Watch, path, "Watch"))
	}
	return m
}

// ObjectTools lists the tools for an object. The watch tool gets its collection, with a field selector for its name.
func ObjectTools(slug string, at apipath.Path, of discovery.Type) components.Menu {
	m := tryMenu(slug, at.String())
	if of.Watchable() {
		alone := apipath.CollectionOf(at).String() + "?" + url.Values{"fieldSelector": {apipath.NameSelector(at.Name)}}.Encode()
		m.Links = append(m.Links, tool(slug, web.Watch, alone, "Watch"))
	}
	m.Links = append(m.Links, tool(slug, web.Compare, at.String(), "Compare with another object"))
	return m
}

func tryMenu(slug, path string) components.Menu {
	return components.Menu{Current: "Try it", Links: []components.Link{
		tool(slug, web.Request, path, "Request"), tool(slug, web.Representations, path, "Representations"),
	}}
}

func tool(slug, name, path, words string) components.Link {
	return components.Link{Text: words, Href: ToolAt(slug, name, path)}
}
