// Package object is the page of one object: its document, its events, what owns it and what it owns.
package object

import (
	"net/url"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/page"
	"github.com/fieldmark/fieldmark/web/shell"
)

// Tab is one of the page's views.
type Tab string

// The tabs. The first is shown unless another is asked for.
const (
	YAML   Tab = "yaml"
	JSON   Tab = "json"
	Events Tab = "events"
	Owners Tab = "owners"
)

// ParseTab reads a tab from the query; anything unknown is the first.
func ParseTab(text string) Tab {
	switch t := Tab(text); t {
	case JSON, Events, Owners:
		return t
	default:
		return YAML
	}
}

// Revealed is one value of a Secret that was asked for.
type Revealed struct {
	Key  string `json:"key"`
	Text string `json:"text"`
	Data bool   `json:"data"` // the value is no text; Text is its base64
}

// Ref is an object that this one is tied to by ownership.
type Ref struct {
	Kind       string    `json:"kind"`
	APIVersion string    `json:"apiVersion"`
	Namespace  string    `json:"namespace"`
	Name       string    `json:"name"`
	Href       string    `json:"href"` // empty: the type is not served here
	Controller bool      `json:"controller"`
	Blocks     bool      `json:"blocks"`
	Created    time.Time `json:"created"`
	Depth      int       `json:"depth"` // 0: owned by this object itself, 1: by one of those, …
}

// Search says where owned objects were looked for: no server can be asked for them directly.
type Search struct {
	Types    int      `json:"types"`    // types looked through
	Objects  int      `json:"objects"`  // objects looked at
	Where    string   `json:"where"`    // a namespace, or everywhere
	LeftOut  []string `json:"leftOut"`  // types that could not be looked through, each with the reason
	Finished bool     `json:"finished"` // false: time ran out
}

// Kind names the page in the embedded model.
const Kind = "object"

// Model is the page's state. The object's path is Shell.Path.
type Model struct {
	Shell   shell.Model          `json:"shell"`
	Type    discovery.Type       `json:"type"`
	Managed bool                 `json:"managed"` // show metadata.managedFields as well
	Tab     Tab                  `json:"tab"`
	Now     time.Time            `json:"now"`
	Object  object.Object        `json:"object"` // masked: no secret is in it
	Secrets []object.SecretValue `json:"secrets"`
	Reveal  *Revealed            `json:"reveal"`
	Events  table.Table          `json:"events"`
	Owned   []Ref                `json:"owned"`
	Owners  []Ref                `json:"owners"`
	Search  Search               `json:"search"`
	// Problem says why the tab shows nothing.
	Problem *components.Notice `json:"problem"`
}

// View is the whole document.
func (m Model) View() templ.Component { return page.View(m) }

// Kind implements page.Page.
func (Model) Kind() string { return Kind }

// Awake implements page.Page.
func (m Model) Awake(time.Time) (page.Page, []page.Cmd) { return m, nil }

// Update implements page.Page.
func (m Model) Update(page.Msg) (page.Page, []page.Cmd) { return m, nil }

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Frame implements page.Page.
func (m Model) Frame() shell.Model { return m.Shell }

// address is another view of this object.
func (m Model) address(query url.Values) string {
	return web.WithQuery(web.Page(m.Shell.Cluster.Slug, m.Shell.Path.String()), query)
}

func (m Model) tabs() []components.Link {
	link := func(t Tab, text, hint string) components.Link {
		query := url.Values{}
		if t != YAML {
			query.Set("tab", string(t))
		}
		return components.Link{Text: text, Href: m.address(query), Hint: hint, Current: m.Tab == t}
	}
	tabs := []components.Link{
		link(YAML, "YAML", "The object as YAML"),
		link(JSON, "JSON", "The object as JSON"),
	}
	if m.Shell.Path.Kind == apipath.KindObject {
		tabs = append(tabs,
			link(Events, "Events", "Events about this object"),
			link(Owners, "Owners", "What owns this object, and what it owns"))
	}
	return tabs
}

func (m Model) lines() ([]manifest.Line, error) {
	shown := m.Object
	if !m.Managed {
		shown = shown.WithoutManagedFields()
	}
	if m.Tab == JSON {
		return manifest.JSONLines(shown.Fields)
	}
	return manifest.YAMLLines(shown.Fields)
}

// toggleManaged shows or folds away the record of field ownership.
func (m Model) toggleManaged() string {
	query := m.query()
	if !m.Managed {
		query.Set("managed", "1")
	} else {
		query.Del("managed")
	}
	return m.address(query)
}

// query is the page's own query, without what is revealed.
func (m Model) query() url.Values {
	query := url.Values{}
	if m.Tab != YAML {
		query.Set("tab", string(m.Tab))
	}
	if m.Managed {
		query.Set("managed", "1")
	}
	return query
}

func (m Model) conditions() []components.Condition {
	var all []components.Condition
	for _, c := range m.Object.Conditions() {
		all = append(all, components.Condition{
			Type: c.Type, Status: c.Status, Reason: c.Reason, Message: c.Message, Since: m.since(c.Transition),
		})
	}
	return all
}

func (m Model) since(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return "for " + table.Age(t, m.Now)
}

func (m Model) subtitle() string {
	text := m.Object.Kind()
	if v := m.Object.APIVersion(); v != "" {
		text += " · " + v
	}
	if c := m.Object.Created(); !c.IsZero() {
		text += " · " + table.Age(c, m.Now) + " old"
	}
	return text
}

// reveal leads to one value of a Secret.
func (m Model) reveal(key string) string {
	query := m.query()
	query.Set("reveal", key)
	return m.address(query)
}

func (m Model) hide() string { return m.address(m.query()) }

// subresources are the object's readable parts, each with an address of its own.
func (m Model) subresources() []components.Link {
	if m.Shell.Path.Kind != apipath.KindObject {
		return nil
	}
	var links []components.Link
	for _, s := range m.Type.Subresources {
		if !s.Can("get") || apipath.SubresourceOf(m.Shell.Path, s.Name).Connects() || s.Name == "log" {
			continue
		}
		links = append(links, components.Link{
			Text: s.Name, Href: web.Page(m.Shell.Cluster.Slug, apipath.SubresourceOf(m.Shell.Path, s.Name).String()),
			Hint: "The " + s.Name + " subresource, of kind " + s.Kind,
		})
	}
	return links
}

// eventGrid lays out the server's Table of events.
func (m Model) eventGrid() components.Grid {
	g := components.Grid{Label: "Events"}
	columns := m.Events.Visible(false)
	for _, i := range columns {
		c := m.Events.Columns[i]
		g.Head = append(g.Head, components.HeaderCell{Name: c.Name, Hint: c.Description, Numeric: c.Numeric()})
	}
	for _, r := range m.Events.Rows {
		row := components.GridRow{UID: r.UID, Namespace: r.Namespace, Name: r.Name, ResourceVersion: r.ResourceVersion}
		for _, i := range columns {
			row.Cells = append(row.Cells, components.GridCell{Text: r.Cell(i), Numeric: m.Events.Columns[i].Numeric(), Tone: eventTone(m.Events.Columns[i].Name, r.Cell(i))})
		}
		g.Rows = append(g.Rows, row)
	}
	return g
}

func eventTone(column, text string) components.Tone {
	if column == "Type" && text == "Warning" {
		return components.Warn
	}
	return components.Calm
}

func noEvents() components.Notice {
	return components.Notice{
		Title: "No events",
		Words: "The server keeps no event about this object. Events are kept for an hour, unless the cluster is set up otherwise.",
	}
}
