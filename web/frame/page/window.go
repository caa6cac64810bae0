package page

// RowHeight is how high a row is in a list that is laid out in part, in pixels; the stylesheet's --row.
const RowHeight = 29

// Bounds of what is laid out at a time.
const (
	margin    = 12 // rows laid out above and below those that can be seen, at least
	stride    = 8  // what is laid out moves by so many rows, so that most frames of scrolling change nothing
	firstRows = 60 // laid out before it is known how many can be seen
)

// Window is the part of a list that is laid out.
type Window struct {
	First, Count int // rows
	Above, Below int // pixels that the others take
}

// Window is what is to be laid out of so many rows: those that can be seen, and a few around them.
func (s Scrolled) Window(rows int) Window {
	first, count := max(0, s.Top/RowHeight-margin), firstRows
	if s.Height > 0 {
		count = s.Height/RowHeight + 2*margin + 1
	}
	first = min(first, max(0, rows-count))
	first -= first % stride
	count = min(count+stride, rows-first)
	return Window{First: first, Count: count, Above: first * RowHeight, Below: (rows - first - count) * RowHeight}
}
