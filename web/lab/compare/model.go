// Package compare is the page that sends one API request to two clusters, and shows both responses with their differences. If both are objects, it
// first shows which fields have other values or other owners. The second request may have a path of its own, so that two objects of one cluster can be
// compared, too.
//
//	one request ─┬─▶ this cluster  ─▶ response ─┬─▶ kube/compare ─▶ status, headers, lines
//	             └─▶ other cluster ─▶ response ─┴─▶ kube/compare/objects ─▶ fields with their owners
//
// Each cluster gets the request as its own reader, in the same way as from the request console. A GET in the page's address is sent when the page
// opens: by the server, or by the browser's program if it runs. All other requests are sent when the reader says so.
package compare

import (
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/draft"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Kind names the page in the embedded model.
const Kind = "compare"

// The parameters of the page's address, besides those of package draft.
const (
	QueryWith  = "with"  // the slug of the other cluster
	QueryThere = "there" // the path of the second request, if it isn't that of the first
	QueryAll   = "all"   // "1": what always differs counts, too
	querySend  = "send"  // the form was sent
)

// UsualPath is the path of the request if the address has none.
const UsualPath = "/api/v1/namespaces/default/configmaps?limit=2"

// MostKept is how much of each response the browser keeps, in bytes. MostOpened is how much of it the server keeps, because the document has it, too.
const (
	MostKept   = 1 << 20
	MostOpened = 128 << 10
)

// Model is the page's state.
type Model struct {
	page.Frame
	Draft    draft.Draft `json:"draft"`
	Other    string      `json:"other"`           // the slug of the other cluster
	There    string      `json:"there,omitempty"` // the path and the query of the second request; empty: those of the first
	All      bool        `json:"all,omitempty"`
	Versions Pair        `json:"versions"`
	Result   *Result     `json:"result,omitempty"` // of the request that was sent last; nil: none

	live *live // nil on the server
}

// Pair has a text about each of the two servers.
type Pair [2]string

// Parse reads the query of the page's address. The slugs are those of the clusters that the reader has.
func Parse(here string, slugs []string, query url.Values) Model {
	if query.Get(draft.QueryPath) == "" {
		query = url.Values{draft.QueryPath: {UsualPath}, QueryWith: query[QueryWith], QueryThere: query[QueryThere], QueryAll: query[QueryAll]}
	}
	m := Model{Draft: draft.Parse(query), Other: query.Get(QueryWith), There: strings.TrimSpace(query.Get(QueryThere)), All: query.Get(QueryAll) == "1"}
	if !slices.Contains(slugs, m.Other) {
		m.Other = another(here, slugs)
	}
	return m
}

// another is the cluster with which a cluster is compared at first: the next one in the list.
func another(here string, slugs []string) string {
	if len(slugs) == 0 {
		return here
	}
	return slugs[(slices.Index(slugs, here)+1)%len(slugs)]
}

// slugs are the clusters that the reader has.
func (m Model) slugs() []string {
	all := make([]string, len(m.Shell.Clusters))
	for i, c := range m.Shell.Clusters {
		all[i] = c.Slug
	}
	return all
}

// name is the name of one of the two clusters.
func (m Model) name(side int) string {
	slug := m.slug(side)
	for _, c := range m.Shell.Clusters {
		if c.Slug == slug {
			return c.Name
		}
	}
	return slug
}

func (m Model) slug(side int) string {
	if side == 0 {
		return m.Shell.Cluster.Slug
	}
	return m.Other
}

// draft is the request to one of the two clusters, as it is written. What writes goes to the same path of both.
func (m Model) draft(side int) draft.Draft {
	d := m.Draft
	if side == 1 && m.There != "" && !d.Writes() {
		d.Target = m.There
	}
	return d
}

// alone tells whether the reader has one cluster only.
func (m Model) alone() bool { return len(m.Shell.Clusters) < 2 }

// same tells whether both clusters are the same.
func (m Model) same() bool { return m.Other == m.Shell.Cluster.Slug }

// Opens tells whether the requests are sent when the page opens. A GET that only reads is. A request to a workload can have any effect, and a stream
// needs the program in the browser.
func (m Model) Opens() bool {
	for side := range sides {
		d := m.draft(side)
		if p, ok := d.Path(); !ok || d.Method != request.Get || p.Connects() || d.Streams() {
			return false
		}
	}
	return m.mayNot() == ""
}

// Request is the request to one of the two clusters.
func (m Model) Request(side int) call.Call {
	r := m.draft(side).Request()
	x := call.Call{ID: callID(side), Cluster: m.slug(side), Method: r.Method, Path: r.Target(), Header: r.Header, Body: r.Body, Keep: MostKept}
	if m.draft(side).Streams() {
		x.Coding = "identity" // API servers hold back events in a compressed stream
	}
	return x
}

func callID(side int) string { return []string{"compare-left", "compare-right"}[side] }

// pathTrouble says why a path can't be read; empty: both can.
func (m Model) pathTrouble() string {
	for side := range sides {
		if _, err := apipath.Parse(m.draft(side).Request().Path); err != nil {
			return err.Error()
		}
	}
	return ""
}

// Content implements page.Page.
func (m Model) Content() templ.Component {
	return content(m.begun())
}

// Head implements page.Headed.
func (m Model) Head() page.Head { return page.Head{Small: page.Brief(m), Below: below(m.begun())} }

// begun is the page with its live state, which the server doesn't have.
func (m Model) begun() Model {
	if m.live == nil {
		m.live = &live{lines: firstLines}
	}
	return m
}

// link is the page's address for a draft.
func (m Model) link(d draft.Draft) string {
	query := d.Query()
	if !m.alone() {
		query.Set(QueryWith, m.Other)
	}
	if m.There != "" {
		query.Set(QueryThere, draft.Draft{Target: m.There}.Shareable())
	}
	if m.All {
		query.Set(QueryAll, "1")
	}
	return web.WithQuery(m.tool(), query)
}

// toggled is the page's address with the other choice of what counts.
func (m Model) toggled() string {
	m.All = !m.All
	return m.link(m.Draft)
}

func (m Model) tool() string { return web.Tool(m.Shell.Cluster.Slug, web.Compare) }

// menu are the clusters to choose from.
func (m Model) menu() []components.Link {
	links := make([]components.Link, len(m.Shell.Clusters))
	for i, c := range m.Shell.Clusters {
		links[i] = components.Link{Text: c.Name, Href: c.Slug, Current: c.Slug == m.Other}
	}
	return links
}
