// Package draft is an API request as a reader writes it, on pages that send any request. It tells what such a request may do, which of its parts
// may be secret, and how the page's address has the others.
package draft

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web"
)

// The parameters of a page's address that a draft has, and the fields of its form.
const (
	QueryMethod      = web.ConsoleMethod
	QueryPath        = web.ConsolePath
	QueryAccept      = web.ConsoleAccept
	QueryContentType = web.ConsoleContent
	QueryBody        = web.ConsoleBody
	QueryParameter   = "q."    // before the name of a parameter, in the form without scripts
	QueryOther       = "other" // a media type that has no name here
)

// MostBody is the limit of API servers for a body, in bytes.
const MostBody = 3 << 20

// Draft is a request as it is being written.
type Draft struct {
	Method      string           `json:"method"`
	Target      string           `json:"target"` // the API path with its query, as it was typed
	Accept      string           `json:"accept,omitempty"`
	ContentType string           `json:"contentType,omitempty"`
	Header      []request.Header `json:"header,omitempty"` // besides the two above
	Body        string           `json:"body,omitempty"`
}

// Methods are the methods to choose from.
var Methods = []string{request.Get, request.Post, request.Put, request.Patch, request.Delete, request.Head, request.Options}

// Parse reads the query of a page's address. Without a path, the draft lists the namespaces.
func Parse(query url.Values) Draft {
	d := Draft{Method: strings.ToUpper(query.Get(QueryMethod)), Target: strings.TrimSpace(query.Get(QueryPath))}
	if !known(d.Method) {
		d.Method = request.Get
	}
	if d.Target == "" {
		d.Target = "/api/v1/namespaces"
	}
	d.Accept = MediaOf(Accepts, query.Get(QueryAccept))
	if other := query.Get(QueryOther); other != "" && query.Get(QueryAccept) == Other {
		d.Accept = other
	}
	if d.Writes() {
		d.ContentType = MediaOf(Contents, query.Get(QueryContentType))
		d.Body = query.Get(QueryBody)
	}
	d = d.withParameters(query)
	if d.ContentType == "" && d.HasBody() {
		d.ContentType = d.usualType()
	}
	return d
}

func known(method string) bool { return slices.Contains(Methods, method) }

// withParameters takes in the fields of the form without scripts, each of which is a parameter.
func (d Draft) withParameters(query url.Values) Draft {
	for name, values := range query {
		if name, is := strings.CutPrefix(name, QueryParameter); is && len(values) == 1 {
			if before := d.Request().Query.Get(name); before != values[0] {
				d = d.Set(name, values[0])
			}
		}
	}
	return d
}

// Set sets a parameter. An empty value removes it.
func (d Draft) Set(name, value string) Draft {
	r := d.Request()
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

// Request is the request.
func (d Draft) Request() request.Request {
	r := request.New(d.Method, d.Target)
	if d.Accept != "" {
		r = r.With("Accept", d.Accept)
	}
	if d.HasBody() && d.Body != "" {
		if d.ContentType != "" {
			r = r.With("Content-Type", d.ContentType)
		}
		r.Body = []byte(d.Body)
	}
	r.Header = append(r.Header, d.Header...)
	return r
}

// Of is a request as a draft.
func Of(r request.Request) Draft {
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

// Path is the parsed path without its query; false: it can't be read.
func (d Draft) Path() (apipath.Path, bool) {
	p, err := apipath.Parse(d.Request().Path)
	return p, err == nil
}

// Writes tells whether the method is one that writes.
func (d Draft) Writes() bool {
	return d.Method == request.Post || d.Method == request.Put || d.Method == request.Patch || d.Method == request.Delete
}

// HasBody tells whether a request with the method may have a body.
func (d Draft) HasBody() bool { return d.Writes() }

// Stores tells whether the request may change something. A dry run doesn't, and a review doesn't.
func (d Draft) Stores() bool {
	p, ok := d.Path()
	return d.Writes() && (!ok || !reviews(p)) && d.Request().Query.Get("dryRun") != "All"
}

// reviews tells whether a collection is of a review type. The API server responds to a review, and doesn't store it.
func reviews(p apipath.Path) bool {
	return p.Kind == apipath.KindCollection && (p.Group == "authorization.k8s.io" || p.Group == "authentication.k8s.io")
}

// Secret tells whether the request or its response may contain values of Secrets, or tokens.
func (d Draft) Secret() bool {
	if p, ok := d.Path(); !ok || p.Resource == "secrets" || p.OfTokens() || p.Connects() {
		return true
	}
	return object.MayHold([]byte(d.Body))
}

// Streams tells whether the response is a stream: a watch, or a log that is followed.
func (d Draft) Streams() bool {
	r := d.Request()
	p, ok := d.Path()
	follow := r.Query.Get("follow")
	return ok && (r.Verb() == "watch" || p.Subresource == "log" && follow != "" && follow != "false" && follow != "0")
}

// Query is the draft as the page's query, without secrets.
func (d Draft) Query() url.Values {
	query := url.Values{QueryMethod: {d.Method}, QueryPath: {d.Shareable()}, QueryAccept: {NameOf(Accepts, d.Accept)}}
	if d.HasBody() && d.Body != "" {
		query.Set(QueryContentType, NameOf(Contents, d.ContentType))
		if !d.Secret() && len(d.Body) <= web.MostInAddress && utf8.ValidString(d.Body) {
			query.Set(QueryBody, d.Body)
		}
	}
	if d.Method == request.Get {
		query.Del(QueryMethod)
	}
	return query
}

// Shareable is the target without parameters whose names are those of credentials.
func (d Draft) Shareable() string {
	r := d.Request()
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

// Unshared says what the page's address leaves out; empty: nothing.
func (d Draft) Unshared() string {
	switch {
	case d.HasBody() && d.Body != "" && d.Secret():
		return "The body isn’t saved or part of this page’s address, because it may contain secrets."
	case d.HasBody() && len(d.Body) > web.MostInAddress:
		return "The body isn’t part of this page’s address, because it is too long."
	case d.Shareable() != d.Target:
		return "Parameters that look like credentials aren’t saved or part of this page’s address."
	}
	return ""
}

// Mismatch says that the body doesn't fit its media type; empty: no mismatch is known.
func (d Draft) Mismatch() string {
	if strings.TrimSpace(d.Body) == "" || !strings.Contains(d.ContentType, "json") || json.Valid([]byte(d.Body)) {
		return ""
	}
	if d.Method == request.Patch {
		return "The media type says JSON, but the body isn’t valid JSON."
	}
	return "The media type says JSON, but the body isn’t valid JSON. If the body is YAML, choose YAML."
}
