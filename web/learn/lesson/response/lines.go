package response

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/layout"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/learn/lesson/sent"
	"github.com/fieldmark/fieldmark/words"
)

// laid is a body in lines. The lines that the lesson is about are always shown, in bodies of any length:
//
//	{                         the beginning
//	  "apiVersion": "v1",
//	  Show 40 lines           a fold
//	  "items": [              the list that contains the line below
//	  Show 200 lines
//	    {
//	      "name": "order-7",  ◀ a remark, with the lines around
//	  Show more lines         the rest is not laid out yet
type laid struct {
	lines []layout.Line
	more  bool  // there are more lines than those
	at    []int // the line of each route; below 0: none
	must  []int // lines that are always shown, in order; empty: nothing is folded
}

const (
	atFirst  = 3  // lines of the beginning that are always shown
	beside   = 2  // lines above and below one that the lesson is about
	tooShort = 6  // a fold has at least so many lines
	short    = 24 // a body with at most so many lines has no folds
)

// layer lays out the first n lines of a body: layout.JSON, or to for other formats.
type layer interface {
	To(n int) (lines []layout.Line, more bool)
}

// to is a function as a layer.
type to func(n int) ([]layout.Line, bool)

func (f to) To(n int) ([]layout.Line, bool) { return f(n) }

// inLines is the key of a body in lines; see sent.Once.
type inLines struct {
	unfolded bool
	lines    int
}

// inDocument is the key of a decoded body; see sent.Once.
type inDocument struct{}

// lay lays a response out, as far as it is shown.
func (v View) lay(a *sent.Request) laid {
	l := v.layTo(a, a.Lines)
	if len(v.Opened) > 0 && l.more && slices.Max(v.Opened)+sent.LinesAtOnce >= len(l.lines) {
		l = v.layTo(a, slices.Max(v.Opened)+sent.LinesAtOnce+1)
	}
	return l
}

// layTo lays out at least so many lines.
func (v View) layTo(a *sent.Request, lines int) laid {
	return sent.Once(a, v.Vars, inLines{v.unfolded(), lines}, func() laid {
		document := sent.Once(a, v.Vars, inDocument{}, func() any { return a.Document() })
		l := v.layOutRoutes(v.layer(a), lines, v.routes(document))
		l.keep()
		return l
	})
}

// layer lays a response out in the format in which it came.
func (v View) layer(a *sent.Request) layer {
	veil := veiled(a)
	switch form := a.Call.Form(); {
	case form == call.JSON:
		how := layout.How{Hide: veil}
		if !v.unfolded() {
			how.Fold = managed
		}
		return layout.Of(a.Call.Kept, how)
	case veil:
		return to(func(int) ([]layout.Line, bool) {
			return []layout.Line{layout.Plain("This response may have secrets. Fieldmark can’t hide them in this format, so the response isn’t shown.")}, false
		})
	case form == call.Text:
		return to(func(n int) ([]layout.Line, bool) { return layout.Text(a.Call.Kept, n) })
	}
	return to(func(n int) ([]layout.Line, bool) { return layout.Bytes(a.Call.Kept, n) })
}

// routes are the paths of the values that the lesson is about: first those of its notes, then those of its predictions. An entry is nil if the
// document has no such value.
func (v View) routes(document any) [][]string {
	var all [][]string
	for _, n := range v.Notes {
		route, _ := v.route(n.At, document)
		all = append(all, route)
	}
	for _, s := range v.Points {
		route, found := v.route(s, document)
		if !found { // show the place where the value would be
			route = v.above(s, document)
		}
		all = append(all, route)
	}
	return all
}

// route is the path of a subject in a document; false: the document doesn't have it.
func (v View) route(s lesson.Subject, document any) ([]string, bool) {
	text, err := v.Vars.Expand(s.Path)
	path, wrong := lesson.ParsePath(text)
	if err != nil || wrong != nil || text == "" {
		return nil, false
	}
	route, found := path.Route(document)
	if found && route == nil {
		route = []string{} // the whole document
	}
	return route, found
}

// above is the path of the innermost value that would contain a missing subject; nil: there is none.
func (v View) above(s lesson.Subject, document any) []string {
	text, err := v.Vars.Expand(s.Path)
	path, wrong := lesson.ParsePath(text)
	if err != nil || wrong != nil {
		return nil
	}
	for len(path) > 1 {
		path = path[:len(path)-1]
		if route, found := path.Route(document); found {
			return route
		}
	}
	return nil
}

