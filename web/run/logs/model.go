// Package logs is the page of an object's logs: what its containers write, as they write it.
package logs

import (
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/run/subject"
)

// Kind names the page in the embedded model.
const Kind = "logs"

// Model is the page's state.
type Model struct {
	Subject subject.Model `json:"subject"`
}

// View is the whole document.
func (m Model) View() templ.Component { return page.View(m) }

// Kind implements page.Page.
func (Model) Kind() string { return Kind }

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Frame implements page.Page.
func (m Model) Frame() shell.Model { return m.Subject.Shell }

// Awake implements page.Page.
func (m Model) Awake(now time.Time) (page.Page, []page.Cmd) {
	m.Subject.Now = now
	return m, nil
}

// Update implements page.Page.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	switch msg := msg.(type) {
	case page.Addressed:
		if turn, other := m.Subject.Turned(msg.Query); other {
			return m, turn
		}
		return m, []page.Cmd{page.Reload{}}
	case page.Pressed:
		to, _ := m.Subject.Pressed(msg.Key)
		return m, to
	}
	return m, nil
}

// Keys implements page.Keyed.
func (Model) Keys() []components.Key { return subject.Keys() }
