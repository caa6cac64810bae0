package components

import (
	"strings"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/words"
)

// BlameLine is a line of a document with who owns what it shows.
type BlameLine struct {
	ID     string
	Number int
	Line   manifest.Line
	Path   string // of the field; empty: the text of the line above goes on
	Owners string // as JSON
	Said   string // who owns it, in words
	Hint   string // more of that, on hovering
	Href   string // puts the focus on the field
	// Columns are the owners, by their places among the document's managers. Inside tells that they own what is folded away
	// here, and not the line itself.
	Columns []int
	Inside  bool
	Nobody  bool // it is a value that nobody owns
	Begins  bool // others own it than what is above
	Label   []Manager
	Wrote   string // when they last wrote, below where they begin
	Stop    bool   // it is a stop of the Tab key; each would be too many, and too close to each other
	Current bool
	Dim     bool
	Fresh   bool
	Folds   Folding
	Hidden  int // how many lines are folded away below
}

// Folding tells whether something below a line can be folded away.
type Folding string

// The foldings.
const (
	NoFold   Folding = ""
	Unfolded Folding = "true" // as aria-expanded has it
	Folded   Folding = "false"
)

// BlameDocument is a document whose lines say who owns them.
type BlameDocument struct {
	Label    string
	Beside   string // ends its ids, where it is not the only one of its page
	Managers []Manager
	Lines    []BlameLine
	// Of a long document, only some lines are laid out: where it lives, those in sight. Those above and below have room.
	Above, Below int
	Rest         string // how to see those that have room only; empty: they come as one scrolls
}

// BlameRow is how high a line is, in pixels.
const BlameRow = 19

// wide tells whether columns have room for initials.
func (d BlameDocument) wide() bool { return len(d.Managers) <= 6 }

func (d BlameDocument) column() int {
	if d.wide() {
		return 19
	}
	return 9
}

func (d BlameDocument) stripsWidth() int { return max(1, len(d.Managers)) * d.column() }

func (d BlameDocument) left(column int) int { return column * d.column() }

func (l BlameLine) class() string {
	classes := []string{}
	for _, c := range []struct {
		name string
		on   bool
	}{{"begins", l.Begins}, {"nobody", l.Nobody}, {"dim", l.Dim}, {"fresh", l.Fresh}, {"current", l.Current}} {
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

// Portion is a part of an object that has the same owners; nobody, where there are none.
type Portion struct {
	Owners []Manager
	Fields int
	Href   string // chooses its lines
	Hint   string
}

// OwnerRow is a manager in the legend, or nobody.
type OwnerRow struct {
	Manager Manager
	Nobody  bool
	Wrote   string // "last wrote 3m ago"
	Fields  int
	Alone   int // of these, owned by nobody else
	Href    string
	Chosen  bool
	Notes   []string
}

// Ownership is who owns how much of an object, and what of it is chosen.
type Ownership struct {
	Portions []Portion
	Fields   int // values in all
	Rows     []OwnerRow
	More     string // says which managers are left out; empty: none
	Only     []Link
	Clear    string // empty: nothing is chosen
}

// bar lays portions side by side, owners of the same one above each other.
func (o Ownership) bar() []barPart {
	var all []barPart
	at := 0
	for _, p := range o.Portions {
		part := barPart{Portion: p}
		for i, m := range p.Owners {
			part.pieces = append(part.pieces, barPiece{class: m.hue(), x: at, y: i * barHeight / len(p.Owners), height: max(1, barHeight/len(p.Owners))})
		}
		if len(p.Owners) == 0 {
			part.pieces = []barPiece{{class: "none", x: at, height: barHeight}}
		}
		all = append(all, part)
		at += p.Fields
	}
	return all
}

const barHeight = 12

type barPart struct {
	Portion
	pieces []barPiece
}

type barPiece struct {
	class        string
	x, y, height int
}

// Matrix is managers by the fields of the document: how many values each owns in each.
type Matrix struct {
	Fields []Link
	Rows   []MatrixRow
	More   string // says which fields are left out; empty: none
}

// MatrixRow is one manager's, or nobody's.
type MatrixRow struct {
	Manager Manager
	Nobody  bool
	Cells   []Link // without a text: none
}

// unit is what its fields are counted in.
func (r OwnerRow) unit() string {
	if r.Fields == 1 {
		return "value"
	}
	return "values"
}

func ownedHint(r OwnerRow) string {
	if r.Nobody || r.Alone == r.Fields {
		return ""
	}
	return words.Thousands(int64(r.Alone)) + " alone, " + words.Thousands(int64(r.Fields-r.Alone)) + " shared"
}
