package object

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// drawFields lays the owners on the object anew, and writes the document. Lines that differ from those it has are marked as
// of now; none are where that is zero.
func (m Model) drawFields(now time.Time) {
	l := m.live
	laid, err := m.lay()
	l.laid = laid
	if err != nil {
		l.document = writing{label: m.label(), err: err}
		return
	}
	l.document = l.document.become(m.label(), laid.document.Lines, nil, now)
	m.relook()
}

// relook shows the document as the reader looks at it now.
func (m Model) relook() {
	l := m.live
	if l.laid == nil {
		return
	}
	l.document.dress = m.view(l.laid).component
	l.document = l.document.laidOut(l.now)
}

// How often the times in the lines are told anew: each second where the lines are few.
const (
	fewLines = 400
	ageEvery = 10 * time.Second
)

// ages tells anew when managers last wrote.
func (m Model) ages() {
	l := m.live
	if m.Tab != Fields || l.laid == nil || len(l.laid.rows) > fewLines && l.now.Sub(l.aged) < ageEvery {
		return
	}
	told := ""
	for _, mgr := range l.laid.managers {
		told += m.wrote(mgr.Owner) + "\n"
	}
	if told != l.told {
		l.told, l.aged = told, l.now
		m.relook()
	}
}

// readFields goes to the tab, or looks at it otherwise. What the schema tells has to be asked for, if it never was.
func (m Model) readFields(next Model) (page.Page, []page.Cmd) {
	switch {
	case m.Tab != Fields && m.Outline == nil && m.Untold == "" && !m.live.object.Gone():
		return m, []page.Cmd{page.Navigate{Address: next.address(next.query())}}
	case m.Tab != Fields:
		return next.turned(m.Tab)
	case !reflect.DeepEqual(m.Reading, next.Reading):
		return m.reads(next.Reading)
	case m.Reading.Field == "":
		return m, []page.Cmd{page.Reload{}}
	default:
		return m.fold(m.Reading.Field)
	}
}

// reads looks at the fields otherwise.
func (m Model) reads(r Reading) (page.Page, []page.Cmd) {
	moved := r.Field != m.Reading.Field && r.Field != ""
	m.Reading = r
	m.Shell.Here = m.address(m.query())
	m.unfoldTo(r.Field)
	m.relook()
	commands := []page.Cmd{page.Remember{Address: m.Shell.Here}}
	if moved {
		commands = append(commands, m.bringLine()...)
	}
	return m, commands
}

// unfoldTo unfolds what the field in focus lies in.
func (m Model) unfoldTo(field string) {
	if m.live.laid == nil {
		return
	}
	row, n := m.live.laid.find(field)
	if n == nil {
		return
	}
	for _, r := range m.live.laid.rows[:row] {
		if in := r.foldable(); in != nil && in.ID < n.ID && n.ID < in.End {
			delete(m.live.folds, r.path)
		}
	}
}

// fold folds away what is in a field, or unfolds it.
func (m Model) fold(path string) (page.Page, []page.Cmd) {
	if m.live.laid == nil {
		return m, nil
	}
	row, _ := m.live.laid.find(path)
	if row < 0 || m.live.laid.rows[row].foldable() == nil {
		return m, nil
	}
	path = m.live.laid.rows[row].path
	if m.live.folds[path] {
		delete(m.live.folds, path)
	} else {
		m.live.folds[path] = true
	}
	m.relook()
	return m, nil
}

// acted takes in the document's own buttons.
func (m Model) acted(a page.Acted) (page.Page, []page.Cmd) {
	if path, is := strings.CutPrefix(a.Action, "fold "); is && m.Tab == Fields {
		return m.fold(path)
	}
	return m, m.tell(a)
}

// typed looks for what is typed, letter by letter.
func (m Model) typed(t page.Typed) (page.Page, []page.Cmd) {
	if t.Field != "filter" || m.Tab != Fields || t.Text == m.Reading.Filter {
		return m, m.tell(t)
	}
	r := m.Reading
	r.Filter = t.Text
	m.Reading = r
	m.Shell.Here = m.address(m.query())
	m.live.walked = true
	m.relook()
	return m, nil
}

// scrolled lays out the lines that come into sight, where they are too many to be all laid out.
func (m Model) scrolled(s page.Scrolled) Model {
	l := m.live
	if m.Tab != Fields || l.laid == nil {
		return m
	}
	n := len(l.laid.rows)
	from, to := m.window(n)
	l.top, l.height = s.Top, s.Height
	if f, t := m.window(n); f != from || t != to {
		m.relook()
	}
	return m
}

// bringLine brings the line of the field in focus into sight, and the focus to it.
func (m Model) bringLine() []page.Cmd {
	if m.Tab != Fields || m.live.laid == nil || m.Reading.Field == "" {
		return nil
	}
	v := m.view(m.live.laid)
	at := slices.Index(v.shown, v.row)
	if at < 0 {
		return nil
	}
	return []page.Cmd{page.Scroll{Top: max(0, at-around) * components.BlameRow, Bottom: (at + around) * components.BlameRow}}
}

// fieldsPressed moves the focus among the lines that are shown.
func (m Model) fieldsPressed(key string) (page.Page, []page.Cmd) {
	if m.live.laid == nil {
		return m, nil
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
		return m, nil
	}
}

// step puts the focus on the next line in a direction that begins a field. The address follows with the next tick: browsers
// let no page change it with each key of a row that is held down.
func (m Model) step(v *fieldsView, at, by int) (page.Page, []page.Cmd) {
	for at += by; at >= 0 && at < len(v.shown) && v.rows[v.shown[at]].continues(); {
		at += by
	}
	if at < 0 || at >= len(v.shown) {
		return m, nil
	}
	row := v.shown[at]
	m.Reading = m.Reading.on(v.rows[row].path)
	m.Shell.Here = m.address(m.query())
	m.live.walked = true
	m.live.top = min(max(m.live.top, (at+1)*components.BlameRow-m.live.height), at*components.BlameRow)
	m.relook()
	return m, []page.Cmd{
		page.Scroll{Top: at * components.BlameRow, Bottom: (at + 2) * components.BlameRow},
		page.Focus{ID: "at-" + m.live.document.id(row)},
	}
}
