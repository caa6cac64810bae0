package call

import (
	"github.com/fieldmark/fieldmark/kube/access"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// May is the API server's answer to whether the reader has a permission. The zero value has no answer.
type May struct {
	Of     access.Attributes
	Heard  bool // the answer has arrived
	Failed bool // the response has no answer
	Answer access.Answer
}

// MayI asks whether the reader may use a verb on an object. The question is a SelfSubjectAccessReview. Nothing is stored, so --read-only
// allows it.
func MayI(id, cluster, verb string, p apipath.Path) (May, page.Cmd) {
	return Ask(id, cluster, access.Attributes{
		Namespace: p.Namespace, Verb: verb, Group: p.Group, Version: p.Version, Resource: p.Resource, Subresource: p.Subresource, Name: p.Name,
	})
}

// Ask asks whether the reader may make a request with these attributes.
func Ask(id, cluster string, of access.Attributes) (May, page.Cmd) {
	return May{Of: of}, New(cluster, "POST", access.ReviewPath, "application/json", of.Review()).Send(id)
}

// Hear takes in the response. If it has no answer, only the request itself will show whether it is allowed.
func (m *May) Hear(r page.Response) {
	answer, ok := access.ParseReview(r.Body)
	ok = ok && r.OK()
	m.Heard, m.Failed, m.Answer = ok, !ok, answer
}

// Why is the server's reason for its answer; empty if it gives none.
func (m May) Why() string {
	if m.Answer.Error != "" {
		return m.Answer.Error
	}
	return m.Answer.Reason
}

// Not says why the reader may not send the request; empty if nothing is known against it. limit says why Fieldmark only reads; see
// shell.Model.Limit.
func (m May) Not(limit string) string {
	what := m.Of.Verb + " " + m.Of.Resource
	if m.Of.Subresource != "" {
		what += "/" + m.Of.Subresource
	}
	switch {
	case limit != "":
		return limit + " Fieldmark sends only dry runs."
	case m.Heard && !m.Answer.Allowed && m.Why() != "":
		return "You don’t have permission to " + what + ": " + m.Why()
	case m.Heard && !m.Answer.Allowed:
		return "You don’t have permission to " + what + " here. No rule allows it."
	}
	return ""
}
