package terminal

import (
	"net/url"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/record"
	"github.com/fieldmark/fieldmark/web/call"
)

// labelled is the container with its role and its state, for a list.
func (c container) labelled() string {
	about := c.State
	if c.Role != plain {
		about = string(c.Role) + ", " + about
	}
	return c.Name + " · " + about
}

// verb is the text of the button that opens the chosen session.
func (m Model) verb() string {
	c := m.chosen()
	switch c.How {
	case attach:
		return "Attach to " + c.Container
	case debug:
		return "Add the container " + c.Name
	default:
		return "Open a shell in " + c.Container
	}
}

// question asks whether to do that.
func (m Model) question() string {
	c := m.chosen()
	switch c.How {
	case attach:
		return "Attach to the container " + c.Container + "?"
	case debug:
		return "Add the container " + c.Name + " with the image " + c.Image + "?"
	}
	t, _ := m.target()
	return "Run “" + strings.Join(t.Command, " ") + "” in the container " + c.Container + "?"
}

// refusal explains why a session was refused. API servers don't always name the missing permission, so the page does.
func (m Model) refusal(s session) components.Notice {
	n := call.Refusal(s.no)
	for _, may := range m.denied(s.request.How) {
		n.Advice = "You need permission to " + may.Of.Verb + " " + may.Of.Resource + "/" + may.Of.Subresource + "."
	}
	return n
}

// opener says who opened a connection. The wire log keeps no commands, because they can have secrets.
func (m Model) opener(l record.Line) string {
	query, _ := url.ParseQuery(l.Query)
	for _, s := range m.live.sessions {
		if !s.over() && l.Path == m.path()+"/"+string(s.request.How) && query.Get("container") == s.request.Container {
			return "this page"
		}
	}
	return "another page, or a program such as kubectl"
}
