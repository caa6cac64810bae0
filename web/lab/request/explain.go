package request

import (
	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web/call"
)

// refusal explains why the API server refused the request.
func (m Model) refusal(no status.Status) components.Notice {
	n := call.Meaning(&no)
	if p, ok := m.live.sent.Path(); ok && (no.Code == 404 || no.Code == 405) && m.createdOnly(p) {
		n.Advice = "You can only create this type. The API server responds at once, and stores nothing. So you can’t get, list or delete it."
	}
	for _, c := range no.Causes {
		n.Details = append(n.Details, causeWords(c))
	}
	return n
}

func causeWords(c status.Cause) string {
	switch {
	case c.Field == "":
		return c.Message
	case c.Message == "":
		return c.Field + ": " + c.Reason
	}
	return c.Field + ": " + c.Message
}

// createdOnly tells whether create is the only verb of a type.
func (m Model) createdOnly(p apipath.Path) bool {
	t, known := m.Shell.Catalog.Type(p.Group, p.Version, p.Resource)
	return known && len(t.Verbs) == 1 && t.Can("create")
}
