// Package anatomy splits a request of a lesson into its parts, and explains each part.
//
//	PATCH /api/v1/namespaces/{{namespace}}/configmaps/settings?fieldManager=you
//	│      │           │                             │        └ parameter.For: what it does to the verb
//	│      └ shell.AnatomyOf: group, version, namespace, resource type, name
//	└ methodWords: the API verb that a Role must allow
package anatomy

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/layout"
	"github.com/fieldmark/fieldmark/kube/parameter"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// part is a piece of a request as it is shown, with its explanation.
type part struct {
	before string // the sign between the part before and this one: a slash, a question mark, an ampersand
	pieces []lesson.Piece
	name   string // of this kind of part, such as "namespace"
	words  string // the explanation; empty: there is none
	new    bool   // the request before hasn't it; see Request.Since
}

// plainText is the part as plain text, without the marks of variables.
func (p part) plainText() string {
	var b strings.Builder
	for _, piece := range p.pieces {
		b.WriteString(piece.Text)
	}
	return b.String()
}

// header is one header of a request.
type header struct {
	name  string
	value part
}

// Request is a request in its parts.
type Request struct {
	method  part
	target  []part // the path's segments, then the query's parameters
	headers []header
	body    part
	lines   []row // of the body
}

// all are the parts that have a number, from 0: the method, the target's parts, the values of the headers.
func (t Request) all() []part {
	all := append([]part{t.method}, t.target...)
	for _, h := range t.headers {
		all = append(all, h.value)
	}
	return all
}

// Look is what a request's parts do, and which of them is explained.
type Look struct {
	Do   string // the action of a part's button, without the part's number; empty: without the program in the browser, there are no buttons
	Open string // the number of the part that is explained; empty: none
}

// explained is the part that is explained; false: none.
func (l Look) explained(t Request) (part, bool) {
	for n, p := range t.all() {
		if l.Open == strconv.Itoa(n) {
			return p, true
		}
	}
	return part{}, false
}

// Filled is a request with values for its variables. A variable without a value gets its own name as the value.
func Filled(r lesson.Request, known lesson.Vars) lesson.Request {
	vars := lesson.Vars{}
	for _, name := range append(r.Uses(), lesson.Used(r.Kubectl)...) {
		vars[name] = name
	}
	for name, value := range known {
		vars[name] = value
	}
	filled, err := r.Expanded(vars)
	if err != nil {
		return r // every variable has a value, so this doesn't happen
	}
	return filled
}

// Of splits a request into its parts. The frame knows the resource types of its cluster.
func Of(r lesson.Request, vars lesson.Vars, frame shell.Model) Request {
	filled := Filled(r, vars)
	path, query, _ := strings.Cut(filled.Target, "?")
	p, err := apipath.Parse(path)
	values, _ := url.ParseQuery(query)
	verb := ""
	if err == nil {
		verb = apipath.Verb(r.Method, p, values)
	}
	t := Request{method: part{pieces: []lesson.Piece{{Text: r.Method}}, name: "method", words: methodWords(r.Method, verb, p)}}
	t.target = pathParts(r, vars, frame.AnatomyOf(p), p)
	t.target = append(t.target, queryParts(r, vars, verb, p)...)
	for _, h := range r.Header {
		t.headers = append(t.headers, header{h.Name, part{pieces: vars.Pieces(h.Value), name: h.Name, words: headerWords(h.Name, h.Value)}})
	}
	if r.Body != "" {
		t.lines = rows(r.Body, vars)
		t.body = part{pieces: vars.Pieces(strings.TrimSuffix(r.Body, "\n")), name: "body", words: bodyWords(r)}
	}
	return t
}

// pathParts are the segments of the path. The segments of the frame tell what each is called.
func pathParts(r lesson.Request, vars lesson.Vars, segments []components.Segment, p apipath.Path) []part {
	path, _, _ := strings.Cut(r.Target, "?")
	var all []part
	for i, text := range strings.Split(strings.TrimPrefix(path, "/"), "/") {
		one := part{before: "/", pieces: vars.Pieces(text)}
		if i < len(segments) {
			one.name, one.words = segmentWords(segments[i].Means, p)
		}
		all = append(all, one)
	}
	return all
}

// segmentWords name and explain a segment of a path, by what the frame calls it (components.Segment.Means).
func segmentWords(means string, p apipath.Path) (name, words string) {
	switch means {
	case "namespace":
		return means, "Within a namespace, each object of a resource type has its own name."
	case "resource type":
		if p.Name == "" {
			return means, "The name of the resource type in paths: plural, and in lower case. The path ends here, so it is the path of the whole collection."
		}
		return means, "The name of the resource type in paths: plural, and in lower case."
	case "name":
		return means, "The name of one object in the collection."
	case "subresource":
		return means, "A part of the object, or an action on the object. It has its own rules and permissions."
	case "API group":
		return means, "A group of related resource types. Each group has its own versions."
	case "version":
		return means, "The API version of the objects in the request and in the response. The API server may store them in another version."
	case "the next part is the name of a namespace":
		return "namespaces", "The next part of the path is the name of a namespace. Without these two parts, a list has the objects of all namespaces."
	}
	return "root", strings.ToUpper(means[:1]) + means[1:] + "."
}

