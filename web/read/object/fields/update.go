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

// Draw finds the owners of the object's lines again, and updates the document. Lines that changed are marked with the time marked, unless it is
// zero.
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

// Leave deletes the document and its lines, because another tab is open.
func (m Model) Leave() { m.live.laid, m.live.document = nil, document.Document{} }

// relook updates the document after the Reading or the folds have changed.
func (m on) relook() {
	l := m.live
	if l.laid == nil {
		return
	}
	l.document.Dress = m.view(l.laid).component
	l.document = l.document.LaidOut(m.Now)
}

// Look changes the Reading.
func (m Model) Look(r Reading, about About) (Model, []page.Cmd) {
	moved := r.Field != m.Reading.Field && r.Field != ""
	m.Reading = r
	v := on{m, about}
	v.unfoldTo(r.Field)
	v.relook()
	if moved {
		brought := m.Bring(about)
		for _, c := range brought { // again after the paint: in a narrow window, the card of the chosen line takes room from the document
			brought = append(brought, page.Painted{Cmd: c})
		}
		return m, brought
	}
	return m, nil
}

// unfoldTo unfolds all fields around a field.
func (m on) unfoldTo(field string) {
	if m.live.laid == nil {
		return
	}
	row, n := m.live.laid.findField(field)
	if n == nil {
		return
	}
	for _, r := range m.live.laid.Rows[:row] {
		if in := foldable(r); in != nil && in.ID < n.ID && n.ID < in.End {
			delete(m.live.folds, r.Path)
		}
	}
}

// Fold folds a field, or unfolds it.
func (m Model) Fold(path string, about About) {
	if m.live.laid == nil {
		return
	}
	row, _ := m.live.laid.findField(path)
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

// Update handles a message while the tab is open. If it changes the Reading, the page's address has to change, too.
func (m Model) Update(msg page.Msg, about About) (Model, []page.Cmd) {
	switch msg := msg.(type) {
	case page.Tick:
		m.live.document = m.live.document.Faded(about.Now)
		on{m, about}.ages()
	case page.Acted:
		if path, is := strings.CutPrefix(msg.Action, "fold "); is {
			m.Fold(path, about)
		}
		if form, key, is := components.ReadCopy(msg.Action); is {
			return m, on{m, about}.copied(form, key)
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

// How often the times in the lines are updated: each second, if there are few lines.
const (
	fewLines = 400
	ageEvery = 10 * time.Second
)

// ages updates the times at which managers last wrote.
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

// scrolled renders the lines that become visible, if there are too many to render all.
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

// Bring scrolls to the line of the selected field, and focuses it.
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

// pressed handles a key: it moves the selection among the visible lines.
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

// step selects the next line in a direction that begins a field.
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
