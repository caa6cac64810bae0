// Package signin is the page of the way in: refusals, and the form to sign in with.
package signin

import (
	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// Model is the page's state.
type Model struct {
	Shell shell.Model `json:"shell"` // outside any cluster, and without anything that takes a session
	Words string      `json:"words"`
	Form  bool        `json:"form"`  // show the sign-in form
	Next  string      `json:"next"`  // where the form leads afterwards
	Share bool        `json:"share"` // show the button that makes a link for another browser
	Made  string      `json:"made"`  // such a link
	Link  bool        `json:"link"`  // lead to the sign-in form
	Again string      `json:"again"` // this page's own address, where opening it from here may help
}

// View is the whole page.
func (m Model) View() templ.Component { return view(m) }

func (m Model) links() []components.Link {
	var links []components.Link
	if m.Again != "" {
		links = append(links, components.Link{Text: "Continue, if you are signed in", Href: m.Again, Primary: true})
	}
	if m.Link {
		links = append(links, components.Link{Text: "Sign in with the launch token", Href: web.SignIn, Primary: m.Again == ""})
	}
	return links
}
