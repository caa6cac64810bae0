package console

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/layout"
	"github.com/fieldmark/fieldmark/kube/parameter"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/words"
)

// The forms in which the request is shown.
const (
	formCurl    = "curl"
	formKubectl = "kubectl"
	formGo      = "Go"
)

var forms = []string{formCurl, formKubectl, formGo}

func (m Model) form() string {
	if m.live.same == "" {
		return formCurl
	}
	return m.live.same
}

var tabWords = map[string]string{tabPretty: "Formatted", tabTable: "Table", tabRaw: "Raw", tabHex: "Bytes", tabHead: "Headers"}

// mostFound is how many requests of a text are offered.
const mostFound = 60

// longest is how much of a target is shown in a list.
const longest = 160

func shorter(text string) string {
	if cut := layout.Cut(text, longest); cut != text {
		return cut + "…"
	}
	return text
}

// verbWords say what the request addresses.
func (m Model) verbWords() string {
	p, ok := m.Draft.path()
	if !ok {
		return ""
	}
	if !p.IsResource() {
		return "the path " + p.String() + ", which isn’t a resource"
	}
	t, known := m.Shell.Catalog.Type(p.Group, p.Version, p.Resource)
	if !known {
		return "a resource that isn’t in discovery: " + p.Resource
	}
	s, isSub := t.Subresource(p.Subresource)
	switch {
	case isSub:
		return fmt.Sprintf("the subresource %s of %s %s, of kind %s; its verbs are %s", p.Subresource, t.Kind, p.Name, s.Kind, strings.Join(s.Verbs, ", "))
	case p.Subresource != "":
		return fmt.Sprintf("a subresource of %s that isn’t in discovery: %s", t.Kind, p.Subresource)
	case p.Kind == apipath.KindObject:
		return t.Kind + " " + p.Name + placed(p, t.Namespaced) + "; the verbs of the type are " + strings.Join(t.Verbs, ", ")
	case m.createdOnly(p):
		return t.Kind + ", which you can only create; the server responds at once and stores nothing"
	}
	return "the collection of " + t.Kind + placed(p, t.Namespaced) + "; the verbs of the type are " + strings.Join(t.Verbs, ", ")
}

func placed(p apipath.Path, namespaced bool) string {
	switch {
	case !namespaced:
		return ""
	case p.Namespace == "":
		return " in all namespaces"
	}
	return " in the namespace " + p.Namespace
}

func (m Model) verbOr(otherwise string) string {
	if verb := m.Draft.call().Verb(); verb != "" {
		return verb
	}
	return otherwise
}

// parameters are those that the request can have, and the names of others that it has.
func (m Model) parameters() (all []parameter.Parameter, unknown []string) {
	r := m.Draft.call()
	if p, ok := m.Draft.path(); ok {
		all = parameter.For(r.Verb(), p, m.Draft.form())
	}
	for name := range r.Query {
		if !slices.ContainsFunc(all, func(p parameter.Parameter) bool { return p.Name == name }) {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	return all, unknown
}

func choicesOf(p parameter.Parameter) []string {
	if p.Form == parameter.Flag {
		return []string{"true", "false"}
	}
	return p.Values
}

func among(all []string, word string) bool { return slices.Contains(all, word) }

// mismatch says that the body is not what its media type says; empty: nothing speaks against it.
func (d Draft) mismatch() string {
	if strings.TrimSpace(d.Body) == "" || !strings.Contains(d.ContentType, "json") || json.Valid([]byte(d.Body)) {
		return ""
	}
	if d.Method == request.Patch {
		return "The media type says JSON, but the body isn’t valid JSON."
	}
	return "The media type says JSON, but the body isn’t valid JSON. If the body is YAML, choose YAML."
}

// joined are lines as they are shown.
func joined(lines []layout.Line) string {
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(l.String())
	}
	return components.Visible(b.String())
}

// streamsSecrets tells whether the stream may have secrets in it.
func (m Model) streamsSecrets() bool { return m.live.sent.secret() || m.live.stream.secrets }

// hides tells whether values of the stream are hidden.
func (m Model) hides() bool { return m.streamsSecrets() && !m.live.answer.reveal }

// counted words how many lines came.
func (s *stream) counted() string {
	one, many := "event", "events"
	if s.log {
		one, many = "line", "lines"
	}
	words := words.Count(int64(s.count), one, many)
	if n := s.count - s.held; s.held > 0 && n > 0 {
		words += fmt.Sprintf(", %d since the pause", n)
	}
	if len(s.lines) < s.count {
		words += fmt.Sprintf("; the page keeps the newest %d", len(s.lines))
	}
	return words
}
