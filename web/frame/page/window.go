package page

// RowHeight is the height of a row in pixels, in a list of which only a part is rendered. It must equal --row in the stylesheet.
const RowHeight = 29

// How many rows are rendered at a time. The program learns of scrolling in one frame, and what it renders is shown in a later one. So as many rows as are
// visible are rendered above and below them, too.
const (
	margin    = 12 // the least rows that are rendered above and below the visible ones
	stride    = 8  // the rendered part moves by so many rows, so that most frames of scrolling change nothing
	firstRows = 60 // rendered before the number of visible rows is known
)

// Window is the part of a list that is rendered.
type Window struct {
	First, Count int // rows
	Above, Below int // height of the other rows, in pixels
}

// Window is the part of so many rows to render: the visible ones, and a few above and below.
func (s Scrolled) Window(rows int) Window {
	seen := s.Height / RowHeight
	around := max(margin, seen)
	if s.Top == 0 {
		around = margin // all rows around are below, which is as many as the first document has
	}
	first, count := max(0, s.Top/RowHeight-around), firstRows
	if s.Height > 0 {
		count = seen + 2*around + 1
	}
	first = min(first, max(0, rows-count))
	first -= first % stride
	count = min(count+stride, rows-first)
	return Window{First: first, Count: count, Above: first * RowHeight, Below: (rows - first - count) * RowHeight}
}
