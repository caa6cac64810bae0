package logs

import (
	"unicode/utf8"

	"github.com/fieldmark/fieldmark/kube/podlog"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Heights in pixels. They must equal those in the stylesheet.
const (
	rowHeight  = 19
	headHeight = 29
)

// How many rows are rendered besides the visible ones.
const (
	around    = 20 // at least, above and below
	stride    = 10 // the rendered part moves by so many rows
	firstRows = 80 // before the number of visible rows is known
)

// Characters are as wide as the font says: 0.6 of its size of 12 pixels.
const (
	tenthsOfCharacter = 72
	narrow            = 700 // the width of the rows from which on they have less beside the text
	leastColumns      = 40
	mostInRow         = 2000 // characters of a line that isn't wrapped
	tabWidth          = 4
)

// layout is the part of the lines that is rendered.
type layout struct {
	lines        []podlog.Line
	first, count int // the index of the first of them among the shown lines, and how many are shown
	above, below int // pixels
	columns      int // characters in a row; 0: lines aren't wrapped
	fields       []string
	names        []string // of what marks tell apart
	by           by
	href         string // of a line, without the line itself
}

func (m Model) laidOut() layout {
	if m.live == nil {
		return m.laidOutWhole()
	}
	x := m.live.shown
	rows, view := x.rows(), m.live.view
	count := firstRows
	if view.Height > 0 {
		count = view.Height/rowHeight + 2*around
	}
	first := max(0, min((view.Top-headHeight)/rowHeight-around, rows-count))
	first -= first % stride
	out := layout{count: len(x.shown), columns: x.columns}
	i := x.at(first)
	out.first, out.above = i, x.top(i)*rowHeight
	end := out.above / rowHeight
	for ; i < len(x.shown) && end < first+count+stride; i++ {
		if x.shown[i] <= m.live.log.Dropped() || x.shown[i] >= m.live.log.Next() {
			continue
		}
		out.lines = append(out.lines, m.live.log.Line(x.shown[i]))
		end = x.ends[i] - x.gone
	}
	out.below = (rows - end) * rowHeight
	out.fields = fieldsOf(out.lines, m.Options)
	out.names, out.by = m.names()
	out.href = m.linesHref()
	return out
}

// laidOutWhole is the layout without scripts: all lines that the server has read and the filter shows.
func (m Model) laidOutWhole() layout {
	log := podlog.Log{MaxLines: maxLines, MaxBytes: maxBytes}
	log.Add(append([]podlog.Line{}, m.Lines...)...)
	x := newIndex(m.Options)
	for x.work(&log) {
	}
	out := layout{count: len(x.shown)}
	for _, number := range x.shown {
		out.lines = append(out.lines, log.Line(number))
	}
	out.fields = fieldsOf(out.lines, m.Options)
	out.names, out.by = m.names()
	out.href = m.linesHref()
	return out
}

// rows is the number of rows that are shown.
func (l *live) rows() int { return l.shown.rows() }

// fits measures the lines again, if they are wrapped and the width has changed.
func (m Model) fits() {
	l := m.live
	columns := 0
	if m.Options.Wrap && !m.Options.Columns {
		width := l.view.Width
		if width == 0 {
			width = 1100
		}
		columns = max(leastColumns, (width-m.beside(width))*10/tenthsOfCharacter)
	}
	for _, x := range []*index{l.shown, l.next} {
		if x != nil && x.columns != columns {
			x.measure(&l.log, columns)
		}
	}
}

// beside is the width of what is beside a line's text, in pixels.
func (m Model) beside(width int) int {
	pixels := 46 // padding
	if m.several() {
		pixels += map[bool]int{true: 26, false: 106}[width <= narrow]
	}
	if !m.Options.NoTimes {
		pixels += 102
	}
	if width > narrow {
		pixels += 60
	}
	return pixels
}

// rowsOf is how many rows a line needs.
func rowsOf(l podlog.Line, columns int) int {
	if columns == 0 || len(l.Text)*tabWidth <= columns {
		return 1
	}
	return len(breaks(l.Text, columns)) + 1
}

// breaks are the places in a text at which its rows end, but for the last row. Characters of a double width count twice.
func breaks(text string, columns int) (at []int) {
	width := 0
	for i, r := range text {
		w := widthOf(r)
		if width+w > columns {
			at = append(at, i)
			width = 0
		}
		width += w
	}
	return at
}

func widthOf(r rune) int {
	switch {
	case r == '\t':
		return tabWidth
	case r < 0x1100:
		return 1
	}
	return 2
}

// rowHead is the part of a text that fits into a row that isn't wrapped, and how many bytes don't.
func rowHead(text string) (head string, left int) {
	if len(text) <= mostInRow {
		return text, 0
	}
	n := mostInRow
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n], len(text) - n
}

// toEnd is farther than any log is long.
const toEnd = 1 << 30

// anchorRows keeps the visible rows where they are after lines were added or dropped: at the end, or at their places.
func (m Model) anchorRows() (cmds []page.Cmd) {
	l := m.live
	m.fits()
	if !l.marked {
		cmds = m.reveal()
	}
	if l.rows() < l.former {
		l.bottom = 0 // the end of the rows moves up, so the browser scrolls
	}
	l.former = l.rows()
	if l.stuck {
		l.view.Top = max(0, headHeight+l.rows()*rowHeight-l.view.Height)
		return append(cmds, page.Shift{By: toEnd})
	}
	if by := l.shown.gone - l.passed; by > 0 && l.shown.columns == 0 {
		l.view.Top, l.bottom = max(0, l.view.Top-by*rowHeight), 0
		cmds = append(cmds, page.Shift{By: -by * rowHeight})
	}
	l.passed = l.shown.gone
	return cmds
}

// scrolled takes in which rows are visible. A reader who scrolls up leaves the end; one who scrolls to the end stays there.
func (m Model) scrolled(to page.Scrolled) (page.Page, []page.Cmd) {
	l := m.live
	bottom := to.Top + to.Height
	end := headHeight + l.rows()*rowHeight
	resized := to.Width != l.view.Width || to.Height != l.view.Height
	switch {
	case resized:
	case bottom >= end-rowHeight:
		l.stuck = true
	case l.bottom > 0 && bottom < l.bottom-2:
		l.stuck, l.passed = false, l.shown.gone
	}
	if l.bottom = bottom; !l.stuck || !resized {
		l.view = to
	}
	if resized {
		l.view = to
		return m, m.anchorRows()
	}
	return m, nil
}

// reveal shows the line of the address, as soon as it is there.
func (m Model) reveal() []page.Cmd {
	l := m.live
	for i, number := range l.shown.shown {
		if line := l.log.Line(number); m.isMarked(line) {
			l.marked = true
			top := l.shown.top(i) * rowHeight
			return []page.Cmd{page.Scroll{Top: max(0, top-5*rowHeight), Bottom: top + 10*rowHeight}}
		}
	}
	return nil
}

// isMarked tells whether the address leads to a line.
func (m Model) isMarked(line podlog.Line) bool {
	p := m.Options.Line
	if line.Note || p.Time.IsZero() || !line.Time.Equal(p.Time) {
		return false
	}
	pod, container := m.of(line)
	return pod == p.Pod && container == p.Container
}

// of is the pod and the container of a line.
func (m Model) of(line podlog.Line) (pod, container string) {
	if m.live == nil {
		if line.Source < len(m.Read) {
			return m.Read[line.Source].Pod, m.Read[line.Source].Container
		}
		return "", ""
	}
	s := m.live.sources[line.Source]
	return s.pod.Name, s.container.Name
}
