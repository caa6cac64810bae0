package components

import "github.com/a-h/templ"

// Actions are what a reader can do with what a page shows.
type Actions struct {
	First []templ.Component // buttons and links that are buttons; the first is the primary one
	Rest  []templ.Component // links, buttons and forms that stand in the menu “More”, one in a line
}

// Empty tells whether there is nothing to do.
func (a Actions) Empty() bool { return len(a.First) == 0 && len(a.Rest) == 0 }

// Add adds parts after the first actions.
func (a *Actions) Add(parts ...templ.Component) { a.First = append(a.First, parts...) }

// Link adds links to the menu.
func (a *Actions) Link(links ...Link) {
	for _, l := range links {
		a.Rest = append(a.Rest, LinkItem(l))
	}
}
