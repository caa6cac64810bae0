// Package coming is a page that hasn't arrived: what the page before knows of it, and a placeholder for the rest. The reader sees at once where a link leads,
// while the server still asks the API server. The frame, the title, the path and the tabs are those of the page that comes, so nothing moves when it does.
package coming

import (
	"net/url"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/frame/views"
)

// Foreteller is a page that knows something of the objects to which it leads, such as their rows.
type Foreteller interface {
	page.Page
	// Foretell is what the page knows of an object's state; nil: nothing.
	Foretell(apipath.Path) templ.Component
}

// Page is a page that hasn't arrived. It does nothing.
type Page struct {
	page.Frame
	head page.Head
	rest components.Placeholder
}

// Of is the page at an address, as far as the page before knows it. It knows tools, collections and objects of its own cluster. It doesn't know other
// pages, and another view of the same page in the same program is better awaited in place.
func Of(from page.Page, address string) (Page, bool) {
	frame := from.Framed().Shell
	path, query, tool, below := within(frame, address)
	if !below {
		return Page{}, false
	}
	p := Page{Frame: page.Frame{Shell: frame}}
	s := &p.Shell
	s.Here, s.Tool, s.Stray, s.Lacks, s.Requests, s.Apart = address, "", nil, nil, nil, false
	if tool != "" {
		return p.tool(tool, query)
	}
	t, known := s.Catalog.Type(path.Group, path.Version, path.Resource)
	switch {
	case !known:
		return Page{}, false
	case path.Kind == apipath.KindCollection:
		return p.collection(path, t), true
	case path.Kind == apipath.KindObject && (path != frame.Path || web.Program(address) != web.Program(frame.Here)):
		return p.object(from, path, t, views.Parse(query)), true
	}
	return Page{}, false
}

// within takes the address of a page of the same cluster apart: into the path of what it shows, or the name of a tool.
func within(frame shell.Model, address string) (p apipath.Path, query url.Values, tool string, below bool) {
	u, err := url.Parse(address)
	if err != nil || !frame.In() {
		return p, nil, "", false
	}
	rest, below := strings.CutPrefix(u.EscapedPath(), web.Cluster(frame.Cluster.Slug)+"/")
	if !below {
		return p, nil, "", false
	}
	if tool, is := strings.CutPrefix(rest, "-/"); is {
		return p, u.Query(), tool, true
	}
	p, err = apipath.Parse("/" + rest)
	return p, u.Query(), "", err == nil && p.IsResource()
}

// tool is the page of a tool. A tool about an object has a head of its own, which isn't known.
func (p Page) tool(name string, query url.Values) (Page, bool) {
	profile, known := web.ToolNamed(name)
	if !known || profile.Subject != "" && query.Get(profile.Subject) != "" {
		return Page{}, false
	}
	p.Kind, p.Shell.Title, p.Shell.Tool, p.Shell.Path = profile.Kind, profile.Title, name, apipath.Path{}
	p.rest = components.Placeholder{Label: "Opening " + profile.Title, Rows: 6, Columns: 3}
	return p, true
}

func (p Page) collection(path apipath.Path, t discovery.Type) Page {
	p.Shell.Path, p.Shell.Title = path, shell.Plural(t)
	p.head = page.Head{Where: p.Shell.Anatomy(), Title: page.Text(p.Shell.Title), Acts: acts(p.Shell, t)}
	p.rest = components.Placeholder{Label: "Reading " + p.Shell.Title, Rows: 12, Columns: 5}
	return p
}

func (p Page) object(from page.Page, path apipath.Path, t discovery.Type, v views.View) Page {
	p.Shell.Path, p.Shell.Title = path, path.Name
	var tabs []components.Link
	for _, one := range views.Of(t, path, p.Shell.Catalog) {
		tabs = append(tabs, one.Link(p.Shell.Cluster.Slug, path, v))
	}
	var state templ.Component
	if f, can := from.(Foreteller); can {
		state = f.Foretell(path)
	}
	kind := t.Kind + " · " + discovery.GroupVersion(t.Group, t.Version)
	p.head = page.Head{Where: p.Shell.Anatomy(), Small: page.Text(kind), Acts: acts(p.Shell, t), Below: below(state, tabs)}
	p.rest = components.Placeholder{Label: "Reading " + path.Name, Rows: 12, Columns: 2}
	return p
}

// acts are what one can do on any page of a type.
func acts(s shell.Model, t discovery.Type) (a components.Actions) {
	slug, path := s.Cluster.Slug, s.Path
	if path.Kind == apipath.KindObject && t.Can("patch") {
		a.Add(components.LinkButton(views.Edit(slug, path)), components.LinkButton(views.Act(slug, path)))
	}
	a.Add(components.LinkButton(components.Link{Text: "API call", Href: web.Console(slug, request.Get, path.String(), accept.JSON), Hint: "Open the request in the request console"}))
	return a
}

// Awake implements page.Page.
func (p Page) Awake(time.Time) (page.Page, []page.Cmd) { return p, nil }

// Update implements page.Page.
func (p Page) Update(page.Msg) (page.Page, []page.Cmd) { return p, nil }

// Content implements page.Page.
func (p Page) Content() templ.Component { return awaited(p.rest) }

// Head implements page.Headed.
func (p Page) Head() page.Head { return p.head }
