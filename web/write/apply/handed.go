package apply

import "github.com/fieldmark/fieldmark/web/frame/page"

// Inherit implements page.Heir. The former page may have a text for this one.
func (m Model) Inherit(from page.Page) (page.Page, bool) {
	if h, ok := from.(page.Handing); ok && m.From == nil {
		m.live.from, m.live.handed = from, h.Handed()
	}
	return m, false
}

// Came implements page.Coming.
func (m Model) Came() page.Page { return m.live.from }

// adoptHandedText puts the text of the former page into the editor, once.
func (m Model) adoptHandedText() (page.Page, []page.Cmd) {
	handed := m.live.handed
	if handed.Text == "" {
		return m, nil
	}
	m.live.handed, m.live.opened, m.live.mode = page.Manifest{}, nil, usual
	if handed.Namespace != "" {
		m.Namespace = handed.Namespace
	}
	next, commands := m.typed(handed.Text)
	return next, append(commands, page.Edit{Field: Field, Text: handed.Text})
}
