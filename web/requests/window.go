package requests

import (
	"strconv"

	"github.com/fieldmark/fieldmark/kube/record"
)

// Bounds of what is laid out at a time.
const (
	RowHeight = 29 // pixels; the stylesheet's --row
	margin    = 10 // rows laid out above and below those that can be seen, at least
	stride    = 6  // what is laid out moves by so many rows, so that most frames of scrolling change nothing
	firstRows = 50 // laid out before it is known how many can be seen
)

// layout is the part of the rows that is laid out.
type layout struct {
	lines        []record.Line // newest first
	first        int           // place of the first of them
	above, below int           // pixels that the others take
	count        int           // rows in all
	fall         waterfall
}

func (m Model) laidOut() layout {
	if m.live == nil {
		return layout{lines: m.Lines, count: len(m.Lines), fall: newWaterfall(m.Lines, m.now())}
	}
	l := m.live
	n := l.count()
	first, count := max(0, l.view.Top/RowHeight-margin), firstRows
	if l.view.Height > 0 {
		count = l.view.Height/RowHeight + 2*margin + 1
	}
	first = min(first, max(0, n-count))
	first -= first % stride
	out := layout{first: first, count: n, above: first * RowHeight}
	for i := first; i < min(n, first+count+stride); i++ {
		if line, ok := l.line(l.passed[n-1-i]); ok {
			out.lines = append(out.lines, line)
		}
	}
	out.below = max(0, n-first-len(out.lines)) * RowHeight
	out.fall = newWaterfall(out.lines, l.now)
	return out
}

func rowID(id uint64) string { return "request-" + strconv.FormatUint(id, 10) }
