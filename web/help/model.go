// Package help is the list of every key, above a page.
package help

import (
	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
)

// Model is the open help.
type Model struct {
	title string
	own   []components.Key
}

// Open opens the help over a page, given its title and what keys it has a use for.
func Open(pageTitle string, own []components.Key) Model { return Model{pageTitle, own} }

// everywhere are the keys that every page has.
func everywhere() []components.Key {
	return []components.Key{
		{Keys: []string{"Ctrl K", "⌘ K"}, Does: "Find anything: a type, an object, a namespace, a page"},
		{Keys: []string{":"}, Does: "Jump to a resource type"},
		{Keys: []string{"/"}, Does: "Filter, where there is something to filter"},
		{Keys: []string{"?"}, Does: "This help"},
		{Keys: []string{"Esc"}, Does: "Close what is open, leave a field, go up"},
	}
}

// View is the help, above the page.
func (m Model) View() templ.Component { return view(m) }
