package fields

import (
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/read/object/document"
	"github.com/fieldmark/fieldmark/web/read/object/tab"
)

// Draw lays the owners on the object again, and writes the document. Lines that differ from those it has are marked as of marked; none are
// where that is zero.
func (m Model) Draw(about About, marked time.Time) {
	v := on{m, about}
	laid, err := v.lay()
	m.live.laid = laid
	if err != nil {
		m.live.document = document.Document{Label: v.label(), Err: err}
		return
	}
	m.live.document = m.live.document.Become(v.label(), laid.Document.Lines, nil, marked)
	v.relook()
}

// Leave forgets what was laid out: another tab is open.
func (m Model) Leave() { m.live.laid, m.live.document = nil, document.Document{} }

// relook shows the document as the reader looks at it now.
func (m on) relook() {
	l := m.live
	if l.laid == nil {
		return
	}
	l.document.Dress = m.view(l.laid).component
	l.document = l.document.LaidOut(m.Now)
}

// Look looks at the fields otherwise.
func (m Model) Look(r Reading, about About) (Model, []page.Cmd) {
	moved := r.Field != m.Reading.Field && r.Field != ""
	m.Reading = r
	v := on{m, about}
	v.unfoldTo(r.Field)
	v.relook()
	if moved {
		return m, m.Bring(about)
	}
	return m, nil
}

// unfoldTo unfolds what the field in focus lies in.
func (m on) unfoldTo(field string) {
	if m.live.laid == nil {
		return
	}
	row, n := m.live.laid.find(field)
	if n == nil {
		return
	}
	for _, r := range m.live.laid.Rows[:row] {
		if in := foldable(r); in != nil && in.ID < n.ID && n.ID < in.End {
			delete(m.live.folds, r.Path)
		}
	}
}

// Fold folds away what is in a field, or unfolds it.
func (m Model) Fold(path string, about About) {
	if m.live.laid == nil {
		return
	}
	row, _ := m.live.laid.find(path)
	if row < 0 || foldable(m.live.laid.Rows[row]) == nil {
		return
	}
	path = m.live.laid.Rows[row].Path
	if m.live.folds[path] {
		delete(m.live.folds, path)
	} else {
		m.live.folds[path] = true
	}
	on{m, about}.relook()
}

// Update takes in what happens while the tab is open. Where another field has the focus then, or another filter holds, the page's
// address follows.
func (m Model) Update(msg page.Msg, about About) (Model, []page.Cmd) {
	switch msg := msg.(type) {
	case page.Tick:
		m.live.document = m.live.document.Faded(about.Now)
		on{m, about}.ages()
	case page.Acted:
		if path, is := strings.CutPrefix(msg.Action, "fold "); is {
			m.Fold(path, about)
		}
	case page.Typed:
		if msg.Field == "filter" && msg.Text != m.Reading.Filter {
			m.Reading.Filter = msg.Text
			on{m, about}.relook()
		}
	case page.Scrolled:
		on{m, about}.scrolled(msg)
	case page.Pressed:
		return on{m, about}.pressed(msg.Key)
	}
	return m, nil
}

// How often the times in the lines are told anew: each second where the lines are few.
const (
	fewLines = 400
	ageEvery = 10 * time.Second
)

// ages tells anew when managers last wrote.
func (m on) ages() {
	l := m.live
	if l.laid == nil || len(l.laid.Rows) > fewLines && m.Now.Sub(l.aged) < ageEvery {
		return
	}
	told := ""
	for _, mgr := range l.laid.Managers {
		told += m.wrote(mgr.Owner) + "\n"
	}
	if told != l.told {
		l.told, l.aged = told, m.Now
		m.relook()
	}
}

// scrolled lays out the lines that come into sight, where they are too many to be all laid out.
func (m on) scrolled(s page.Scrolled) {
	l := m.live
	if l.laid == nil {
		return
	}
	n := len(l.laid.Rows)
	from, to := m.window(n)
	l.top, l.height = s.Top, s.Height
	if f, t := m.window(n); f != from || t != to {
		m.relook()
	}
}

// Bring brings the line of the field in focus into sight, and the focus to it.
func (m Model) Bring(about About) []page.Cmd {
	if m.live.laid == nil || m.Reading.Field == "" {
		return nil
	}
	v := on{m, about}.view(m.live.laid)
	at := slices.Index(v.shown, v.row)
	if at < 0 {
		return nil
	}
	return []page.Cmd{page.Scroll{Top: max(0, at-tab.Around) * components.BlameRow, Bottom: (at + tab.Around) * components.BlameRow}}
}

// pressed moves the focus among the lines that are shown.
func (m on) pressed(key string) (Model, []page.Cmd) {
	if m.live.laid == nil {
		return m.Model, nil
	}
	v := m.view(m.live.laid)
	at := slices.Index(v.shown, v.row)
	switch key {
	case "j":
		return m.step(v, at, 1)
	case "k":
		return m.step(v, at, -1)
	case "g":
		return m.step(v, -1, 1)
	case "G":
		return m.step(v, len(v.shown), -1)
	default:
		return m.Model, nil
	}
}

// step puts the focus on the next line in a direction that begins a field.
func (m on) step(v *fieldsView, at, by int) (Model, []page.Cmd) {
	for at += by; at >= 0 && at < len(v.shown) && v.Rows[v.shown[at]].Kind == ownership.Text; {
		at += by
	}
	if at < 0 || at >= len(v.shown) {
		return m.Model, nil
	}
	row := v.shown[at]
	m.Reading = m.Reading.on(v.Rows[row].Path)
	m.live.top = min(max(m.live.top, (at+1)*components.BlameRow-m.live.height), at*components.BlameRow)
	m.relook()
	return m.Model, []page.Cmd{
		page.Scroll{Top: at * components.BlameRow, Bottom: (at + 2) * components.BlameRow},
		page.Focus{ID: "at-" + m.live.document.ID(row)},
	}
}
