package copying

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/words"
)

// Blame is an object, or one of its fields, as lines with their owners. Its secrets must be masked already.
type Blame struct {
	Object   string // as kubectl names it: "Deployment shop/web"
	Field    string // the path, if the lines are those of one field
	Managers []components.Manager
	Lines    []Line
	More     int              // the number of lines that are left out at the end
	Lost     []ownership.Lost // owned fields that no line shows
}

// Line is a line of the YAML.
type Line struct {
	Number  int // 0: lines have no numbers
	Text    manifest.Line
	Label   string // the owners in words; empty: they are those of the line above, or only the fields in the line's field have owners
	Columns []int  // the owners, as indexes of the managers
	Hidden  int    // the number of folded lines below
}

// MostDrawn is the maximum number of lines in a picture.
const MostDrawn = 150

// MostNamed is how many managers a label names where it has room.
const MostNamed = manager.MostNamed

// Label names the owners of a line, at most so many, and how long ago each of them last wrote. If nobody owns the line, it says so; byDefault tells
// that the line then has the default of the schema.
func Label(owners []ownership.Owner, most int, byDefault bool, now time.Time) string {
	switch {
	case byDefault:
		return "by default"
	case len(owners) == 0:
		return "nobody"
	}
	var all []string
	shown, more := components.First(owners, most)
	for _, o := range shown {
		all = append(all, line(o.Words())+" "+table.Age(o.Written(), now))
	}
	if more > 0 {
		all = append(all, "and "+words.Thousands(int64(more))+" more")
	}
	return strings.Join(all, ", ")
}

// Column is how many characters the column of owners has.
func (b Blame) Column() int {
	width := 0
	for _, l := range b.Lines {
		width = max(width, utf8.RuneCountInString(l.Label))
	}
	return width
}

// Text is the blame as plain text, with a column of owners on the left. Paint may color the label of a line by its index; nil: no colors.
func (b Blame) Text(paint func(line int, label string) string) string {
	var s strings.Builder
	width := b.Column()
	for i, l := range b.Lines {
		label := l.Label
		if paint != nil && label != "" {
			label = paint(i, label)
		}
		s.WriteString(label + strings.Repeat(" ", width-utf8.RuneCountInString(l.Label)) + " │ " + l.written() + "\n")
	}
	if b.More > 0 {
		s.WriteString(strings.Repeat(" ", width) + " │ " + leftOut(b.More) + "\n")
	}
	for i, lost := range b.Lost {
		if i == 0 {
			s.WriteString("\n" + LostTitle + "\n")
		}
		s.WriteString("  " + LostWords(lost) + "\n")
	}
	return s.String()
}

// LostTitle is the line above the owned fields that no line shows.
const LostTitle = "Owned fields that no line shows:"

// LostWords is such a field with its owner, in one line.
func LostWords(lost ownership.Lost) string {
	return line(lost.Owner.Words()) + ": " + line(lost.Path+" "+lost.Detail)
}

// written is the line's text, with the number of lines that are folded in it.
func (l Line) written() string {
	text := line(l.Text.String())
	if l.Hidden > 0 {
		text += " " + l.folded()
	}
	return text
}

func (l Line) folded() string { return "… " + words.Count(int64(l.Hidden), "line", "lines") }

func leftOut(lines int) string {
	return "… and " + words.Count(int64(lines), "more line", "more lines")
}

// Markdown implements Subject: a heading, and the text as a block of code.
func (b Blame) Markdown() string { return Block(b.Object, b.Field, b.Text(nil)) }

// Block is a text about an object, or about one of its fields, as a block of code in Markdown below a heading.
func Block(object, field, text string) string {
	heading := "### " + plain.Markdown(components.Visible(object))
	if field != "" {
		heading += ", " + plain.Code(components.Visible(field))
	}
	fence := plain.Fence(text)
	return heading + "\n\n" + fence + "text\n" + text + fence + "\n"
}

// File implements Subject.
func (b Blame) File() string { return "fieldmark-blame.png" }

// Sizes of the columns of a drawn blame, in pixels.
const (
	labelMost  = 46 // in cells
	stripWide  = 19
	stripSmall = 9
	fewStrips  = 6 // up to this number of managers, strips have initials
	textMost   = 120
)

// SVG implements Subject.
func (b Blame) SVG() string {
	shown, more := components.First(b.Lines, MostDrawn)
	columns := b.columns(shown)
	strip := stripWide
	if len(columns) > fewStrips {
		strip = stripSmall
	}
	labels, number, texts := 0, 0, 0
	for _, l := range shown {
		labels = max(labels, min(cells(l.Label), labelMost))
		texts = max(texts, min(cells(l.written()), textMost))
		number = max(number, len(strconv.Itoa(l.Number)))
	}
	d := &drawing{}
	y := d.heading(b.Object, b.Field)
	strips := edge + labels*sansSmall/10 + 10
	numbers := strips + max(1, len(columns))*strip + 6 + number*8
	text := numbers + 14
	for i, l := range shown {
		top := y + i*codeRow
		d.drawText(strips-10, top+13, `text-anchor="end" font-family="`+sans+`" font-size="11" fill="`+soft+`"`, cutToCells(l.Label, labelMost))
		b.strips(d, l, columns, strips, top, strip)
		if l.Number > 0 {
			d.drawText(numbers, top+14, `text-anchor="end" font-family="`+mono+`" font-size="11" fill="`+faint+`"`, strconv.Itoa(l.Number))
		}
		d.code(text, top+14, l)
	}
	y += len(shown) * codeRow
	if more += b.More; more > 0 {
		y += codeRow
		d.drawText(text, y-5, `font-family="`+sans+`" font-size="12" fill="`+soft+`"`, leftOut(more))
	}
	return d.done(max(text+texts*codeCell/10, d.wide)+edge, y+edge)
}

// columns are the managers of lines, with their places from left to right.
func (b Blame) columns(lines []Line) map[int]int {
	has := map[int]bool{}
	for _, l := range lines {
		for _, c := range l.Columns {
			has[c] = true
		}
	}
	places := map[int]int{}
	for c := range b.Managers {
		if has[c] {
			places[c] = len(places)
		}
	}
	return places
}

// strips draws the strips of a line's owners. Initials are in the first line of each owner.
func (b Blame) strips(d *drawing, l Line, places map[int]int, left, top, width int) {
	for _, c := range l.Columns {
		if c >= len(b.Managers) {
			continue // managers that have no column on the page either
		}
		m, x := b.Managers[c], left+places[c]*width
		d.swatch(m, x, top, width-2, codeRow, 0)
		if l.Label != "" && width == stripWide {
			d.initials(m, x+width/2-1, top+13)
		}
	}
}
