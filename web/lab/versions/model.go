// Package versions is the version laboratory. Each combination of resourceVersion, resourceVersionMatch and paging is a cell with a request:
// predict its meaning, send it, and compare.
package versions

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/chunk"
	"github.com/fieldmark/fieldmark/kube/request"
	rules "github.com/fieldmark/fieldmark/kube/resourceversion"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// The parameters of the page's address.
const (
	QueryPath = "path"
	QueryCell = "cell"
)

// Kind names the page in the embedded model.
const Kind = "versions"

// usualPath is the default collection.
const usualPath = "/api/v1/configmaps"

// limit is the limit of the requests that have one.
const limit = 1

// ahead is the distance of the version from the future. No cluster writes so much while somebody looks at the page.
const ahead = 1_000_000

// Model is the page's state.
type Model struct {
	page.Frame
	Target call.Target  `json:"target"`
	Text   string       `json:"text"` // the collection as the reader typed it
	Cell   string       `json:"cell"` // the opened cell
	Values rules.Values `json:"values"`
	Object string       `json:"object"` // the path of the object for get; empty: there is none

	live live
}

// Parse reads the query of the page's address.
func Parse(query url.Values) Model {
	m := Model{Text: strings.TrimSpace(query.Get(QueryPath)), Cell: query.Get(QueryCell), Values: rules.Values{Limit: limit}}
	if m.Text == "" {
		m.Text = usualPath
	}
	if _, _, ok := findCell(m.Cell); !ok {
		m.Cell = cellID(rules.Rows[0], rules.Unset)
	}
	target, err := call.ParseTarget(m.Text)
	if err != nil {
		m.Problem = &components.Notice{
			Tone: components.Warn, Title: "This path is not a collection", Words: components.Sentence(err.Error()),
			Advice: "A collection has a path such as " + usualPath + " or /apis/apps/v1/namespaces/default/deployments.",
		}
		return m
	}
	m.Target, m.Text = target, target.String()
	if target.Name != "" {
		m.Object = apipath.Object(target.Path.Group, target.Path.Version, target.Path.Namespace, target.Path.Resource, target.Name).String()
	}
	return m
}

// Fill takes values from a list with a limit. The newest version until now becomes the old one. At first, the old one is the version of an
// object's last write.
func (m Model) Fill(a chunk.Answer) Model {
	former := m.Values.Current
	v := rules.Values{Old: m.Values.Old, Current: a.Version, Token: a.Continue, Of: a.Version, Limit: limit}
	switch {
	case former != "" && former != a.Version:
		v.Old = former
	case v.Old == "" && len(a.Items) > 0:
		v.Old = a.Items[0].Version
	}
	if n, err := strconv.ParseUint(a.Version, 10, 63); err == nil {
		v.Future = strconv.FormatUint(n+ahead, 10)
	}
	if m.Object == "" && len(a.Items) > 0 {
		p, i := m.Target.Path, a.Items[0]
		m.Object = apipath.Object(p.Group, p.Version, i.Namespace, p.Resource, i.Name).String()
	}
	m.Values = v
	return m
}

// First is the request for the list that the values are from.
func (m Model) First() string { return m.Target.With(url.Values{"limit": {strconv.Itoa(limit)}}) }

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Head implements page.Headed.
func (m Model) Head() page.Head {
	return page.Head{Small: page.Brief(m), Lead: lead(), Below: collectionForm(m)}
}

// Keys implements page.Keyed.
func (m Model) Keys() []components.Key {
	return []components.Key{
		{Keys: []string{"h", "j", "k", "l"}, Does: "Go to another cell"},
		{Keys: []string{"1", "…", "6"}, Does: "Predict the meaning of the cell"},
		{Keys: []string{"s"}, Does: "Send the cell’s request"},
		{Keys: []string{"S"}, Does: "Send all"},
		{Keys: []string{"m"}, Does: "Show or hide all meanings"},
	}
}

func (m Model) action() string { return web.Tool(m.Shell.Cluster.Slug, web.Versions) }

func (m Model) cellAddress(cell string) string {
	return web.WithQuery(m.action(), url.Values{QueryPath: {m.Text}, QueryCell: {cell}})
}

// cellID is the id of a cell.
func cellID(r rules.Row, c rules.Column) string { return r.ID + "." + string(c) }

// findCell is the cell of an id.
func findCell(id string) (rules.Row, rules.Column, bool) {
	row, column, _ := strings.Cut(id, ".")
	r, ok := rules.Find(row)
	for _, c := range rules.Columns {
		if ok && string(c) == column {
			return r, c, true
		}
	}
	return rules.Row{}, "", false
}

// request is the request of a cell, for only the metadata of each object. why says why there is none; empty: there is one.
func (m Model) request(id string) (x call.Call, why string) {
	r, c, _ := findCell(id)
	x = call.Call{ID: id, Cluster: m.Shell.Cluster.Slug, Method: "GET", Keep: 8 << 20}
	q := r.Query(c, m.Values)
	as := accept.MetadataList
	switch r.Verb {
	case rules.Get:
		as, x.Path = accept.Metadata, m.Object
		if len(q) > 0 {
			x.Path += "?" + q.Encode()
		}
		if m.Object == "" {
			why = "there is no object to get"
		}
	case rules.Watch:
		as = accept.Metadata
		x.Path = m.Target.With(q)
	default:
		x.Path = m.Target.With(q)
	}
	x.Header = []request.Header{{Name: "Accept", Value: as}}
	if missing := m.Values.Missing(r, c); missing != "" {
		why = missing
	}
	return x, why
}
