// Package request is the request console: any request to the API, made by hand, and its response as it arrives. The page's address has
// everything that a reader would share, but never a secret.
package request

import (
	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call/draft"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Kind names the page in the embedded model.
const Kind = "request"

// querySend is the parameter of the page's address that says that the form was sent.
const querySend = "send"

// Model is the page's state.
type Model struct {
	page.Frame
	Draft    draft.Draft `json:"draft"`
	Practice bool        `json:"practice"` // the practice cluster: the page doesn't ask before it writes

	live *live // nil on the server; see Content
}

// Content implements page.Page.
func (m Model) Content() templ.Component {
	return content(m.begun())
}

// Head implements page.Headed.
func (m Model) Head() page.Head { return page.Head{Small: page.Brief(m), Below: below(m.begun())} }

// begun is the page with its live state. On the server, nothing has happened yet.
func (m Model) begun() Model {
	if m.live == nil {
		m.live = &live{}
	}
	return m
}

// link is the page's address for a draft.
func (m Model) link(d draft.Draft) string {
	return web.WithQuery(web.Tool(m.Shell.Cluster.Slug, web.Request), d.Query())
}
