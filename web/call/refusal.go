package call

import (
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/status"
)

// A refusal in words is made here and nowhere else: Refusal of something that was to be done, Unread of a page, Meaning of a status. Who
// knows what was refused changes the title or adds advice.

// Refusal is a refusal of the API server in words. A status without a code means that there was no response.
func Refusal(no *status.Status) components.Notice {
	n := components.Notice{Tone: components.Bad, Title: "The API server refuses it", Quoted: no.Message, Why: why.Refusal(no), Refused: true}
	switch {
	case no.Code == 0:
		return NoResponse()
	case no.Is(status.Forbidden):
		n.Title = "You may not do that"
		if d, ok := no.Denied(); ok && d.Verb != "" {
			n.Advice = "It takes the right to " + d.Verb + " " + d.Resource + "."
		}
	case no.Is(status.Invalid):
		n.Title = "The API server finds it invalid"
	case no.Is(status.NotFound):
		n.Title = "There is no such object any more"
	case strings.Contains(no.Message, "does not support dry run"):
		n.Title = "It can’t be tried out"
		n.Words = "An admission webhook would be called that doesn’t say whether it does anything besides answering, so the API server runs no dry run through it. The request itself may well pass; what it would do, nobody can tell before."
	}
	return n
}

// RefusalOf is a refusal on a page that knows what was refused: with its own title.
func RefusalOf(title string, no *status.Status) components.Notice {
	n := Refusal(no)
	n.Title = title
	return n
}

// NoResponse says that nothing came back.
func NoResponse() components.Notice {
	return components.Notice{
		Tone: components.Bad, Title: "There was no answer",
		Words: "The connection broke before a response came. Whether the request did anything, this page can’t know.",
	}
}
