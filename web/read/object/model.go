// Package object is the page of one object: its document, its events, what owns it and what it owns.
package object

import (
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/layout"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/read/object/document"
	"github.com/fieldmark/fieldmark/web/read/object/events"
	"github.com/fieldmark/fieldmark/web/read/object/fields"
	"github.com/fieldmark/fieldmark/web/read/object/outline"
	"github.com/fieldmark/fieldmark/web/read/object/owners"
	"github.com/fieldmark/fieldmark/web/read/object/secrets"
	"github.com/fieldmark/fieldmark/web/read/object/tab"
)

// Tab is one of the page's views.
type Tab string

// The tabs. The first is shown unless another is asked for.
const (
	Fields   Tab = "fields"
	YAML     Tab = "yaml"
	JSON     Tab = "json"
	Timeline Tab = "timeline"
	Schema   Tab = "schema"
	Events   Tab = "events"
	Owners   Tab = "owners"
)

// ParseTab reads a tab from the query; anything unknown is the first. The record of field ownership is part of what is
// written out, so who asks for it without a word about a tab gets that.
func ParseTab(query url.Values) Tab {
	switch t := Tab(query.Get("tab")); t {
	case YAML, JSON, Timeline, Schema, Events, Owners:
		return t
	default:
		if query.Get("managed") == "1" {
			return YAML
		}
		return Fields
	}
}

// written tells whether the tab shows the object as a document alone.
func (t Tab) written() bool { return t == YAML || t == JSON }

// local tells whether the tab shows nothing but the object, so that a living page needs no server for it.
func (t Tab) local() bool { return t.written() || t == Timeline }

// query is the tab's address.
func (t Tab) query() url.Values {
	query := url.Values{}
	if t != Fields {
		query.Set("tab", string(t))
	}
	return query
}

func (t Tab) words() string {
	switch t {
	case Fields:
		return "Fields"
	case JSON:
		return "JSON"
	case Timeline:
		return "Timeline"
	case Schema:
		return "Schema"
	case Events:
		return "Events"
	case Owners:
		return "Owners"
	default:
		return "YAML"
	}
}

// topics are what explains the tabs.
var topics = map[Tab]why.Topic{
	Fields:   why.Ownership,
	YAML:     why.YAML,
	JSON:     why.JSON,
	Timeline: why.Watch,
	Schema:   why.OpenAPI,
	Events:   why.Event,
	Owners:   why.OwnerReference,
}

func (t Tab) hint() string {
	switch t {
	case Fields:
		return "Who owns each field of the object"
	case JSON:
		return "The object as JSON"
	case Timeline:
		return "Every change since you opened this page: what changed, and who changed it"
	case Schema:
		return "What each field of the kind means, and how it is merged"
	case Events:
		return "Events about this object"
	case Owners:
		return "What owns this object, and what it owns"
	default:
		return "The object as YAML"
	}
}

// Kind names the page in the embedded model.
const Kind = "object"

// Model is the page's state. The object's path is Shell.Path.
type Model struct {
	Shell   shell.Model      `json:"shell"`
	Type    discovery.Type   `json:"type"`
	Managed bool             `json:"managed"` // show metadata.managedFields as well
	Tab     Tab              `json:"tab"`
	Now     time.Time        `json:"now"`
	Object  object.Object    `json:"object"`            // masked: no secret is in it
	Outline *outline.Outline `json:"outline,omitempty"` // nil: the schema was not asked for
	Secrets secrets.Model    `json:"secrets"`
	Fields  fields.Model     `json:"fields"`
	Events  events.Model     `json:"events"`
	Owners  owners.Model     `json:"owners"`
	// Problem says why the tab shows nothing.
	Problem *components.Notice `json:"problem"`

	live *live // nil on the server
}

// View is the whole document.
func (m Model) View() templ.Component { return page.View(m) }

// Kind implements page.Page.
func (Model) Kind() string { return Kind }

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Frame implements page.Page.
func (m Model) Frame() shell.Model { return m.Shell }

// address is another view of this object.
func (m Model) address(query url.Values) string {
	return web.WithQuery(web.Page(m.Shell.Cluster.Slug, m.Shell.Path.String()), query)
}

// views are the tabs that there are. Who owns an object that is gone cannot be looked for any more.
func (m Model) views() []Tab {
	views := []Tab{Fields, YAML, JSON, Schema}
	if m.Shell.Path.Kind == apipath.KindObject {
		views = []Tab{Fields, YAML, JSON, Timeline, Schema, Events}
		if !m.gone() || m.Tab == Owners {
			views = append(views, Owners)
		}
	}
	return views
}

func (m Model) tabs() []components.Link {
	var tabs []components.Link
	for _, t := range m.views() {
		tabs = append(tabs, components.Link{Text: t.words(), Href: m.address(t.query()), Hint: t.hint(), Current: t == m.Tab, Why: why.In(topics, t)})
	}
	return tabs
}

