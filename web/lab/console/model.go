// Package console is the request console: any request to the API, made by hand, and its response as it arrives. The page's address has
// everything that a reader would share, but never a secret.
package console

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// Kind names the page in the embedded model.
const Kind = "request"

// The parameters of the page's address.
const (
	QueryMethod      = web.ConsoleMethod
	QueryPath        = web.ConsolePath
	QueryAccept      = web.ConsoleAccept
	QueryContentType = "contentType" // the same, of the body
	QueryBody        = web.ConsoleBody
	queryParameter   = "q."    // before the name of a parameter, in the form without scripts
	queryOther       = "other" // a media type that has no name here
	querySend        = "send"  // the form was sent
)

// Model is the page's state.
type Model struct {
	Shell    shell.Model `json:"shell"`
	Draft    Draft       `json:"draft"`
	Practice bool        `json:"practice"` // the practice cluster: the page doesn't ask before it writes

	live *live // nil on the server; see Content
}

// Draft is a request as it is being written.
type Draft struct {
	Method      string           `json:"method"`
	Target      string           `json:"target"` // the API path with its query, as it was typed
	Accept      string           `json:"accept,omitempty"`
	ContentType string           `json:"contentType,omitempty"`
	Header      []request.Header `json:"header,omitempty"` // besides the two above
	Body        string           `json:"body,omitempty"`
}

// methods are the methods to choose from.
var methods = []string{request.Get, request.Post, request.Put, request.Patch, request.Delete, request.Head, request.Options}

// ParseDraft reads the page's query.
func ParseDraft(query url.Values) Draft {
	d := Draft{Method: strings.ToUpper(query.Get(QueryMethod)), Target: strings.TrimSpace(query.Get(QueryPath))}
	if !known(d.Method) {
		d.Method = request.Get
	}
	if d.Target == "" {
		d.Target = "/api/v1/namespaces"
	}
	d.Accept = mediaOf(accepts, query.Get(QueryAccept))
	if other := query.Get(queryOther); other != "" && query.Get(QueryAccept) == otherName {
		d.Accept = other
	}
	if d.writes() {
		d.ContentType = mediaOf(contents, query.Get(QueryContentType))
		d.Body = query.Get(QueryBody)
	}
	d = d.withParameters(query)
	if d.ContentType == "" && d.hasBody() {
		d.ContentType = d.usualType()
	}
	return d
}

func known(method string) bool {
	for _, m := range methods {
		if m == method {
			return true
		}
	}
	return false
}

// withParameters takes in the fields of the form without scripts, each of which is a parameter.
func (d Draft) withParameters(query url.Values) Draft {
	for name, values := range query {
		if name, is := strings.CutPrefix(name, queryParameter); is && len(values) == 1 {
			if before := d.call().Query.Get(name); before != values[0] {
				d = d.set(name, values[0])
			}
		}
	}
	return d
}

// set sets a parameter. An empty value removes it.
func (d Draft) set(name, value string) Draft {
	r := d.call()
	query := url.Values{}
	for key, values := range r.Query {
		query[key] = values
	}
	query.Del(name)
	if value != "" {
		query.Set(name, value)
	}
	r.Query = query
	d.Target = r.Target()
	return d
}

// call is the request.
func (d Draft) call() request.Request {
	r := request.New(d.Method, d.Target)
	if d.Accept != "" {
		r = r.With("Accept", d.Accept)
	}
	if d.hasBody() && d.Body != "" {
		if d.ContentType != "" {
			r = r.With("Content-Type", d.ContentType)
		}
		r.Body = []byte(d.Body)
	}
	r.Header = append(r.Header, d.Header...)
	return r
}

// draftOf is a request as a draft.
func draftOf(r request.Request) Draft {
	d := Draft{Method: r.Method, Target: r.Target(), Accept: r.Field("Accept"), ContentType: r.Field("Content-Type"), Body: string(r.Body)}
	if !known(d.Method) {
		d.Method = request.Get
	}
	if d.Accept == "*/*" {
		d.Accept = ""
	}
	for _, h := range r.Header {
		if !strings.EqualFold(h.Name, "Accept") && !strings.EqualFold(h.Name, "Content-Type") {
			d.Header = append(d.Header, h)
		}
	}
	return d
}

// path is the parsed path without its query; false: it can't be read.
func (d Draft) path() (apipath.Path, bool) {
	p, err := apipath.Parse(d.call().Path)
	return p, err == nil
}

// writes tells whether the method is one that writes.
func (d Draft) writes() bool {
	return d.Method == request.Post || d.Method == request.Put || d.Method == request.Patch || d.Method == request.Delete
}

func (d Draft) hasBody() bool { return d.writes() }

// stores tells whether the request may change something. A dry run doesn't, and a review doesn't.
func (d Draft) stores() bool {
	p, ok := d.path()
	return d.writes() && (!ok || !reviews(p)) && d.call().Query.Get("dryRun") != "All"
}

// reviews tells whether a collection is of a review type. The API server responds to a review, and doesn't store it.
func reviews(p apipath.Path) bool {
	return p.Kind == apipath.KindCollection && (p.Group == "authorization.k8s.io" || p.Group == "authentication.k8s.io")
}

// secret tells whether the request or its response may contain values of Secrets, or tokens.
func (d Draft) secret() bool {
	if p, ok := d.path(); !ok || p.Resource == "secrets" || p.OfTokens() || p.Connects() {
		return true
	}
	return object.MayHold([]byte(d.Body))
}

// mostBody is the limit of API servers for a body, in bytes.
const mostBody = 3 << 20

// query is the draft as the page's query, without secrets.
func (d Draft) query() url.Values {
	query := url.Values{QueryMethod: {d.Method}, QueryPath: {d.shareable()}, QueryAccept: {nameOf(accepts, d.Accept)}}
	if d.hasBody() && d.Body != "" {
		query.Set(QueryContentType, nameOf(contents, d.ContentType))
		if !d.secret() && len(d.Body) <= web.MostInAddress && utf8.ValidString(d.Body) {
			query.Set(QueryBody, d.Body)
		}
	}
	if d.Method == request.Get {
		query.Del(QueryMethod)
	}
	return query
}

// shareable is the target without parameters whose names are those of credentials.
func (d Draft) shareable() string {
	r := d.call()
	left := false
	for name := range r.Query {
		if request.NamesCredential(name) {
			r.Query.Del(name)
			left = true
		}
	}
	if !left {
		return d.Target
	}
	return r.Target()
}

// unshared says what the page's address leaves out; empty: nothing.
func (d Draft) unshared() string {
	switch {
	case d.hasBody() && d.Body != "" && d.secret():
		return "The body isn’t saved or part of this page’s address, because it may contain secrets."
	case d.hasBody() && len(d.Body) > web.MostInAddress:
		return "The body isn’t part of this page’s address, because it is too long."
	case d.shareable() != d.Target:
		return "Parameters that look like credentials aren’t saved or part of this page’s address."
	}
	return ""
}

// View is the whole document.
func (m Model) View() templ.Component { return page.View(m) }

// Kind implements page.Page.
func (Model) Kind() string { return Kind }

// Content implements page.Page.
func (m Model) Content() templ.Component {
	if m.live == nil {
		m.live = &live{} // on the server: nothing has happened yet
	}
	return content(m)
}

// Frame implements page.Page.
func (m Model) Frame() shell.Model { return m.Shell }

// link is the page's address for a draft.
func (m Model) link(d Draft) string {
	return web.WithQuery(web.Tool(m.Shell.Cluster.Slug, web.Request), d.query())
}
