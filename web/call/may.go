package call

import (
	"github.com/fieldmark/fieldmark/kube/access"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// May is what the API server says about whether the reader may do something. The zero value hasn't asked.
type May struct {
	Of     access.Attributes
	Heard  bool // it said so, or so
	Failed bool // there was a response, which says neither
	Answer access.Answer
}

// MayI asks whether the reader may do something with an object. It goes as a dry run: nothing is stored either way, and
// --read-only lets it pass.
func MayI(id, cluster, verb string, p apipath.Path) (May, page.Cmd) {
	return Ask(id, cluster, access.Attributes{
		Namespace: p.Namespace, Verb: verb, Group: p.Group, Version: p.Version, Resource: p.Resource, Subresource: p.Subresource, Name: p.Name,
	})
}

// Ask asks whether the reader may make a request with these attributes.
func Ask(id, cluster string, of access.Attributes) (May, page.Cmd) {
	return May{Of: of}, New(cluster, "POST", access.ReviewPath, "application/json", of.Review()).Send(id)
}

// Hear takes the response in. Where there is none to be had, the request itself will tell.
func (m *May) Hear(r page.Response) {
	answer, ok := access.ParseReview(r.Body)
	ok = ok && r.OK()
	m.Heard, m.Failed, m.Answer = ok, !ok, answer
}

// Why are the server's words for its answer; empty: it gives none.
func (m May) Why() string {
	if m.Answer.Error != "" {
		return m.Answer.Error
	}
	return m.Answer.Reason
}

// Not says why the reader must not; empty: nothing is known against it.
func (m May) Not(readOnly bool) string {
	what := m.Of.Verb + " " + m.Of.Resource
	if m.Of.Subresource != "" {
		what += "/" + m.Of.Subresource
	}
	switch {
	case readOnly:
		return "Fieldmark was started with --read-only, so it sends only dry runs."
	case m.Heard && !m.Answer.Allowed && m.Why() != "":
		return "You don’t have permission to " + what + ": " + m.Why()
	case m.Heard && !m.Answer.Allowed:
		return "You don’t have permission to " + what + " here. No rule allows it."
	}
	return ""
}
