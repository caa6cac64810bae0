// Package pantry is a tool that exists only in a test.
package pantry

import (
	"net/url"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Kind names the page.
const Kind = "pantry"

// Model is the page.
type Model struct {
	page.Frame
	Shelf string `json:"shelf"`
}

// Open implements page.Opener.
func (Model) Open(f page.Frame, query url.Values) page.Page {
	return Model{Frame: f, Shelf: query.Get("shelf")}
}

// Awake implements page.Page.
func (m Model) Awake(time.Time) (page.Page, []page.Cmd) { return m, nil }

// Update implements page.Page.
func (m Model) Update(page.Msg) (page.Page, []page.Cmd) { return m, nil }

// Content implements page.Page.
func (m Model) Content() templ.Component { return page.Text("On this shelf: " + m.Shelf) }
