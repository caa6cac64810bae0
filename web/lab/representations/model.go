// Package representations is the page that requests one path of the API in every format: JSON, YAML, a Table, metadata only, Protobuf
// and CBOR. It shows the size of each and the time it takes, and explains the bytes.
package representations

import (
	"net/url"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/media"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Kind names the page in the embedded model.
const Kind = "representations"

// Fields of the page's query.
const (
	QueryPath   = "path"   // API path, with its query
	QueryAs     = "as"     // the opened format
	QueryPretty = "pretty" // "1": JSON indented
	QueryAccept = "accept" // a list that the reader tries out
)

// Model is the page's state.
type Model struct {
	page.Frame
	Asked    string         `json:"asked"` // the API path with its query; empty: none yet
	Path     apipath.Path   `json:"path"`
	Type     discovery.Type `json:"type"` // of what is at the path; zero: it is none that discovery tells of
	As       media.ID       `json:"as"`
	Indented bool           `json:"indented"`
	Accept   string         `json:"accept"`

	live *live
}

// New is the page for an address.
func New(frame page.Frame, query url.Values) Model {
	m := Model{Frame: frame, Asked: strings.TrimSpace(query.Get(QueryPath))}
	m.choose(query)
	if m.Asked == "" {
		return m
	}
	target, asked, _ := strings.Cut(m.Asked, "?")
	path, err := apipath.Parse(target)
	if err != nil {
		m.Problem = &components.Notice{Tone: components.Warn, Title: "This is not an API path", Words: components.Sentence(err.Error())}
		return m
	}
	m.Path = path
	m.Problem = unfit(path, asked)
	if path.IsResource() {
		m.Type, _ = frame.Shell.Catalog.Type(path.Group, path.Version, path.Resource)
		m.Shell.Path = apipath.Path{Namespace: path.Namespace}
	}
	return m
}

// choose takes the settings from a query that can change without a new path.
func (m *Model) choose(query url.Values) {
	m.As, m.Indented, m.Accept = media.ID(query.Get(QueryAs)), query.Get(QueryPretty) == "1", strings.TrimSpace(query.Get(QueryAccept))
	if m.As == "" {
		m.As = media.Protobuf
	}
}

// unfit says why the page can't compare the formats of a path; nil: it can.
func unfit(path apipath.Path, asked string) *components.Notice {
	query, err := url.ParseQuery(asked)
	n := &components.Notice{Tone: components.Warn, Title: "This path can’t be compared"}
	switch {
	case err != nil:
		n.Words = "The query of the path isn’t valid."
	case path.Watch || query.Get("watch") != "" && query.Get("watch") != "false" && query.Get("watch") != "0":
		n.Words = "A watch is a stream that doesn’t end. Remove watch from the query to compare the list instead."
	case path.Connects() || path.Kind == apipath.KindSubresource && path.Subresource == "log":
		n.Words = "The subresource " + path.Subresource + " passes on the data of a workload, always in the same format."
	default:
		return nil
	}
	return n
}

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Head implements page.Headed.
func (m Model) Head() page.Head {
	h := page.Head{
		Live: new(m.liveness()), Below: controls(m),
		Lead: page.Text("Compare one API path in every format that the server can send. The Accept header of the request chooses the format. " +
			"See the size and the time of each format, and what the bytes mean."),
	}
	if m.fits() {
		h.Where = m.anatomy()
	}
	return h
}

// Keys implements page.Keyed.
func (m Model) Keys() []components.Key {
	return []components.Key{
		{Keys: []string{"j", "k"}, Does: "Next and previous range of bytes (in the hex view also the arrow keys)"},
		{Keys: []string{"g", "G"}, Does: "First and last range of bytes"},
	}
}

// fits tells whether there is a path that the page can compare.
func (m Model) fits() bool { return m.Asked != "" && m.Problem == nil }

// secret tells whether the path is of Secrets or tokens.
func (m Model) secret() bool {
	return m.Path.OfSecrets() || m.Path.OfTokens()
}

// hides tells whether a response may contain secrets, by its path or by its content.
func (m Model) hides(x call.Call) bool { return m.secret() || object.MayHold(x.Kept) }

// forms are the formats for the path.
func (m Model) forms() []media.Form { return media.Forms(m.Path) }

// form is the opened format.
func (m Model) form() media.Form {
	all := m.forms()
	for _, f := range all {
		if f.ID == m.As {
			return f
		}
	}
	return all[0]
}

// textual are the formats that a server can indent.
func textual(id media.ID) bool { return id == media.JSON || id == media.Table || id == media.Metadata }

// target is the path with its query. It always has the parameter pretty, because API servers indent JSON for browsers and curl without it.
func (m Model) target(id media.ID) string {
	_, asked, _ := strings.Cut(m.Asked, "?")
	target := m.Path.String() // the canonical spelling
	query, _ := url.ParseQuery(asked)
	if textual(id) && !query.Has("pretty") {
		pretty := "pretty=false"
		if m.Indented {
			pretty = "pretty=true"
		}
		asked = strings.TrimPrefix(asked+"&"+pretty, "&")
	}
	if asked == "" {
		return target
	}
	return target + "?" + asked
}

func (m Model) tool() string { return web.Tool(m.Shell.Cluster.Slug, web.Representations) }

// pageAddress is the address of the page with some changed values. An empty value removes a parameter.
func (m Model) pageAddress(changed ...string) string {
	q := url.Values{QueryPath: {m.Asked}, QueryAs: {string(m.As)}, QueryAccept: {m.Accept}}
	if m.Indented {
		q.Set(QueryPretty, "1")
	}
	for i := 0; i+1 < len(changed); i += 2 {
		q.Set(changed[i], changed[i+1])
	}
	return web.WithQuery(m.tool(), q)
}

// anatomy is the requested path in its parts.
func (m Model) anatomy() []components.Segment {
	frame := m.Shell
	frame.Path = m.Path
	return frame.Anatomy()
}

// curl is the request for readers without the program in the browser.
func (m Model) curl(f media.Form) string {
	r := request.New(request.Get, m.target(f.ID)).With("Accept", f.Accept)
	return r.Curl(m.Shell.Server()) + " | wc -c"
}

// tabs are the links to the formats.
func (m Model) tabs() []components.Link {
	var links []components.Link
	for _, f := range m.forms() {
		links = append(links, components.Link{Text: f.Title, Href: m.pageAddress(QueryAs, string(f.ID)), Current: f.ID == m.form().ID, Hint: f.Means, Why: why.In(topics, f.ID)})
	}
	return links
}

// topics explain the formats in the guide.
var topics = map[media.ID]why.Topic{
	media.JSON:     why.JSON,
	media.YAML:     why.YAML,
	media.Table:    why.Tables,
	media.Metadata: why.Representations,
	media.Protobuf: why.Protobuf,
	media.CBOR:     why.CBOR,
}

// suggestions are paths to start with.
func (m Model) suggestions() []components.Link {
	var links []components.Link
	for _, path := range []string{"/api/v1/namespaces/kube-system/pods", "/apis/apps/v1/deployments", "/api/v1/configmaps?limit=20", "/apis"} {
		m.Asked = path
		links = append(links, components.Link{Text: path, Href: m.pageAddress(QueryAs, "")})
	}
	return links
}

// Awake implements page.Page.
func (m Model) Awake(now time.Time) (page.Page, []page.Cmd) {
	m.live = &live{piece: noStop, now: now}
	if !m.fits() {
		return m, nil
	}
	m.live.resetLanes(m)
	m.live.queueAllFormats(m, 1)
	if m.Accept != "" {
		m.live.tryOut(m, m.Accept)
	}
	return m, m.live.sendNextRequest()
}
