// Package specimen has every component in its states. Each has a name, and a note that says when readers see it. The golden tests
// compare their HTML with files, and the gallery shows them. The data in them is invented.
package specimen

import (
	"github.com/a-h/templ"
)

// Specimen is a component in one of its states.
type Specimen struct {
	Name  string // a unique name, for addresses and files
	Title string
	Note  string // when users see it, or what to check
	Shown templ.Component
	Open  bool // show its folded parts, too
}

// Section has the specimens of one kind.
type Section struct {
	Name      string
	Title     string
	Note      string
	Specimens []Specimen
}

// Sections returns the specimens of all components.
func Sections() []Section {
	return []Section{
		tables(), waiting(), notices(), buttons(), ways(), facts(), documents(), versions(), blames(), fields(), references(), editors(), diffs(), wire(), palettes(), keys(), pictures(),
	}
}

// All returns the specimens of all sections.
func All() []Specimen {
	var all []Specimen
	for _, s := range Sections() {
		all = append(all, s.Specimens...)
	}
	return all
}
