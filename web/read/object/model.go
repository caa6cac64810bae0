// Package object is the page of one object: its fields and their owners, its text, versions, schema and events, and the objects that own it or that it
// owns.
package object

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/condition"
	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/layout"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/reference"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/views"
	"github.com/fieldmark/fieldmark/web/read/object/document"
	"github.com/fieldmark/fieldmark/web/read/object/events"
	"github.com/fieldmark/fieldmark/web/read/object/fields"
	"github.com/fieldmark/fieldmark/web/read/object/outline"
	"github.com/fieldmark/fieldmark/web/read/object/related"
	"github.com/fieldmark/fieldmark/web/read/object/row"
	"github.com/fieldmark/fieldmark/web/read/object/secrets"
	"github.com/fieldmark/fieldmark/web/read/object/tab"
	"github.com/fieldmark/fieldmark/web/read/timeline"
	"github.com/fieldmark/fieldmark/words"
)

// Tab is one of the page's views.
type Tab = views.View

// The tabs. The first is the default.
const (
	Fields   = views.Fields
	YAML     = views.YAML
	JSON     = views.JSON
	Timeline = views.Timeline
	Schema   = views.Schema
	Events   = views.Events
	Related  = views.Related
)

// asText tells whether a tab shows the object as text only.
func asText(t Tab) bool { return t == YAML || t == JSON }

// local tells whether a tab shows only the object, so that a page in the browser needs no request for it.
func local(t Tab) bool { return asText(t) || t == Timeline }

// Kind names the page in the embedded model.
const Kind = "object"

// Model is the page's state. The object's path is Shell.Path.
type Model struct {
	page.Frame
	Type    discovery.Type   `json:"type"`
	Managed bool             `json:"managed"` // show metadata.managedFields, too
	Tab     Tab              `json:"tab"`
	Now     time.Time        `json:"now"`
	Object  object.Object    `json:"object"`            // values of Secrets are masked
	Outline *outline.Outline `json:"outline,omitempty"` // nil: the schema was not requested
	Secrets secrets.Model    `json:"secrets"`
	Fields  fields.Model     `json:"fields"`
	Kinds   []reference.Kind `json:"kinds,omitempty"` // of the objects that the object referred to when the page was made
	Row     row.Model        `json:"row"`             // the object in the server's Table
	Events  events.Model     `json:"events"`
	Owners  related.Model    `json:"owners"`
	// Watched is what the server recorded of the object, if it watches the object for the session; nil: it doesn't.
	Watched *report.Watched `json:"watched,omitempty"`
	// Kept is the newest part of that recording, for the Timeline without scripts. It isn't embedded: a page in the browser requests all of it.
	Kept *timeline.Kept `json:"-"`

	live *live // nil on the server
}

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Head implements page.Headed.
func (m Model) Head() page.Head {
	return page.Head{Where: m.Shell.Anatomy(), Small: page.Text(m.subtitle()), Live: new(m.liveness()), Acts: m.actions(), Below: below(m)}
}

// queryAddress is the address of this object's page with another query.
func (m Model) queryAddress(query url.Values) string {
	return web.WithQuery(web.Page(m.Shell.Cluster.Slug, m.Shell.Path.String()), query)
}

// views are the available tabs. A deleted object has no tab Related, because its owners can't be found any more, and nothing of it runs.
func (m Model) views() []Tab {
	return slices.DeleteFunc(views.Of(m.Type, m.Shell.Path, m.Shell.Catalog), func(t Tab) bool {
		return m.gone() && t != m.Tab && (t == Related || web.Running(string(t)))
	})
}

func (m Model) tabs() []components.Link {
	var tabs []components.Link
	for _, t := range m.views() {
		link := t.Link(m.Shell.Cluster.Slug, m.Shell.Path, m.Tab)
		link.Text, link.Mark = link.Text+m.counted(t), m.marked(t)
		tabs = append(tabs, link)
	}
	return tabs
}

// fights are the known fights over the object: of scans, of watched objects, and of the page's own recording.
func (m Model) fights() []report.Known {
	known := report.Of(m.Shell.Fights, m.Shell.Path)
	if m.live == nil || m.Shell.Path.Kind != apipath.KindObject {
		return known
	}
	return report.Merge(known, m.live.timeline.Fights(report.Object{
		Path: m.Shell.Path.String(), Kind: m.Object.Kind(), Namespace: m.Shell.Path.Namespace, Name: m.Shell.Path.Name, Gone: m.gone(),
	}))
}

// marked says for the tabs that show fights that there are some; empty: there is none.
func (m Model) marked(t Tab) string {
	n := 0
	if t == Fields || t == Timeline {
		n = len(m.fights())
	}
	if n == 0 {
		return ""
	}
	return words.Count(int64(n), "field is fought over", "fields are fought over")
}

// counted is the number of entries in a tab, if the page knows the number.
func (m Model) counted(t Tab) string {
	if t != Events || m.Problem != nil {
		return ""
	}
	if n, known := m.Events.Count(); known {
		return " (" + words.Thousands(int64(n)) + ")"
	}
	if m.live == nil || m.Tab == Events || m.live.tally.Words(m.Object) == "" {
		return ""
	}
	return " (" + m.live.tally.Words(m.Object) + ")"
}

