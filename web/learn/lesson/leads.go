package lesson

import (
	"net/url"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/learn/lesson/anatomy"
	"github.com/fieldmark/fieldmark/web/learn/lesson/sent"
)

// opens is the menu of pages about the path of a request.
func (m Model) opens(a *sent.Request) components.Menu {
	slug := m.Shell.Cluster.Slug
	menu := components.Menu{Current: "Open in…"}
	path, _, _ := strings.Cut(a.Call.Path, "?")
	p, err := apipath.Parse(path)
	if err != nil {
		return menu
	}
	add := func(l components.Link) { menu.Links = append(menu.Links, l) }
	t, known := m.Shell.Catalog.Type(p.Group, p.Version, p.Resource)
	switch p.Kind {
	case apipath.KindObject, apipath.KindSubresource:
		of := apipath.ObjectOf(p)
		add(components.Link{Text: "Fields", Href: web.Page(slug, of.String()), Hint: "the object, and the owners of its fields"})
		add(components.Link{Text: "Timeline", Href: web.WithQuery(web.Page(slug, of.String()), url.Values{"tab": {"timeline"}}), Hint: "the changes of the object"})
		if known {
			menu.Links = append(menu.Links, shell.ObjectTools(slug, of, t).Links...)
		}
	case apipath.KindCollection:
		add(components.Link{Text: "Collection", Href: web.Page(slug, p.String())})
		if known {
			menu.Links = append(menu.Links, shell.CollectionTools(slug, p.String(), t).Links...)
		}
	default:
		add(components.Link{Text: "Request", Href: shell.ToolAt(slug, web.Request, path)})
	}
	if a.Call.Entry != "" && !a.Filed {
		add(components.Link{Text: "Wire log", Href: web.WithQuery(web.Tool(slug, web.Requests), url.Values{web.EntryField: {a.Call.Entry}}), Hint: "the request and the response as they were sent"})
	}
	return menu
}

// leads is the link of a widget that leads to another page.
func (m Model) leads(s *lesson.Show) components.Link {
	path := anatomy.Filled(lesson.Request{Target: s.Path}, m.vars()).Target
	slug := m.Shell.Cluster.Slug
	if s.Tool == "" {
		bare, _, _ := strings.Cut(path, "?")
		return components.Link{Text: "Open " + bare, Href: web.Cluster(slug) + path}
	}
	tool, _ := web.ToolNamed(s.Tool) // a lesson with an unknown tool can't be read
	link := components.Link{Text: "Open in " + tool.Called, Href: shell.ToolAt(slug, tool.Tool(), path)}
	if tool.Tool() == web.Apply {
		link.Href = web.Edit(slug, path)
	}
	return link
}
