// Package request is an API request as a value. It makes no requests.
//
//	curl …, kubectl … --raw,             ┌─▶ Curl: a command line for curl
//	a log of kubectl,        ─▶ Parse ─▶ Request ─▶ Kubectl: the same, or the most similar, command for kubectl
//	METHOD /path                         └─▶ GoClient: a program with client-go
//
// A Request has no credentials. Parse leaves them out, and says so.
package request

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/plain"
)

// Header is one header of a request or of a response.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Request is an API request. It has no credentials: its sender adds them.
type Request struct {
	Method string     `json:"method"`
	Path   string     `json:"path"` // the API path, escaped, without its query
	Query  url.Values `json:"query,omitempty"`
	Header []Header   `json:"header,omitempty"`
	Body   []byte     `json:"body,omitempty"`
}

// The methods that the API knows, and OPTIONS.
const (
	Get     = "GET"
	Head    = "HEAD"
	Post    = "POST"
	Put     = "PUT"
	Patch   = "PATCH"
	Delete  = "DELETE"
	Options = "OPTIONS"
)

// New returns a request with a method and a target: the API path with its query.
func New(method, target string) Request {
	path, raw, _ := strings.Cut(target, "?")
	query, _ := url.ParseQuery(raw) // like API servers, leave out parameters that can't be read
	if len(query) == 0 {
		query = nil
	}
	return Request{Method: method, Path: canonical(path), Query: query}
}

// canonical is a path as the proxy sends it. An ambiguous path doesn't change.
func canonical(path string) string {
	if p, err := apipath.Parse(path); err == nil {
		return p.String()
	}
	return path
}

// Target is the path with its query, escaped only where necessary. Parameters are in alphabetical order.
func (r Request) Target() string {
	var b strings.Builder
	escape(&b, r.Path, pathToo)
	sep := byte('?')
	for _, name := range sorted(r.Query) {
		for _, value := range r.Query[name] {
			b.WriteByte(sep)
			escape(&b, name, "")
			b.WriteByte('=')
			escape(&b, value, "/:,=@!()*")
			sep = '&'
		}
	}
	return b.String()
}

// pathToo are further characters that need no escape in a path. The percent sign is among them, because the path is already escaped.
const pathToo = "/:,=@!()*$&;+%"

func escape(b *strings.Builder, s, too string) {
	const hex = "0123456789ABCDEF"
	for i := range len(s) {
		c := s[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-_.~", c) >= 0, strings.IndexByte(too, c) >= 0:
			b.WriteByte(c)
		default:
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
}

func sorted(query url.Values) []string {
	names := make([]string, 0, len(query))
	for name := range query {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Field is the value of a header. Names are compared without regard to case. Empty: there is none.
func (r Request) Field(name string) string { return Field(r.Header, name) }

// Field is the value of a header. Names are compared without regard to case. Empty: there is none.
func Field(headers []Header, name string) string {
	for _, h := range headers {
		if strings.EqualFold(h.Name, name) {
			return h.Value
		}
	}
	return ""
}

// With sets a header. An empty value removes it.
func (r Request) With(name, value string) Request {
	kept := make([]Header, 0, len(r.Header)+1)
	for _, h := range r.Header {
		if !strings.EqualFold(h.Name, name) {
			kept = append(kept, h)
		}
	}
	if value != "" {
		kept = append(kept, Header{name, value})
	}
	if len(kept) == 0 {
		kept = nil
	}
	r.Header = kept
	return r
}

// Verb is the API verb that the server checks permissions for; empty: unknown.
func (r Request) Verb() string {
	p, err := apipath.Parse(r.Path)
	if err != nil {
		return ""
	}
	return apipath.Verb(r.Method, p, r.Query)
}

// Carried tells whether a header belongs to the request, and not to the connection, the program or the user that sends it.
func Carried(name string) bool {
	name = strings.ToLower(name)
	switch name {
	case "accept-encoding", "accept-language", "authorization", "connection", "content-length", "cookie", "dnt", "expect", "forwarded", "host", "origin",
		"pragma", "priority", "referer", "te", "traceparent", "tracestate", "trailer", "transfer-encoding", "upgrade", "upgrade-insecure-requests", "user-agent", "via":
		return false
	}
	for _, prefix := range []string{"sec-", "proxy-", "x-forwarded-", "fieldmark-", "x-remote-"} {
		if strings.HasPrefix(name, prefix) {
			return false
		}
	}
	return name != "" && !NamesCredential(name)
}

// carried are the headers that belong to the request and fit on a command line.
func (r Request) carried() []Header {
	var all []Header
	for _, h := range r.Header {
		if Carried(h.Name) && isToken(h.Name) && pastable(h.Value) && !strings.ContainsAny(h.Value, "\n\t") {
			all = append(all, h)
		}
	}
	return all
}

// isToken tells whether a text can be the name of a header.
func isToken(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(c rune) bool {
		return c > '~' || c <= ' ' || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, c)
	})
}

// pastable tells whether a text can be pasted into a terminal: it is UTF-8, and only newlines and tabs in it aren't printable. Other characters
// could end the paste and run commands, or do what nobody sees.
func pastable(s string) bool {
	return utf8.ValidString(s) && !plain.Hides(s)
}
