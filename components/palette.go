package components

import "strconv"

// Palette is a search field with its results in groups.
type Palette struct {
	Asks        bool   // it asks for an object. Its field is another one, without what was typed before
	Label       string // the label for screen readers
	Placeholder string
	Query       string
	Groups      []PaletteGroup
	Active      int      // the index of the selected option among all options
	Nothing     string   // shown if nothing was found,
	Searched    []string // together with sentences that say what was searched
	Notes       []string // shown below, in soft color
}

// PaletteObject is the id of the field for an object.
const PaletteObject = "palette-object"

func (p Palette) field() string {
	if p.Asks {
		return PaletteObject
	}
	return "palette-input"
}

// PaletteGroup has the options of one kind.
type PaletteGroup struct {
	Title   string
	Options []PaletteOption
	More    string // how many options aren't listed, in words
}

// PaletteOption is a link, or a button for an action.
type PaletteOption struct {
	Text   Marked
	Beside Marked // shown in soft color after the text
	Detail Marked // shown at the right end
	Href   string
	NewTab bool   // the link opens a new tab
	Run    string // the action of a button
	Off    bool   // the option can't be chosen
}

// Marked is a text split into pieces.
type Marked []Piece

// Piece is a piece of a text that matches the search, or a piece between matches.
type Piece struct {
	Text string
	Hit  bool
}

// PaletteOptionID is the id of the option with an index among all options.
func PaletteOptionID(place int) string { return "palette-option-" + strconv.Itoa(place) }

func paletteGroupID(place int) string { return "palette-group-" + strconv.Itoa(place) }

// first is the index of a group's first option among all options.
func (p Palette) first(group int) int {
	n := 0
	for _, g := range p.Groups[:group] {
		n += len(g.Options)
	}
	return n
}
