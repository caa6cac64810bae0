package signin

import (
	"testing"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func TestSamples(t *testing.T) { pagetest.RunViews(t, samples) }

// samples are the states of the page.
func samples(s pagetest.Text) map[string]templ.Component {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	some := []Token{
		{ID: "a", Ending: "x3f9", Made: now, Until: now.Add(8 * time.Hour)},
		{ID: "b", Ending: "-_Aa", Made: now.Add(-time.Hour), Used: now.Add(-time.Minute), Until: now.Add(7 * time.Hour)},
	}
	bare := shell.Model{Title: "Not signed in", Assets: s.Outside().Assets}
	return map[string]templ.Component{
		"not signed in": Model{Shell: bare, Words: "You are not signed in.", Link: true, Again: "/c/practice"}.View(),
		"sign in":       Model{Shell: bare, Words: "Enter the launch token.", Form: true, Next: s.String()}.View(),
		"sign in for a cluster": Model{Shell: bare, Words: "Choose a cluster, and how to sign in.", Action: "/-/sign-in", Next: s.String(), Places: []Place{
			{Slug: "a", Title: s.String(), Wanted: true, Start: "/-/sign-in/start", By: s.String(), Token: true, Why: s.String()},
			{Slug: "b", Title: "b", Person: s.String(), Start: "/-/sign-in/start", By: "login"},
			{Slug: "c", Title: "c", Token: true},
		}, Leads: []components.Link{{Text: s.String(), Href: "/"}}}.View(),
		"no token":    Model{Shell: bare, Words: "An assistant asks Fieldmark with a token of its own.", Programs: true}.View(),
		"tokens":      Model{Shell: bare, Words: "An assistant asks Fieldmark with a token of its own.", Programs: true, Tokens: some, Now: now, Address: "http://127.0.0.1:8080/mcp", Made: "fieldmark-program-x"}.View(),
		"make a link": Model{Shell: bare, Words: "This browser is signed in.", Share: true}.View(),
		"a link":      Model{Shell: bare, Words: "Open this link in the other browser.", Made: "http://127.0.0.1:8080/?code=x"}.View(),
	}
}
