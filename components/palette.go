package components

import "strconv"

// Palette is a field to search by and what it found, in groups.
type Palette struct {
	Label       string // what all this is
	Placeholder string
	Query       string
	Groups      []PaletteGroup
	Active      int      // the place of the chosen option among all of them
	Nothing     string   // said where nothing was found,
	Searched    []string // and what was searched, in sentences
	Notes       []string // said quietly below
}

// PaletteGroup is options of one kind.
type PaletteGroup struct {
	Title   string
	Options []PaletteOption
	More    string // how many are not listed, in words
}

// PaletteOption is one thing to choose: a link, or a button for something to be done.
type PaletteOption struct {
	Text   Marked
	Beside Marked // said softly beside the text
	Detail Marked // said at the other end
	Href   string
	NewTab bool   // the link opens a new tab
	Run    string // what a button stands for
}

// Marked is a text in pieces.
type Marked []Piece

// Piece is a piece of a text: one that was searched for, or one in between.
type Piece struct {
	Text string
	Hit  bool
}

// PaletteOptionID is the id of an option, given its place among all.
func PaletteOptionID(place int) string { return "palette-option-" + strconv.Itoa(place) }

func paletteGroupID(place int) string { return "palette-group-" + strconv.Itoa(place) }

// first is the place of a group's first option among all.
func (p Palette) first(group int) int {
	n := 0
	for _, g := range p.Groups[:group] {
		n += len(g.Options)
	}
	return n
}
