package request

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/layout"
	"github.com/fieldmark/fieldmark/kube/parameter"
	"github.com/fieldmark/fieldmark/words"
)

// The tools in whose form the request is shown.
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

// mostFound bounds the requests of a pasted text that the page offers.
const mostFound = 60

// longest is how much of a target a list shows, in bytes.
const longest = 160

func shorter(text string) string {
	if cut := layout.Cut(text, longest); cut != text {
		return cut + "…"
	}
	return text
}

// verbWords say what the request addresses, in sentences; empty: its path can’t be read.
func (m Model) verbWords() string {
	p, ok := m.Draft.Path()
	if !ok {
		return ""
	}
	if !p.IsResource() {
		return "This is not the path of a resource."
	}
	t, known := m.Shell.Catalog.Type(p.Group, p.Version, p.Resource)
	if !known {
		return fmt.Sprintf("The resource type %s is not in discovery.", p.Resource)
	}
	s, isSub := t.Subresource(p.Subresource)
	verbs := fmt.Sprintf("Verbs of the type: %s.", strings.Join(t.Verbs, ", "))
	switch {
	case isSub:
		return fmt.Sprintf("Subresource %s of %s %s. Kind: %s. Verbs: %s.", p.Subresource, t.Kind, p.Name, s.Kind, strings.Join(s.Verbs, ", "))
	case p.Subresource != "":
		return fmt.Sprintf("The subresource %s of %s is not in discovery.", p.Subresource, t.Kind)
	case p.Kind == apipath.KindObject:
		return fmt.Sprintf("Object %s of the kind %s. ", p.Name, t.Kind) + placed(p, t.Namespaced) + verbs
	case m.createdOnly(p):
		return fmt.Sprintf("Kind: %s. You can only create this type. The API server responds at once, and stores nothing.", t.Kind)
	}
	return fmt.Sprintf("Collection of the kind %s. ", t.Kind) + placed(p, t.Namespaced) + verbs
}

// placed is a sentence on the namespace of a path, with a space after it; empty: the type has no namespaces.
func placed(p apipath.Path, namespaced bool) string {
	switch {
	case !namespaced:
		return ""
	case p.Namespace == "":
		return "All namespaces. "
	}
	return fmt.Sprintf("Namespace: %s. ", p.Namespace)
}

// parametersWords say what the parameters below can change.
func (m Model) parametersWords() string {
	if verb := m.Draft.Request().Verb(); verb != "" {
		return fmt.Sprintf("with their effects on the verb %s", verb)
	}
	return "with their effects on this method"
}

// parameters are the known parameters of the request's verb, and the names of unknown ones that the request has.
func (m Model) parameters() (all []parameter.Parameter, unknown []string) {
	r := m.Draft.Request()
	if p, ok := m.Draft.Path(); ok {
		all = parameter.For(r.Verb(), p, m.Draft.Form())
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

// joined are lines as one text to show.
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
func (m Model) streamsSecrets() bool { return m.live.sent.Secret() || m.live.stream.secrets }

// hides tells whether values of the stream are hidden.
func (m Model) hides() bool { return m.streamsSecrets() && !m.live.answer.reveal }

// counted says how many lines came, and how many of them the page keeps.
func (s *stream) counted() string {
	one, many := "event", "events"
	if s.log {
		one, many = "line", "lines"
	}
	sentences := []string{words.Count(int64(s.count), one, many) + "."}
	if n := s.count - s.held; s.held > 0 && n > 0 {
		sentences = append(sentences, fmt.Sprintf("%d since the pause.", n))
	}
	if len(s.lines) < s.count {
		sentences = append(sentences, fmt.Sprintf("The page keeps the newest %d.", len(s.lines)))
	}
	return strings.Join(sentences, " ")
}
