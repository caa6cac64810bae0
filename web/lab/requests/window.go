package requests

import (
	"strconv"

	"github.com/fieldmark/fieldmark/kube/record"
)

// layout is the part of the rows that is laid out.
type layout struct {
	lines        []record.Line // the laid out lines, newest first
	first        int           // the row of the first of them
	above, below int           // the height of the other rows, in pixels
	count        int           // rows in all
	fall         waterfall
}

func (m Model) laidOut() layout {
	if m.live == nil {
		return layout{lines: m.Lines, count: len(m.Lines), fall: newWaterfall(m.Lines, m.now())}
	}
	l := m.live
	n := l.rowCount()
	w := l.view.Window(n)
	out := layout{first: w.First, count: n, above: w.Above, below: w.Below}
	for i := w.First; i < w.First+w.Count; i++ {
		if line, ok := l.line(l.passed[n-1-i]); ok {
			out.lines = append(out.lines, line)
		}
	}
	out.fall = newWaterfall(out.lines, l.now)
	return out
}

func rowID(id uint64) string { return "request-" + strconv.FormatUint(id, 10) }
