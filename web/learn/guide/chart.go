package guide

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
)

// Chart is the guide as a drawing. Chapters are lanes, lessons are stops, and wires lead from a lesson to the lessons that build on it, to its
// right. The server makes the layout from the lessons alone. The reader's progress and path only change its colors.
type Chart struct {
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Lanes  []Lane `json:"lanes"`
	Stops  []Stop `json:"stops"`
	Wires  []Wire `json:"wires"`
}

// Lane is a chapter's part of the drawing.
type Lane struct {
	Top    int      `json:"top"`
	Height int      `json:"height"`
	Title  []string `json:"title"` // in lines
}

// Stop is a lesson's place.
type Stop struct {
	ID    string   `json:"id"`
	X     int      `json:"x"` // of the middle of its circle
	Y     int      `json:"y"`
	Label []string `json:"label"` // in lines
}

// Wire leads from a lesson to one that builds on it.
type Wire struct {
	From string `json:"from"`
	To   string `json:"to"`
	Way  string `json:"way"` // the data of an SVG path
}

// The sizes that the view of the drawing needs too, in pixels.
const (
	radius  = 10 // of a stop
	leading = 13 // from one line of a label to the next

	rowHeight = 28
	lanePad   = 3 // above and below the rows of a lane
	labelGap  = 6 // between a stop and its label
)

// base is the baseline of the label's first line. The middle of the label is then as high as the stop.
func (s Stop) base() int { return s.Y + 4 - (len(s.Label)-1)*leading/2 }

// half is the lower half of a stop's ring.
func half(s Stop) string {
	return fmt.Sprintf("M%d %dA%d %d 0 0 0 %d %d", s.X-radius, s.Y, radius, radius, s.X+radius, s.Y)
}

// viewBox is the drawing's.
func (c Chart) viewBox() string { return "0 0 " + strconv.Itoa(c.Width) + " " + strconv.Itoa(c.Height) }

// drawn is a wire with its state: off, open or gone along.
type drawn struct {
	Wire
	state string
}

// wires are the wires in drawing order: first those that are off, then open ones, then those that the reader has gone along.
func (m Model) wires() []drawn {
	ranks := []string{"off", "open", "gone"}
	var all []drawn
	for _, w := range m.Chart.Wires {
		from, _ := m.lesson(w.From)
		to, _ := m.lesson(w.To)
		state := "open"
		switch {
		case !m.lit(from) || !m.lit(to):
			state = "off"
		case m.standing(from).done && m.standing(to) != standing{}:
			state = "gone"
		}
		all = append(all, drawn{w, state})
	}
	slices.SortStableFunc(all, func(a, b drawn) int {
		return cmp.Compare(slices.Index(ranks, a.state), slices.Index(ranks, b.state))
	})
	return all
}

// lit tells whether a lesson is on the path that is shown.
func (m Model) lit(l Lesson) bool { return m.Path == "" || slices.Contains(l.Paths, m.Path) }

// looks are the classes of a lesson in the drawing.
func (m Model) looks(l Lesson) string {
	looks := "stop " + m.standing(l).state()
	if !m.lit(l) {
		looks += " off"
	}
	if next, ok := m.nextLesson(); ok && next.ID == l.ID {
		looks += " next"
	}
	return looks
}

// hint is the tooltip of a lesson in the drawing.
func (m Model) hint(l Lesson) string {
	hint := l.Title
	if n := m.lessonNumber(l); n != "" {
		hint = n + ". " + hint
	}
	if said := m.standing(l).progressText(); said != "" {
		return hint + ": " + said
	}
	return hint + ", " + strconv.Itoa(l.Minutes) + " min"
}
