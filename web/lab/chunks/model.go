// Package chunks is the page that lists a collection chunk by chunk: each request, its continue token, and the changes that happen at the
// same time.
package chunks

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/chunk"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// The parameters of the page's address.
const (
	QueryPath  = "path"
	QueryLimit = "limit"
)

// Kind names the page in the embedded model.
const Kind = "chunks"

// UsualPath and UsualLimit are the defaults of the form.
const (
	UsualPath  = "/api/v1/pods"
	UsualLimit = 500
	MostLimit  = 100_000
)

// Model is the page's state.
type Model struct {
	page.Frame
	Target call.Target `json:"target"`
	Text   string      `json:"text"` // the collection as the reader typed it
	Limit  int         `json:"limit"`

	live live
}

// Parse reads the query of the page's address.
func Parse(query url.Values) Model {
	m := Model{Text: strings.TrimSpace(query.Get(QueryPath)), Limit: UsualLimit}
	if m.Text == "" {
		m.Text = UsualPath
	}
	_, asked, _ := strings.Cut(m.Text, "?")
	given := query.Get(QueryLimit)
	if q, err := url.ParseQuery(asked); err == nil && given == "" {
		given = q.Get(QueryLimit)
	}
	if n, err := strconv.Atoi(given); err == nil && n >= 1 && n <= MostLimit {
		m.Limit = n
	}
	target, err := call.ParseTarget(m.Text)
	if err != nil {
		m.Problem = &components.Notice{
			Tone: components.Warn, Title: "This path is not a collection", Words: components.Sentence(err.Error()),
			Advice: "A collection has a path such as " + UsualPath + " or /apis/apps/v1/namespaces/default/deployments.",
		}
		return m
	}
	m.Target, m.Text = target, target.String()
	return m
}

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Head implements page.Headed.
func (m Model) Head() page.Head {
	return page.Head{Small: page.Brief(m), Lead: lead(), Below: form(m)}
}

// Keys implements page.Keyed.
func (m Model) Keys() []components.Key {
	return []components.Key{
		{Keys: []string{"l"}, Does: "Request the next chunk"},
		{Keys: []string{"G"}, Does: "Request all remaining chunks"},
		{Keys: []string{"g"}, Does: "Start over"},
		{Keys: []string{"w"}, Does: "Watch from the list’s version, or stop"},
	}
}

func (m Model) action() string { return web.Tool(m.Shell.Cluster.Slug, web.Chunks) }

func (m Model) pageAddress() string {
	return web.WithQuery(m.action(), url.Values{QueryPath: {m.Text}, QueryLimit: {strconv.Itoa(m.Limit)}})
}

// request is a request for a chunk, with only the metadata of each object.
func (m Model) request(id string, r chunk.Run) call.Call {
	return call.Call{
		ID: id, Cluster: m.Shell.Cluster.Slug, Method: "GET", Path: m.Target.With(r.Query(nil)),
		Header: []request.Header{{Name: "Accept", Value: accept.MetadataList}},
	}
}

// first is the first request.
func (m Model) first() call.Call { return m.request("first", chunk.Begin(m.Limit)) }

// collection is the address of the collection's page.
func (m Model) collection() string { return web.Page(m.Shell.Cluster.Slug, m.Target.String()) }
