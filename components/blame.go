package components

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/words"
)

// BlameLine is a line of a document with the owners of its field.
type BlameLine struct {
	ID     string
	Number int
	Line   manifest.Line
	Path   string // of the field; empty: the line continues the text of the line above
	Owners string // as JSON
	Said   string // the owners, in words
	Hint   string // more about the owners, as a tooltip
	Href   string // puts the focus on the field
	// Columns are the owners, as indexes of the document's managers. Inside tells that they own the folded lines
	// below, and not the line itself.
	Columns []int
	Inside  bool
	Nobody  bool // the line is a value without an owner
	// Elsewhere says who claims a field of another API version that may be this value; empty: nobody.
	Elsewhere string
	Begins    bool // its owners differ from those of the line above
	Label     []Manager
	More      int    // the number of owners that the label leaves out
	Wrote     string // when the owners last wrote; shown below the first of their lines
	Stop      bool   // it is a stop of the Tab key; not every line is, because there would be too many
	Aside     bool   // another line is chosen, so links in this one are no stops: Tab leads from the chosen line to its card
	Current   bool
	Dim       bool
	Fresh     bool
	Badges    []Badge // beside the line
	Folds     Folding
	Hidden    int // the number of folded lines below
}

// Folding tells whether the lines below a line can be folded.
type Folding string

// The foldings.
const (
	NoFold   Folding = ""
	Unfolded Folding = "true" // the value of aria-expanded
	Folded   Folding = "false"
)

// BlameDocument is a document with the owners of each line.
type BlameDocument struct {
	Label    string
	Beside   string // added to its ids if the page has several documents
	Managers []Manager
	Lines    []BlameLine
	// Only some lines of a long document are laid out: on a live page, the visible ones. Above and below are the numbers of the others.
	Above, Below int
	Rest         string // how to see the other lines; empty: by scrolling
}

// BlameRow is the height of a line, in pixels.
const BlameRow = 19

// wide tells whether the columns are wide enough for initials.
func (d BlameDocument) wide() bool { return len(d.Managers) <= 6 }

// column is the width of a manager's column. The lines themselves need the room if managers are many.
func (d BlameDocument) column() int {
	switch {
	case d.wide():
		return 19
	case len(d.Managers) <= 20:
		return 9
	}
	return 4
}

// drawn is a manager as its column shows it. In the narrowest columns, a mark would cover the hue.
func (d BlameDocument) drawn(column int) Manager {
	m := d.Managers[column]
	if d.column() < 9 {
		m.Mark = 0
	}
	return m
}

func (d BlameDocument) stripsWidth() int { return max(1, len(d.Managers)) * d.column() }

func (d BlameDocument) left(column int) int { return column * d.column() }

func (l BlameLine) class() string {
	classes := []string{}
	for _, c := range []struct {
		name string
		on   bool
	}{{"begins", l.Begins}, {"nobody", l.Nobody}, {"dim", l.Dim}, {"fresh", l.Fresh}, {"current", l.Current}, {"fought", slices.ContainsFunc(l.Badges, func(b Badge) bool { return b.Look == FightBadge })}} {
		if c.on {
			classes = append(classes, c.name)
		}
	}
	return strings.Join(classes, " ")
}

func (l BlameLine) rectClass(m Manager) string {
	if l.Inside {
		return m.hue() + " inside"
	}
	return m.hue()
}

// Portion is a part of an object with the same owners. If there are none, nobody owns it.
type Portion struct {
	Owners []Manager
	Values int
	Href   string // selects its lines
	Hint   string
}

// OwnerRow is a row of the table of owners: a manager, or nobody.
type OwnerRow struct {
	Manager Manager
	Nobody  bool
	Wrote   string // "last wrote 3m ago"
	Values  int
	Alone   int // the number of these that nobody else owns
	Href    string
	Chosen  bool
	Notes   []string
	Cells   []Link // the number of values in each field; a cell without a text has none
}

// Ownership says how much of an object each manager owns, in which fields, and which part is selected.
type Ownership struct {
	Portions []Portion
	Values   int    // of the object
	Fields   []Link // the top-level fields
	Rows     []OwnerRow
	More     []string // say how many managers and fields are left out
	Only     []Link
	Clear    string // the link that selects nothing; empty: nothing is selected
}

// bar lays portions out side by side, and the owners of one portion one above the other.
func (o Ownership) bar() []barPart {
	var all []barPart
	at := 0
	for _, p := range o.Portions {
		part := barPart{Portion: p}
		for i, m := range p.Owners {
			part.pieces = append(part.pieces, barPiece{class: Hue(m.Hue, o.markIn(p, m)), x: at, y: i * barHeight / len(p.Owners), height: max(1, barHeight/len(p.Owners))})
		}
		if len(p.Owners) == 0 {
			part.pieces = []barPiece{{class: "none", x: at, height: barHeight}}
		}
		all = append(all, part)
		at += p.Values
	}
	return all
}

const barHeight = 12

// markIn is a manager's mark in its part of the bar; 0: the part is so small that a mark would cover the hue.
func (o Ownership) markIn(p Portion, m Manager) int {
	if len(p.Owners) > 2 || p.Values*smallest < o.Values {
		return 0
	}
	return m.Mark
}

const smallest = 16 // of so many parts of the bar, one has a mark

type barPart struct {
	Portion
	pieces []barPiece
}

type barPiece struct {
	class        string
	x, y, height int
}

// hint says how many values the manager owns, and how many of them together with others.
func (r OwnerRow) hint() string {
	text := words.Count(int64(r.Values), "value", "values")
	if shared := r.Values - r.Alone; !r.Nobody && shared > 0 {
		text += ", " + words.Thousands(int64(shared)) + " of them shared with others"
	}
	return text
}
