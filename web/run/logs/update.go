package logs

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/podlog"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// The actions of buttons.
const (
	doEnd  = "logs/end"
	doCopy = "logs/copy"
	doSave = "logs/save"
)

// change shows the page for other options. Only what they change is read or judged again.
func (m Model) change(o Options, replace bool) (page.Page, []page.Cmd) {
	before := m.Options
	m.Options = o
	l := m.live
	cmds := []page.Cmd{page.Remember{Address: m.optionsAddress(nil), Replace: replace}}
	switch {
	case !o.reads(before):
		cmds = append(cmds, m.pause()...)
		m.Read, m.Lines, m.Earlier = nil, nil, false
		m.restart()
		l.stuck, l.view.Top = o.Line.Time.IsZero(), 0
	case !o.shows(before):
		l.next = newIndex(o)
		l.next.columns = l.shown.columns
	}
	if o.Still && !before.Still {
		cmds = append(cmds, m.pause()...)
	}
	if !o.Still && before.Still {
		l.stuck = true
		for _, s := range l.sources {
			s.exhausted, s.next = false, time.Time{}
		}
	}
	cmds = append(cmds, m.schedule()...)
	return m, append(cmds, m.anchorRows()...)
}

// typed takes in a field of the form.
func (m Model) typed(t page.Typed) (page.Page, []page.Cmd) {
	values := m.Options.Values()
	switch t.Field {
	case fieldContainer, fieldSince, fieldTail, fieldFilter, fieldPattern, fieldBefore, fieldAfter, fieldLevel:
		values.Set(t.Field, t.Text)
	default:
		return m, nil
	}
	o := ParseOptions(values)
	if !o.reads(m.Options) {
		o.Line = Place{} // the line may not be among the others
	}
	return m.change(o, true)
}

func (m Model) handleAction(action string) (page.Page, []page.Cmd) {
	switch action {
	case doEnd:
		m.live.stuck = true
		return m, m.anchorRows()
	case doCopy:
		return m, []page.Cmd{page.Copy{Text: m.shownText(mostCopied)}}
	case doSave:
		return m, []page.Cmd{page.Download{Name: m.Subject.Shell.Path.Name + ".log", MediaType: "text/plain; charset=utf-8", Body: []byte(m.shownText(0))}}
	}
	return m, nil
}

func (m Model) pressed(key string) (page.Page, []page.Cmd) {
	o := m.Options
	switch key {
	case "f":
		o.Still = !o.Still
		next, cmds := m.change(o, true)
		return next, append(cmds, page.Announce{Words: map[bool]string{true: "No longer following", false: "Following"}[o.Still]})
	case "w":
		o.Wrap = !o.Wrap
		return m.change(o, true)
	case "t":
		o.NoTimes = !o.NoTimes
		return m.change(o, true)
	case "p":
		o.Previous = !o.Previous
		return m.change(o, true)
	case "g":
		m.live.stuck, m.live.bottom = false, 0
		m.live.view.Top = 0
		return m, []page.Cmd{page.Shift{By: -toEnd}}
	case "j":
		return m, m.step(1)
	case "k":
		return m, m.step(-1)
	case "G":
		return m.handleAction(doEnd)
	}
	cmds, _ := m.Subject.Pressed(key)
	return m, cmds
}

// step moves the focus to the link of the line next to the chosen one, or of the last visible line if none is chosen.
func (m Model) step(by int) []page.Cmd {
	l := m.live
	shown := l.shown.shown
	if len(shown) == 0 {
		return nil
	}
	at := slices.IndexFunc(shown, func(number int) bool { return l.log.Line(number).Serial == l.chosen })
	if at < 0 {
		at = l.shown.at(max(0, (l.view.Top+l.view.Height-headHeight)/rowHeight-1)) - by
	}
	at = max(0, min(at+by, len(shown)-1))
	line := l.log.Line(shown[at])
	l.chosen, l.stuck, l.passed = line.Serial, false, l.shown.gone
	top := l.shown.top(at) * rowHeight
	return []page.Cmd{page.Scroll{Top: top, Bottom: top + rowHeight}, page.Focus{ID: lineID(line)}}
}

// mostCopied bounds what is copied, in bytes.
const mostCopied = 4 << 20

// shownText is the shown lines as text, at most so many bytes of their end; 0: all of them.
func (m Model) shownText(most int) string {
	l := m.live
	var b strings.Builder
	several := m.several()
	for _, number := range l.shown.shown {
		b.WriteString(m.asText(l.log.Line(number), several))
		b.WriteByte('\n')
	}
	text := b.String()
	if most > 0 && len(text) > most {
		text = text[len(text)-most:]
		_, text, _ = strings.Cut(text, "\n")
	}
	return text
}

func (m Model) asText(line podlog.Line, several bool) string {
	if line.Note {
		return "# " + line.Text
	}
	text := line.Text
	if !m.Options.NoTimes {
		text = line.Time.UTC().Format(time.RFC3339Nano) + " " + text
	}
	if several {
		pod, container := m.of(line)
		text = "[" + pod + "/" + container + "] " + text
	}
	if line.Lost > 0 {
		text += " [" + strconv.Itoa(line.Lost) + " more bytes]"
	}
	return text
}

// several tells whether the lines are from more than one container.
func (m Model) several() bool {
	if m.live == nil {
		return len(m.Read) > 1
	}
	return len(m.live.sources) > 1
}
