// Package request is an API request as a value. It writes the request as a line for curl, as a line for kubectl and as a Go program. It
// also reads a line for curl, and what kubectl logs.
package request

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/fieldmark/fieldmark/kube/apipath"
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

// New is a request, given its target: the API path with its query.
func New(method, target string) Request {
	path, raw, _ := strings.Cut(target, "?")
	query, _ := url.ParseQuery(raw) // what can't be read is left out, as API servers do
	if len(query) == 0 {
		query = nil
	}
	return Request{Method: method, Path: canonical(path), Query: query}
}

// canonical writes a path as the proxy sends it, where it has one reading.
func canonical(path string) string {
	if p, err := apipath.Parse(path); err == nil {
		return p.String()
	}
	return path
}

// Target is the path with its query, with nothing escaped that can stand as it is. Parameters are in their alphabetical order.
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

// pathToo is what may stand in a path as it is, its escapes among it.
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

// Field is the value of a field of the head, whatever case its name is written in; empty: there is none.
func (r Request) Field(name string) string { return Field(r.Header, name) }

// Field is the value of a header, whatever case its name is written in; empty: there is none.
func Field(headers []Header, name string) string {
	for _, h := range headers {
		if strings.EqualFold(h.Name, name) {
			return h.Value
		}
	}
	return ""
}

// With sets a field of the head; an empty value takes it out.
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

// Verb is the API verb that the request is authorized as; empty: none is known.
func (r Request) Verb() string {
	p, err := apipath.Parse(r.Path)
	if err != nil {
		return ""
	}
	return apipath.Verb(r.Method, p, r.Query)
}

// Carried tells whether a field of a head belongs to a request, and not to the connection, the program that sends it, or who does.
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
	return name != ""
}

// carried are the fields that can stand in a line, and belong to the request.
func (r Request) carried() []Header {
	var all []Header
	for _, h := range r.Header {
		if Carried(h.Name) && isToken(h.Name) && plain(h.Value) && !strings.ContainsAny(h.Value, "\n\t") {
			all = append(all, h)
		}
	}
	return all
}

// isToken tells whether a text can be the name of a field.
func isToken(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(c rune) bool {
		return c > '~' || c <= ' ' || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, c)
	})
}

// plain tells whether a text can be pasted into a terminal: it is UTF-8, and of the control characters it has line ends and
// tabulators only. Others could end the paste, and type.
func plain(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(c rune) bool {
		return unicode.IsControl(c) && c != '\n' && c != '\t'
	})
}
