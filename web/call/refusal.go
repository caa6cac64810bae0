package call

import (
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/words"
)

// All explanations of refusals are in this package: Refusal for a request, Unread for a page, Meaning for a status code. A page that knows
// more changes the title or adds advice.

// Refusal explains a refusal of the API server. A status without a code means that there was no response.
func Refusal(no *status.Status) components.Notice {
	n := components.Notice{Tone: components.Bad, Title: "The API server refused the request", Quoted: no.Message, Why: why.Refusal(no), Refused: true}
	switch {
	case no.Code == 0:
		return NoResponse()
	case no.SignedOut():
		return signedOut(no)
	case no.Is(status.Forbidden):
		n.Title = "You don’t have permission"
		if d, ok := no.Denied(); ok && d.Verb != "" {
			n.Advice = "You need permission to " + d.Verb + " " + d.Resource + "."
		}
	case no.Is(status.Invalid):
		n.Title = unfit(no)
	case no.Is(status.NotFound):
		n.Title = "The object no longer exists"
	case no.NoDryRun():
		n.Title = "The dry run isn’t possible"
		n.Words = "An admission webhook doesn’t declare that it supports dry runs, so the API server refuses the dry run. The request itself can still succeed, but you can’t see its effect before."
	}
	return n
}

// What the API server calls invalid.
const (
	unfitObject    = "The object is invalid"
	unfitParameter = "A parameter of the request is invalid"
	unfitPatch     = "The patch can’t be applied to the object"
)

// unfit says what is invalid. It is empty for refusals for other reasons. A JSON Patch that can't be applied gets a refusal without details.
func unfit(no *status.Status) string {
	switch {
	case !no.Is(status.Invalid):
		return ""
	case no.Told && no.Kind == "" && len(no.Causes) == 0:
		return unfitPatch
	case strings.HasSuffix(no.Kind, "Options"):
		return unfitParameter
	}
	return unfitObject
}

// RefusalOf is Refusal with another title.
func RefusalOf(title string, no *status.Status) components.Notice {
	n := Refusal(no)
	n.Title = title
	return n
}

// signedOut explains that Fieldmark sent nothing to the API server.
func signedOut(no *status.Status) components.Notice {
	return components.Notice{
		Tone: components.Warn, Title: "You’re signed out", Words: words.Curly(components.Sentence(no.Message)),
		Advice: "Fieldmark sent nothing to the API server. Sign in in another tab, and try again here.", Refused: true,
	}
}

// NoResponse says that no response arrived.
func NoResponse() components.Notice {
	return components.Notice{
		Tone: components.Bad, Title: "No response",
		Words: "The connection broke before a response arrived. The request may or may not have changed something.",
	}
}