func (m Model) lines() ([]manifest.Line, error) {
	shown := m.Object
	if !m.Managed {
		shown = shown.WithoutManagedFields()
	}
	if m.Tab == JSON {
		return layout.Value(shown.Fields)
	}
	return manifest.YAMLLines(shown.Fields)
}

// label names the document.
func (m Model) label() string { return m.Shell.Title + " as " + string(m.Tab) }

// document is the object written out as YAML or JSON, as it is shown now.
func (m Model) document() document.Document {
	if m.live != nil {
		return m.live.document
	}
	lines, err := m.lines()
	return document.Document{Label: m.label(), Lines: lines, Err: err}
}

// about is what the tabs are told of the page.
func (m Model) about() tab.About {
	return tab.About{
		Object: m.Object, Type: m.Type, Path: m.Shell.Path, Cluster: m.Shell.Cluster.Slug, Title: m.Shell.Title,
		Query: m.query(), Now: m.Now, Alive: m.live != nil, Gone: m.gone(),
	}
}

// toggled is the page's own query with the record of field ownership shown, or folded away.
func (m Model) toggled() url.Values {
	m.Managed = !m.Managed
	return m.query()
}

// query is the page's own query, without what is revealed.
func (m Model) query() url.Values {
	query := m.Tab.query()
	if m.Managed && m.Tab.local() {
		query.Set("managed", "1")
	}
	switch {
	case m.Tab == Schema && m.Outline != nil:
		return m.Outline.Query()
	case m.Tab == Fields:
		return m.Fields.Reading.Query()
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
	return "for " + m.age(t)
}

func (m Model) age(t time.Time) string { return m.about().Age(t) }

// gone tells whether what is shown is the last state of an object that was deleted.
func (m Model) gone() bool { return m.live != nil && m.live.shown.Gone() }

// goneWords say so.
func (m Model) goneWords() string {
	ago := m.age(m.live.shown.Went) + " ago"
	if m.live.shown.Missed {
		return "Deleted. The page noticed it " + ago + ". This is the last state that it saw."
	}
	return "Deleted " + ago + ". This is its last state."
}

// renewed tells whether another object of the same name was shown before.
func (m Model) renewed() bool { return m.live != nil && m.live.shown.Renewed && !m.gone() }

// goingWords say how long the object has been going away. Its deletionTimestamp is the end of its grace period.
func (m Model) goingWords() string {
	end := m.Object.Deleted()
	grace, err := strconv.Atoi(m.Object.Meta("deletionGracePeriodSeconds"))
	if err != nil {
		grace = 0
	}
	words := "This object is being deleted, for " + m.age(end.Add(-time.Duration(grace)*time.Second)) + " now"
	if left := end.Sub(m.Now); left > 0 && grace > 0 {
		words += ". Its grace period ends in " + table.Duration(left)
	}
	return words + "."
}

func (m Model) subtitle() string {
	text := m.Object.Kind()
	if v := m.Object.APIVersion(); v != "" {
		text += " · " + v
	}
	if c := m.Object.Created(); !c.IsZero() {
		text += " · " + m.age(c) + " old"
	}
	return text
}

// whole tells whether the page is of an object, and that is there.
func (m Model) whole() bool { return m.Shell.Path.Kind == apipath.KindObject && !m.gone() }

// deletable tells whether the object could be deleted, as far as its type goes.
func (m Model) deletable() bool { return m.whole() && m.Type.Can("delete") }

// assisted tells whether ownership of the object's fields could be moved.
func (m Model) assisted() bool {
	return m.whole() && m.Type.Can("patch") && m.Object.ManagedFields() > 0
}

// tries leads to where the object's path is tried out.
func (m Model) tries() components.Menu {
	return shell.ObjectTools(m.Shell.Cluster.Slug, m.Shell.Path, m.Type)
}

// tool leads to a tool of the workbench for this object.
func (m Model) tool(name string) string {
	return web.WithQuery(web.Tool(m.Shell.Cluster.Slug, name), url.Values{"path": {m.Shell.Path.String()}})
}

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

// editable tells whether the object can be written at its path.
func (m Model) editable() bool {
	if m.gone() {
		return false
	}
	if sub := m.Shell.Path.Subresource; sub != "" {
		s, known := m.Type.Subresource(sub)
		return known && slices.Contains(s.Verbs, "patch")
	}
	return m.Type.Can("patch")
}

// editing leads to where the object can be edited, and what that would do be seen.
func (m Model) editing() string {
	return web.WithQuery(web.Tool(m.Shell.Cluster.Slug, web.Apply), url.Values{"edit": {m.Shell.Path.String()}})
}
