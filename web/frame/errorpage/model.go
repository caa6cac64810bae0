// Package errorpage is the page that stands in for one that cannot be shown: it says what is the
// matter, in whose words, and what to do about it.
package errorpage

import (
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// Kind names the page in the embedded model.
const Kind = "problem"

// Model is the page's state.
type Model struct {
	Shell  shell.Model       `json:"shell"`
	Notice components.Notice `json:"notice"`
}

// View is the whole document.
func (m Model) View() templ.Component { return page.View(m) }

// Kind implements page.Page.
func (Model) Kind() string { return Kind }

// Awake implements page.Page.
func (m Model) Awake(time.Time) (page.Page, []page.Cmd) { return m, nil }

// Update implements page.Page. To ask for the page again is to try again.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	if _, again := msg.(page.Addressed); again {
		return m, []page.Cmd{page.Reload{}}
	}
	return m, nil
}

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Frame implements page.Page.
func (m Model) Frame() shell.Model { return m.Shell }
