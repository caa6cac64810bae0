// Package document shows an object as lines of text, and keeps their identity while the object changes.
package document

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
	"github.com/fieldmark/fieldmark/web/read/object/tab"
)

// Document is an object as lines of text. Lines keep their keys from one state to the next, so that the reader's selection and scroll position stay
// while other lines are added or removed.
type Document struct {
	Label string
	Lines []manifest.Line
	keys  []int
	fresh []time.Time // when each line last changed; zero: not since the page began to run in the browser
	last  int         // the last key that was used
	Err   error       // says why there are no lines

	Dress  Dress  // renders the document; nil: only its text
	html   string // rendered, in the browser
	marked []bool // which lines are marked in html; nil: none
}

// Become is the document with other lines. Changed lines are marked with the time now. None are marked if now is zero, or if the document had
// no lines before.
func (d Document) Become(label string, lines []manifest.Line, err error, now time.Time) Document {
	if len(d.Lines) == 0 {
		now = time.Time{}
	}
	next := Document{Label: label, Lines: lines, keys: make([]int, len(lines)), fresh: make([]time.Time, len(lines)), last: d.last, Err: err}
	for i, match := range manifest.Compare(d.Lines, lines) {
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

// ID is the id of a line's element.
func (d Document) ID(line int) string {
	if line < len(d.keys) {
		return "line-" + strconv.Itoa(d.keys[line])
	}
	return "line-" + strconv.Itoa(line+1)
}

// marks tells which lines are marked at a time; nil if none is.
func (d Document) marks(now time.Time) []bool {
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

// LaidOut is the document with its HTML at the time now. The page is rendered with each tick, and a document can have thousands of lines.
// So the HTML is made again only if lines or marks have changed.
func (d Document) LaidOut(now time.Time) Document {
	d.marked = d.marks(now)
	var b strings.Builder
	if err := d.code(d.marked).Render(context.Background(), &b); err != nil {
		d.Err = err
	}
	d.html = b.String()
	return d
}

// Dress renders a document with more than its text.
type Dress func(d Document, marks []bool) templ.Component

func (d Document) code(marks []bool) templ.Component {
	if d.Dress != nil {
		return d.Dress(d, marks)
	}
	lines, more := fitting(d.Lines)
	return components.Code(components.Document{
		Label: d.Label, Lines: lines, Keys: d.keys, Fresh: marks,
		More: components.LeftOut(more, "more line isn’t shown.", "more lines aren’t shown.", "Find a field or a value in the Fields view. The API call has all of them."),
	})
}

// Faded is the document without marks that have expired.
func (d Document) Faded(now time.Time) Document {
	if slices.Equal(d.marked, d.marks(now)) {
		return d
	}
	return d.LaidOut(now)
}

// Render implements templ.Component.
func (d Document) Render(ctx context.Context, w io.Writer) error {
	if d.html == "" {
		return d.code(nil).Render(ctx, w)
	}
	_, err := io.WriteString(w, d.html)
	return err
}

// Cost is about how many bytes of HTML a line without owners takes.
func Cost(l manifest.Line) int {
	n := 110
	for _, t := range l {
		n += 35 + len(t.Text)
	}
	return n
}

// fitting are the first lines of a document, as many as a page can have, and the number of the others.
func fitting(lines []manifest.Line) (shown []manifest.Line, more int) {
	left := tab.MostBytes
	for i, l := range lines {
		if left -= Cost(l); left < 0 && i > 0 {
			return lines[:i], len(lines) - i
		}
	}
	return lines, 0
}
