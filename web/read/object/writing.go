package object

import (
	"context"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/web/follow"
)

// writing is the object written out. From one state to the next its lines keep their keys, so that what a reader has
// selected, and where they are, stays while lines come and go around it.
type writing struct {
	label string
	lines []manifest.Line
	keys  []int
	fresh []time.Time // when each line changed last; zero: not since the page is alive
	last  int         // key
	err   error       // why there are no lines

	dress  dress  // how it is shown; nil: as it is
	html   string // as it looks alive
	marked []bool // which lines are marked in it; nil: none
}

// become is the document with other lines. Those that changed are marked as of now; none are where that is zero, or
// where there was nothing to read before.
func (d writing) become(label string, lines []manifest.Line, err error, now time.Time) writing {
	if len(d.lines) == 0 {
		now = time.Time{}
	}
	next := writing{label: label, lines: lines, keys: make([]int, len(lines)), fresh: make([]time.Time, len(lines)), last: d.last, err: err}
	for i, match := range manifest.Compare(d.lines, lines) {
		if match.From >= 0 {
			next.keys[i], next.fresh[i] = d.keys[match.From], d.fresh[match.From]
		} else {
			next.last++
			next.keys[i] = next.last
		}
		if match.Changed {
			next.fresh[i] = now
		}
	}
	return next
}

// id is the id of a line's element.
func (d writing) id(line int) string {
	if line < len(d.keys) {
		return "line-" + strconv.Itoa(d.keys[line])
	}
	return "line-" + strconv.Itoa(line+1)
}

// marks are the lines that are marked at a time; nil where none is.
func (d writing) marks(now time.Time) []bool {
	var marks []bool
	for i, at := range d.fresh {
		if at.IsZero() || now.Sub(at) > follow.FreshFor {
			continue
		}
		if marks == nil {
			marks = make([]bool, len(d.fresh))
		}
		marks[i] = true
	}
	return marks
}

// laidOut is the document with its HTML as of now. A page is shown anew with each tick, and a document may have
// thousands of lines: they are rendered when they change, or their marks do.
func (d writing) laidOut(now time.Time) writing {
	d.marked = d.marks(now)
	var b strings.Builder
	if err := d.code(d.marked).Render(context.Background(), &b); err != nil {
		d.err = err
	}
	d.html = b.String()
	return d
}

// dress shows a document with more than its text.
type dress func(d writing, marks []bool) templ.Component

func (d writing) code(marks []bool) templ.Component {
	if d.dress != nil {
		return d.dress(d, marks)
	}
	lines, more := fitting(d.lines)
	return components.Code(components.Document{
		Label: d.label, Lines: lines, Keys: d.keys, Fresh: marks,
		More: components.LeftOut(more, "line", "lines", "Find a field or a value in the Fields view. The API call has all of them."),
	})
}

// faded is the document without the marks whose time is over.
func (d writing) faded(now time.Time) writing {
	if slices.Equal(d.marked, d.marks(now)) {
		return d
	}
	return d.laidOut(now)
}

// Render implements templ.Component.
func (d writing) Render(ctx context.Context, w io.Writer) error {
	if d.html == "" {
		return d.code(nil).Render(ctx, w)
	}
	_, err := io.WriteString(w, d.html)
	return err
}
