package shell

import (
	"net/url"
	"slices"
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

// verb is the text of the button that opens the chosen connection.
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

// refusal explains why a connection was refused. API servers don't always name the missing permission, so the page does.
func (m Model) refusal(s connection) components.Notice {
	n := call.Refusal(s.no)
	for _, may := range m.denied(s.request.How) {
		n.Advice = "You need permission to " + may.Of.Verb + " " + may.Of.Resource + "/" + may.Of.Subresource + "."
	}
	return n
}

// recognize finds the requests of the page's own connections in the wire log. It has no commands, because they can have secrets, so a request is known by its
// container, and by the time at which it appeared.
func (m Model) recognize() {
	for _, s := range m.live.connections {
		if s.line > 0 || s.over() {
			continue
		}
		for _, l := range m.live.streams.lines {
			query, _ := url.ParseQuery(l.Query)
			mine := l.Path == m.path()+"/"+string(s.request.How) && query.Get("container") == s.request.Container
			if mine && l.ID > s.after && !m.own(l) {
				s.line = l.ID
				break
			}
		}
	}
}

// own tells whether a request is known to be that of a connection of the page.
func (m Model) own(l record.Line) bool {
	return slices.ContainsFunc(m.live.connections, func(s *connection) bool { return s.line == l.ID })
}

// opener says who opened a connection.
func (m Model) opener(l record.Line) string {
	if m.own(l) {
		return "this page"
	}
	return "another page, or a program such as kubectl"
}
