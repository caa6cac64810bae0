// Package specimen holds every component in its states, each under a name and with a word on when it is seen. The golden
// tests hold them to their HTML, and the gallery shows them. What a reader gets to see of them is made up.
package specimen

import (
	"github.com/a-h/templ"
)

// Specimen is a component in one of its states.
type Specimen struct {
	Name  string // of its own among all, fit for addresses and files
	Title string
	Note  string // when it is seen, or what to look at
	Shown templ.Component
	Open  bool // what is folded in it is to be seen too
}

// Section is specimens of one sort.
type Section struct {
	Name      string
	Title     string
	Note      string
	Specimens []Specimen
}

// Sections are all components.
func Sections() []Section {
	return []Section{
		tables(), waiting(), notices(), buttons(), ways(), facts(), documents(), versions(), blames(), fields(), references(), editors(), diffs(), wire(), palettes(), keys(), pictures(),
	}
}

// All are the specimens of all sections.
func All() []Specimen {
	var all []Specimen
	for _, s := range Sections() {
		all = append(all, s.Specimens...)
	}
	return all
}
