// Package errorpage is shown in place of a page that can't be shown. It says what happened, why, and what to do.
package errorpage

import (
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Kind names the page in the embedded model.
const Kind = "problem"

// Model is the page's state.
type Model struct {
	page.Frame
	Notice components.Notice `json:"notice"`
}

// Awake implements page.Page.
func (m Model) Awake(time.Time) (page.Page, []page.Cmd) { return m, nil }

// Update implements page.Page. If the reader reloads the page, the server tries again. The page reloads by itself while its notice is busy: its
// cluster is being compiled, or starting.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	_, again := msg.(page.Addressed)
	_, tick := msg.(page.Tick)
	if again || tick && m.Notice.Tone == components.Busy {
		return m, []page.Cmd{page.Reload{}}
	}
	return m, nil
}

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Head implements page.Headed.
func (m Model) Head() (h page.Head) {
	if m.Shell.In() {
		h.Where = m.Shell.Anatomy()
	}
	return h
}
