// Package console is the request console: any request to the API, made by hand, and its response as it arrives. The page's address has
// everything that a reader would share, but never a secret.
package console

import (
	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call/draft"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// Kind names the page in the embedded model.
const Kind = "request"

// querySend is the parameter of the page's address that says that the form was sent.
const querySend = "send"

// Model is the page's state.
type Model struct {
	Shell    shell.Model `json:"shell"`
	Draft    draft.Draft `json:"draft"`
	Practice bool        `json:"practice"` // the practice cluster: the page doesn't ask before it writes

	live *live // nil on the server; see Content
}

// View is the whole document.
func (m Model) View() templ.Component { return page.View(m) }

// Kind implements page.Page.
func (Model) Kind() string { return Kind }

// Content implements page.Page.
func (m Model) Content() templ.Component {
	if m.live == nil {
		m.live = &live{} // on the server: nothing has happened yet
	}
	return content(m)
}

// Frame implements page.Page.
func (m Model) Frame() shell.Model { return m.Shell }

// link is the page's address for a draft.
func (m Model) link(d draft.Draft) string {
	return web.WithQuery(web.Tool(m.Shell.Cluster.Slug, web.Request), d.Query())
}
