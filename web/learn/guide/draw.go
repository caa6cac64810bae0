package guide

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sizes of the drawing in pixels, and of labels in letters.
const (
	titleWidth = 148 // of the column with the chapters' titles
	trackGap   = 7   // between wires side by side
	gutterPad  = 9   // between a column and its wires on both sides
	bend       = 5   // the radius of a wire's turns
	wide       = 13  // letters of a label in one line
)

// Draw finds a place for every lesson and a way for every wire.
//
// A lesson's column is the length of the longest chain of lessons before it. Its row is the first one of its chapter in which its wires reach it
// without crossing another stop. A wire leaves its lesson to the right, turns in the gutter after that column, and follows the row of the lesson
// that it leads to.
func Draw(chapters []Chapter, lessons []Lesson) Chart {
	d := drawing{chapters: chapters, lessons: lessons, at: map[string]cell{}, before: foundations(lessons), taken: map[cell]bool{}}
	d.columns()
	d.rows()
	d.tracks()
	return d.chart()
}

// cell is a place in the grid of the drawing.
type cell struct{ column, row int }

// bus is the common part of a lesson's wires: the vertical line in the gutter after its column.
type bus struct {
	from      string
	row       int   // where it begins
	ends      []int // the rows that it leads to
	top, foot int
	track     int
}

type drawing struct {
	chapters []Chapter
	lessons  []Lesson
	before   map[string][]string // the lessons from which wires lead to a lesson
	at       map[string]cell
	taken    map[cell]bool
	lanes    []lane
	buses    [][]bus // by gutter
}

// lane is the rows of a chapter.
type lane struct {
	title     string
	row, rows int
}

// foundations are the lessons that each lesson builds on directly. Those that another one of them builds on are left out, because the wires lead
// there too.
func foundations(lessons []Lesson) map[string][]string {
	after := map[string][]string{}
	for _, l := range lessons {
		after[l.ID] = slices.DeleteFunc(slices.Clone(l.After), func(id string) bool {
			return !slices.ContainsFunc(lessons, func(l Lesson) bool { return l.ID == id })
		})
	}
	direct := map[string][]string{}
	for id, all := range after {
		direct[id] = slices.DeleteFunc(slices.Clone(all), func(far string) bool {
			return slices.ContainsFunc(all, func(near string) bool { return near != far && leads(after, near, far, map[string]bool{}) })
		})
	}
	return direct
}

// leads tells whether a lesson builds on another one, directly or through others.
func leads(after map[string][]string, from, to string, seen map[string]bool) bool {
	seen[from] = true
	return slices.ContainsFunc(after[from], func(id string) bool {
		return id == to || !seen[id] && leads(after, id, to, seen)
	})
}

// columns puts each lesson to the right of all lessons that it builds on. It makes as many rounds as there are lessons, so it also ends if they
// form a circle.
func (d *drawing) columns() {
	for range d.lessons {
		for _, l := range d.lessons {
			c := d.at[l.ID]
			for _, before := range d.before[l.ID] {
				c.column = min(max(c.column, d.at[before].column+1), len(d.lessons)-1)
			}
			d.at[l.ID] = c
		}
	}
}

// rows gives each chapter as many rows as its lessons need.
func (d *drawing) rows() {
	row := 0
	for _, p := range (Model{Lessons: d.lessons, Chapters: d.chapters}).parts() {
		at := lane{title: p.Title, row: row, rows: 1}
		order := slices.Clone(p.lessons)
		slices.SortStableFunc(order, func(a, b Lesson) int { return cmp.Compare(d.at[a.ID].column, d.at[b.ID].column) })
		for i, l := range order {
			at.rows = max(at.rows, d.placeLesson(l, order[:i], row)-row+1)
		}
		d.lanes = append(d.lanes, at)
		row += at.rows
	}
}

// placeLesson finds a lesson's row: the row of a lesson of the same chapter that it builds on, or else the first free one.
func (d *drawing) placeLesson(l Lesson, placed []Lesson, row int) int {
	c := d.at[l.ID]
	first := c.column
	for _, before := range d.before[l.ID] {
		first = min(first, d.at[before].column+1)
	}
	free := func(row int) bool {
		for column := first; column <= c.column; column++ {
			if d.taken[cell{column, row}] {
				return false
			}
		}
		return true
	}
	for _, p := range placed {
		if slices.Contains(d.before[l.ID], p.ID) && free(d.at[p.ID].row) {
			row = d.at[p.ID].row
			break
		}
	}
	for !free(row) {
		row++
	}
	for column := first; column <= c.column; column++ {
		d.taken[cell{column, row}] = true
	}
	d.at[l.ID] = cell{c.column, row}
	return row
}

// tracks puts the wires of each gutter side by side.
func (d *drawing) tracks() {
	d.buses = make([][]bus, d.width())
	for _, l := range d.lessons {
		c := d.at[l.ID]
		b := bus{from: l.ID, row: c.row, top: c.row, foot: c.row}
		for _, to := range d.lessons {
			if slices.Contains(d.before[to.ID], l.ID) {
				row := d.at[to.ID].row
				b.ends, b.top, b.foot = append(b.ends, row), min(b.top, row), max(b.foot, row)
			}
		}
		if b.top < b.foot {
			d.buses[c.column] = append(d.buses[c.column], b)
		}
	}
	for _, all := range d.buses {
		beside(all)
	}
}