// queryParts are the parameters of the query. Which parameters are known depends on the verb.
func queryParts(r lesson.Request, vars lesson.Vars, verb string, p apipath.Path) []part {
	_, query, has := strings.Cut(r.Target, "?")
	if !has {
		return nil
	}
	known := parameter.For(verb, p, mediaOf(r))
	sign := "?"
	var all []part
	for text := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(text, "=")
		one := part{before: sign, pieces: vars.Pieces(text), name: "parameter " + name, words: "Fieldmark doesn’t know this parameter. API servers ignore parameters that they don’t know."}
		if i := slices.IndexFunc(known, func(k parameter.Parameter) bool { return k.Name == name }); i >= 0 {
			one.words = strings.TrimSpace(known[i].Means + " " + known[i].Note)
		}
		all, sign = append(all, one), "&"
	}
	return all
}

// mediaOf is the media type that the parameters of a verb depend on, as parameter.For takes it; empty: they depend on none.
func mediaOf(r lesson.Request) string {
	switch {
	case strings.Contains(r.Field("Accept"), "as=Table"):
		return "Table"
	case strings.HasPrefix(r.Field("Content-Type"), "application/apply-patch"):
		return "apply"
	}
	return ""
}

// methodWords say which API verb a method is.
func methodWords(method, verb string, p apipath.Path) string {
	switch {
	case !p.IsResource():
		return "The HTTP method. This path is not the path of a resource."
	case verb == "":
		return "The HTTP method. The API has no verb for this method on this path."
	case p.Subresource != "":
		return fmt.Sprintf("For a subresource, the method %s is the API verb %s. A Role must allow this verb.", method, verb)
	case p.Name != "":
		return fmt.Sprintf("For an object, the method %s is the API verb %s. A Role must allow this verb.", method, verb)
	}
	return fmt.Sprintf("For a collection, the method %s is the API verb %s. A Role must allow this verb.", method, verb)
}

// headerWords say what a header requests.
func headerWords(name, value string) string {
	switch strings.ToLower(name) {
	case "accept":
		return "The media types that the client understands. If the API server has none of them, it returns 406."
	case "accept-encoding":
		return "How the response may be compressed. Browsers always send their own value, and Fieldmark replaces it with this value."
	case "content-type":
		return "The media type of the body. " + contentWords(value)
	case "if-match", "if-none-match":
		return "A condition of HTTP. The Kubernetes API uses metadata.resourceVersion in the body instead."
	}
	return "A header of the request."
}

// contentWords say what a body of a media type is; empty: nothing is known of the media type.
func contentWords(mediaType string) string {
	mediaType, _, _ = strings.Cut(mediaType, ";")
	switch strings.TrimSpace(mediaType) {
	case "application/apply-patch+yaml", "application/apply-patch+cbor":
		return "The body is for server-side apply. It has the fields that the manager wants to set, and no others."
	case "application/merge-patch+json":
		return "The body is a merge patch. It sets each field that it has, and null removes a field. It replaces whole lists."
	case "application/strategic-merge-patch+json":
		return "The body is a strategic merge patch. It works like a merge patch, but the type says how each list is merged."
	case "application/json-patch+json":
		return "The body is a JSON Patch, which is a list of operations. The API server does all of them in this order, or none."
	case "application/json":
		return "The body is JSON."
	case "application/yaml":
		return "The body is YAML. The API server reads it like JSON."
	case "application/vnd.kubernetes.protobuf":
		return "The body is Protobuf, in the envelope that Kubernetes uses."
	}
	return ""
}

// bodyWords say what the body of a request has, by its method.
func bodyWords(r lesson.Request) string {
	switch r.Method {
	case request.Post:
		return "The object that the API server creates. For review types, it is a question, and nothing is created."
	case request.Put:
		return "The whole object in its new state. A field that the body doesn’t have is removed."
	case request.Patch:
		return "The changes to the object. Content-Type says in which format they are."
	case request.Delete:
		return "The DeleteOptions. They say how the object is deleted, and on which conditions."
	}
	return "The body of the request."
}

// Short is a text for use in a sentence: at most its first 400 bytes.
func Short(text string) string {
	if cut := layout.Cut(text, mostInWords); cut != text {
		return cut + "…"
	}
	return text
}

const mostInWords = 400 // bytes
