// Package anatomy takes a request of a lesson apart: each of its parts says what it means.
//
//	PATCH /api/v1/namespaces/{{namespace}}/configmaps/settings?fieldManager=you
//	│      │           │                             │        └ parameter.For: what it does to the verb
//	│      └ shell.AnatomyOf: group, version, namespace, resource type, name
//	└ the API verb that a Role has to allow
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

// part is a piece of a request as it is shown, with what it means.
type part struct {
	before string // what joins it to the one before: a slash, a question mark, an ampersand
	pieces []lesson.Piece
	name   string // what such a part is called; empty: nothing is said of it
	words  string
}

// text is the part without its marks.
func (p part) text() string {
	var b strings.Builder
	for _, piece := range p.pieces {
		b.WriteString(piece.Text)
	}
	return b.String()
}

// fieldOf is a field of the head.
type fieldOf struct {
	name  string
	value part
}

// Request is a request taken apart.
type Request struct {
	method part
	target []part
	head   []fieldOf
	body   part
}

// all are the parts that have a number: the method, the target's, the fields'.
func (t Request) all() []part {
	all := append([]part{t.method}, t.target...)
	for _, h := range t.head {
		all = append(all, h.value)
	}
	return all
}

// Look is how the reader looks at a request.
type Look struct {
	Do   string // what a button does that explains a part, by its number; empty: the page is not alive
	Open string // the number of the part that is explained; empty: none is
}

// explained is the part that the reader wants to know about.
func (l Look) explained(t Request) (part, bool) {
	for n, p := range t.all() {
		if l.Open == strconv.Itoa(n) {
			return p, true
		}
	}
	return part{}, false
}

// Filled is a request with its variables filled in; where one has no value, its name stands for it.
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
		return r // all that it uses has a value
	}
	return filled
}

// Of takes a request apart. The frame knows what its cluster serves.
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
		t.head = append(t.head, fieldOf{h.Name, part{pieces: vars.Pieces(h.Value), name: h.Name, words: headerWords(h.Name, h.Value)}})
	}
	if r.Body != "" {
		t.body = part{pieces: vars.Pieces(strings.TrimSuffix(r.Body, "\n")), name: "body", words: bodyWords(r)}
	}
	return t
}

// pathParts are the segments of the path, by what they are called.
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

// segmentWords say what a part of a path is.
func segmentWords(means string, p apipath.Path) (name, words string) {
	switch means {
	case "namespace":
		return means, "Names of objects are unique within a namespace, for each resource type."
	case "resource type":
		if p.Name == "" {
			return means, "In the plural, in small letters. The path ends here: it is that of a whole collection."
		}
		return means, "In the plural, in small letters: the kind’s name in paths."
	case "name":
		return means, "Of one object in the collection."
	case "subresource":
		return means, "A part of the object, or something done with it, that has rules and permissions of its own."
	case "API group":
		return means, "Types of one matter; each group has versions of its own."
	case "version":
		return means, "In which version of the API objects are read and written here. The store may hold them in another one."
	case "what follows is in a namespace":
		return "namespaces", "What follows is in one namespace. Without this part, a list is of all namespaces."
	}
	return "root", strings.ToUpper(means[:1]) + means[1:] + "."
}

// queryParts are the parameters of the query, by what they do to the verb.
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
		one := part{before: sign, pieces: vars.Pieces(text), name: "parameter " + name, words: "Nothing known here reads it: servers ignore such parameters."}
		if i := slices.IndexFunc(known, func(k parameter.Parameter) bool { return k.Name == name }); i >= 0 {
			one.words = strings.TrimSpace(known[i].Means + " " + known[i].Note)
		}
		all, sign = append(all, one), "&"
	}
	return all
}

// mediaOf is what a verb's parameters depend on besides the path.
func mediaOf(r lesson.Request) string {
	for _, h := range r.Header {
		switch {
		case strings.EqualFold(h.Name, "Accept") && strings.Contains(h.Value, "as=Table"):
			return "Table"
		case strings.EqualFold(h.Name, "Content-Type") && strings.HasPrefix(h.Value, "application/apply-patch"):
			return "apply"
		}
	}
	return ""
}

// methodWords say what a method is to the API.
func methodWords(method, verb string, p apipath.Path) string {
	what := "a path that is no resource"
	switch {
	case p.Subresource != "":
		what = "a subresource"
	case p.Name != "":
		what = "an object"
	case p.IsResource():
		what = "a collection"
	}
	if verb == "" || !p.IsResource() {
		return fmt.Sprintf("HTTP’s method, on %s.", what)
	}
	return fmt.Sprintf("On %s, %s is the API verb %s: what a Role has to allow.", what, method, verb)
}

// headerWords say what a field of the head asks for.
func headerWords(name, value string) string {
	switch strings.ToLower(name) {
	case "accept":
		return "The forms in which the answer is understood, the best first. A server that has none of them answers 406."
	case "accept-encoding":
		return "How the answer may be compressed on its way. Browsers fill this field in themselves; Fieldmark puts this one in its place."
	case "content-type":
		return "What the body is. " + contentWords(value)
	case "if-match", "if-none-match":
		return "A condition of HTTP. The Kubernetes API has its own, in the body: metadata.resourceVersion."
	}
	return "A field of the request’s head."
}

// contentWords say what a body of a media type does.
func contentWords(mediaType string) string {
	mediaType, _, _ = strings.Cut(mediaType, ";")
	switch strings.TrimSpace(mediaType) {
	case "application/apply-patch+yaml", "application/apply-patch+cbor":
		return "Server-side apply: the body is what its manager wants the object to be, and nothing else."
	case "application/merge-patch+json":
		return "A merge patch: fields that are there are set, null removes one, lists are replaced as a whole."
	case "application/strategic-merge-patch+json":
		return "A strategic merge patch: as a merge patch, but lists are merged as their type says."
	case "application/json-patch+json":
		return "A JSON Patch: a list of operations, carried out in their order, all or none."
	case "application/json":
		return "JSON."
	case "application/yaml":
		return "YAML, which is read as JSON would be."
	case "application/vnd.kubernetes.protobuf":
		return "Kubernetes’ own form of Protobuf, with an envelope around it."
	}
	return ""
}

// bodyWords say what the body of a request is.
func bodyWords(r lesson.Request) string {
	switch r.Method {
	case request.Post:
		return "The object that is to be created, or what is asked, if its kind only answers."
	case request.Put:
		return "The whole object as it is to be. What it leaves out goes."
	case request.Patch:
		return "A part of the object, to be read as Content-Type says."
	case request.Delete:
		return "DeleteOptions: how the object is to go, and under which preconditions."
	}
	return "What is sent."
}

// Short is a text among words: its beginning, where it is long.
func Short(text string) string {
	if cut := layout.Cut(text, mostInWords); cut != text {
		return cut + "…"
	}
	return text
}

const mostInWords = 400
