// Package signin is the page with the form to sign in. It also says why a request was refused before sign-in.
package signin

import (
	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// Model is the page's state.
type Model struct {
	Shell shell.Model `json:"shell"` // outside of a cluster, and without parts that need a session
	Words string      `json:"words"`
	Form  bool        `json:"form"`  // show the sign-in form
	Next  string      `json:"next"`  // the address to open after sign-in
	Share bool        `json:"share"` // show the button that makes a link for another browser
	Made  string      `json:"made"`  // the link that was made
	Link  bool        `json:"link"`  // show a link to the form
	Again string      `json:"again"` // this page's own address, if opening it again may help
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