// beside gives each bus of a gutter its track.
func beside(all []bus) {
	untangle(all)
	for i := range all {
		for _, other := range all[:i] {
			if all[i].meets(other) {
				all[i].track = max(all[i].track, other.track+1)
			}
		}
	}
}

// width is the number of columns.
func (d *drawing) width() int {
	width := 0
	for c := range maps.Values(d.at) {
		width = max(width, c.column+1)
	}
	return width
}

// untangle orders the buses of a gutter from left to right so that few cross. Neighbors change places as long as this helps.
func untangle(all []bus) {
	for range all {
		for i := 1; i < len(all); i++ {
			if a, b := all[i-1], all[i]; crossings(b, a) < crossings(a, b) {
				all[i-1], all[i] = b, a
			}
		}
	}
}

// crossings is how often two buses cross if one is to the left of the other. A common row counts a hundred times, because then nobody can see
// where each of them leads.
func crossings(left, right bus) int {
	n := 0
	for _, row := range left.ends {
		switch {
		case row == right.row:
			n += 100
		case right.top <= row && row <= right.foot:
			n++
		}
	}
	if left.top <= right.row && right.row <= left.foot {
		n++
	}
	return n
}

func (b bus) meets(other bus) bool { return b.top <= other.foot && other.top <= b.foot }

// chart turns rows and columns into pixels.
func (d *drawing) chart() Chart {
	left, gutters, width := d.across()
	c := Chart{Width: width}
	tops := map[int]int{} // of rows
	for _, l := range d.lanes {
		height := l.rows*rowHeight + 2*lanePad
		for i := range l.rows {
			tops[l.row+i] = c.Height + lanePad + i*rowHeight
		}
		c.Lanes = append(c.Lanes, Lane{Top: c.Height, Height: height, Title: broken(l.title)})
		c.Height += height
	}
	stops := map[string]Stop{}
	for _, l := range d.lessons {
		at := d.at[l.ID]
		s := Stop{ID: l.ID, X: left[at.column] + radius, Y: tops[at.row] + rowHeight/2, Label: broken(l.short())}
		stops[l.ID] = s
		c.Stops = append(c.Stops, s)
	}
	for _, l := range d.lessons {
		for _, before := range d.before[l.ID] {
			from, to := stops[before], stops[l.ID]
			turn := gutters[d.at[before].column] + d.track(before)*trackGap
			c.Wires = append(c.Wires, Wire{From: before, To: l.ID, Way: way(from.labelEnd()+3, from.Y, turn, to.X-radius, to.Y)})
		}
	}
	return c
}

// across gives the left edge of each column, the place of the first wire after it, and the width of the drawing.
func (d *drawing) across() (left, gutters []int, width int) {
	x := titleWidth
	for column := range d.width() {
		left = append(left, x)
		end := x
		for _, l := range d.lessons {
			if d.at[l.ID].column == column {
				end = max(end, Stop{X: x + radius, Label: broken(l.short())}.labelEnd())
			}
		}
		gutters = append(gutters, end+gutterPad)
		tracks := 1
		for _, b := range d.buses[column] {
			tracks = max(tracks, b.track+1)
		}
		x, width = end+2*gutterPad+bend+(tracks-1)*trackGap, end+lanePad
	}
	return left, gutters, width
}

func (d *drawing) track(from string) int {
	for _, b := range d.buses[d.at[from].column] {
		if b.from == from {
			return b.track
		}
	}
	return 0
}

// way is the path of a wire: to the right, up or down at turn, and to the right again.
func way(x, y, turn, toX, toY int) string {
	if y == toY {
		return fmt.Sprintf("M%d %dH%d", x, y, toX)
	}
	down := bend
	if toY < y {
		down = -bend
	}
	return fmt.Sprintf("M%d %dH%dQ%d %d %d %dV%dQ%d %d %d %dH%d", x, y, turn-bend, turn, y, turn, y+down, toY-down, turn, toY, turn+bend, toY, toX)
}

// compound has the hyphens of an id that a short name keeps.
var compound = strings.NewReplacer("client side", "client-side")

// short is a short name of a lesson, from its id.
func (l Lesson) short() string {
	words := compound.Replace(strings.ReplaceAll(l.ID, "-", " "))
	first, size := utf8.DecodeRuneInString(words)
	return string(unicode.ToUpper(first)) + words[size:]
}

// broken breaks words into two lines of about the same length, if they are long.
func broken(words string) []string {
	lines, longest := []string{words}, len(words)
	if longest <= wide {
		return lines
	}
	for i, r := range words {
		if both := max(i, len(words)-i-1); r == ' ' && both < longest {
			lines, longest = []string{words[:i], words[i+1:]}, both
		}
	}
	return lines
}

// labelEnd is the right edge of a stop's label.
func (s Stop) labelEnd() int {
	widest := 0.0
	for _, line := range s.Label {
		widest = max(widest, measure(line))
	}
	return s.X + radius + labelGap + int(widest+.5)
}

// measure is the approximate width of a text in a label, in pixels.
func measure(text string) float64 {
	const size = 12
	sum := 0.0
	for _, r := range text {
		switch {
		case strings.ContainsRune("ijlI.,:’'", r):
			sum += .26
		case strings.ContainsRune("frt -", r):
			sum += .37
		case strings.ContainsRune("mwMW", r):
			sum += .88
		case unicode.IsUpper(r):
			sum += .68
		default:
			sum += .585
		}
	}
	return sum * size
}