func (m Model) lines() ([]manifest.Line, error) {
	shown := m.Object
	if !m.Managed {
		shown = shown.WithoutManagedFields()
	}
	if m.Tab == JSON {
		lines, err := layout.Value(shown.Fields)
		if err == nil {
			m.about().LinkJSON(manifest.Tree(shown.Fields), lines)
		}
		return layout.Lines(lines), err
	}
	document, err := manifest.YAMLDocument(shown.Fields)
	if err != nil {
		return nil, err
	}
	m.about().Link(document)
	return document.Lines, nil
}

// label names the document.
func (m Model) label() string { return m.Shell.Title + " as " + string(m.Tab) }

// document is the current text of the object as YAML or JSON.
func (m Model) document() document.Document {
	if m.live != nil {
		return m.live.document
	}
	lines, err := m.lines()
	return document.Document{Label: m.label(), Lines: lines, Err: err}
}

// about is what the tabs need to know about the page.
func (m Model) about() tab.About {
	return tab.About{
		Object: m.Object, Type: m.Type, Path: m.Shell.Path, Cluster: m.Shell.Cluster.Slug, Title: m.Shell.Title, Kinds: m.Kinds,
		Query: m.query(), Now: m.Now, Alive: m.live != nil, Gone: m.gone(),
	}
}

// toggled is the page's own query with managedFields shown, or hidden if they are shown.
func (m Model) toggled() url.Values {
	m.Managed = !m.Managed
	return m.query()
}

// query is the page's own query, without the key of a value that is shown.
func (m Model) query() url.Values {
	query := m.Tab.Query()
	if m.Managed && local(m.Tab) {
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

// row is the object's row of the server's Table, while the object exists.
func (m Model) row() []row.Cell {
	if !m.whole() {
		return nil
	}
	return m.Row.Cells(m.Object.Meta("uid"), m.Shell.Cluster.Slug)
}

// conditions are the object's conditions: those that say that something is wrong first, and those that say that all is well last.
func (m Model) conditions() []components.Condition {
	var all []components.Condition
	for _, c := range m.Object.Conditions() {
		all = append(all, components.Condition{
			Type: c.Type, Status: c.Status, Reason: c.Reason, Message: c.Message, Since: m.since(c.Transition),
			Verdict: condition.Judge(m.Shell.Path.Group, c.Type, c.Status), Links: m.remaining(c),
		})
	}
	slices.SortStableFunc(all, func(a, b components.Condition) int { return urgency(a) - urgency(b) })
	return all
}

// remaining are links to the objects that the deletion of a namespace waits for, as a condition of the namespace counts them. The page of the deletion names
// each object with a finalizer.
func (m Model) remaining(c object.Condition) []components.Link {
	if m.Type.Group != "" || m.Type.Resource != "namespaces" {
		return nil
	}
	var links []components.Link
	if c.Type == "NamespaceFinalizersRemaining" && c.Status == "True" {
		address := web.WithQuery(web.Tool(m.Shell.Cluster.Slug, web.Delete), url.Values{"path": {m.Shell.Path.String()}})
		links = append(links, components.Link{Text: "Each object with a finalizer", Href: address})
	}
	for _, r := range condition.RemainingIn(c.Message) {
		if versions := m.Shell.Catalog.Versions(r.Group, r.Resource); len(versions) > 0 {
			t := versions[0]
			links = append(links, components.Link{
				Text: words.Count(int64(r.Objects), t.Singular, t.Resource) + " in this namespace",
				Href: web.Page(m.Shell.Cluster.Slug, apipath.Collection(t.Group, t.Version, m.Shell.Path.Name, t.Resource).String()),
			})
		}
	}
	return links
}

// urgency is the rank of a condition in the list.
func urgency(c components.Condition) int {
	switch c.Verdict {
	case condition.Ill:
		return 0
	case condition.Fine:
		return 2
	default:
		return 1
	}
}

func (m Model) since(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return "for " + m.age(t)
}

func (m Model) age(t time.Time) string { return m.about().Age(t) }

// gone tells whether the object was deleted, so that the page shows its last state.
func (m Model) gone() bool { return m.live != nil && m.live.shown.Gone() }

// goneWords say that the object was deleted, and when.
func (m Model) goneWords() string {
	ago := m.age(m.live.shown.Went)
	if m.live.shown.Missed {
		return fmt.Sprintf("Deleted. The page noticed the deletion %s ago. This is the last state that the page received.", ago)
	}
	return fmt.Sprintf("Deleted %s ago. This is the object’s last state.", ago)
}

// renewed tells whether the page showed another object with the same name before.
func (m Model) renewed() bool { return m.live != nil && m.live.shown.Renewed && !m.gone() }

// goingWords say since when the object is being deleted. Its deletionTimestamp is the end of its grace period.
func (m Model) goingWords() string {
	end := m.Object.Deleted()
	grace, err := strconv.Atoi(m.Object.Meta("deletionGracePeriodSeconds"))
	if err != nil {
		grace = 0
	}
	words := fmt.Sprintf("This object is being deleted. The deletion began %s ago.", m.age(end.Add(-time.Duration(grace)*time.Second)))
	if left := end.Sub(m.Now); left > 0 && grace > 0 {
		words += fmt.Sprintf(" Its grace period ends in %s.", table.Duration(left))
	}
	return words
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