// layOutRoutes lays out so many lines, or more until it finds all routes.
func (v View) layOutRoutes(from layer, lines int, routes [][]string) laid {
	l := laid{at: make([]int, len(routes))}
	for n := lines; ; n *= 4 {
		l.lines, l.more = from.To(n)
		missing := false
		for i, route := range routes {
			l.at[i] = l.lineOf(route)
			missing = missing || l.at[i] < 0 && route != nil
		}
		if !missing || !l.more {
			return l
		}
	}
}

// lineOf is the first line of the value of a route, or of the folded value that contains it; below 0: there is none.
func (l laid) lineOf(route []string) int {
	if route == nil {
		return -1
	}
	return slices.IndexFunc(l.lines, func(line layout.Line) bool {
		steps, on := line.On(route)
		return on && (steps == len(route) || line.Folded)
	})
}

// keep finds the lines that are always shown.
func (l *laid) keep() {
	if !slices.ContainsFunc(l.at, func(line int) bool { return line >= 0 }) || !l.more && len(l.lines) <= short {
		return
	}
	kept := map[int]bool{}
	keep := func(from, to int) {
		for i := max(from, 0); i < min(to, len(l.lines)); i++ {
			kept[i] = true
		}
	}
	keep(0, atFirst)
	for _, line := range l.at {
		if line < 0 {
			continue
		}
		keep(line-beside, line+beside+1)
		for _, i := range l.holding(line) {
			keep(i, i+1)
			if strings.TrimSpace(l.lines[i].String()) == "{" {
				keep(i+1, i+2) // an item of a list: its first field identifies it
			}
		}
	}
	for i := range kept {
		l.must = append(l.must, i)
	}
	slices.Sort(l.must)
}

// holding are the first lines of all values that contain the value of a line.
func (l *laid) holding(line int) []int {
	inner, _ := l.lines[line].Way()
	var all []int
	for i := range line {
		if steps, on := l.lines[i].On(inner); on && steps < len(inner) {
			all = append(all, i)
		}
	}
	return all
}

// stretch is a run of lines that are all shown or all folded.
type stretch struct {
	from, to int
	folded   bool
	endless  bool // the number of its lines is unknown
}

// stretches are the lines in runs. Where nothing can be pressed, a long body that the lesson says nothing about is folded, too.
func (v View) stretches(l laid) []stretch {
	if v.Still && len(l.must) == 0 && len(l.lines) >= short+tooShort {
		return []stretch{{to: short}, {from: short, to: len(l.lines), folded: true, endless: l.more}}
	}
	return l.stretches(v.Opened)
}

// stretches are the lines in runs. opened are the first lines of the folds that the reader has opened.
func (l laid) stretches(opened []int) []stretch {
	if len(l.must) == 0 {
		return []stretch{{to: len(l.lines)}}
	}
	shown := make([]bool, len(l.lines))
	for _, i := range l.must {
		shown[i] = true
	}
	for _, from := range opened {
		for i := from; i >= 0 && i < min(from+sent.LinesAtOnce, len(shown)); i++ {
			shown[i] = true
		}
	}
	var all []stretch
	for i := 0; i < len(shown); {
		end := i + 1
		for end < len(shown) && shown[end] == shown[i] {
			end++
		}
		s := stretch{from: i, to: end, folded: !shown[i], endless: !shown[i] && l.more && end == len(shown)}
		all, i = append(all, s.unlessShort()), end
	}
	if last := all[len(all)-1]; l.more && !last.endless {
		all = append(all, stretch{from: len(l.lines), to: len(l.lines), folded: true, endless: true})
	}
	return all
}

// unlessShort unfolds a stretch whose button would need as much room as its lines.
func (s stretch) unlessShort() stretch {
	if !s.endless && s.to-s.from < tooShort {
		s.folded = false
	}
	return s
}

// foldLabel is the label of the button that opens a fold.
func (s stretch) foldLabel() string {
	if s.endless {
		return words.ShowMoreLines
	}
	return fmt.Sprintf("Show %s", words.Count(int64(s.to-s.from), "line", "lines"))
}

// mostStill bounds the lines of a fold that the browser itself opens: all of them are in the document.
const mostStill = 200

// OpenedID is the id of the first line of an opened fold.
func (v View) OpenedID(line int) string { return v.Body + "-" + strconv.Itoa(line) }
