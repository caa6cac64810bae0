// Package help is the dialog that lists all keys.
package help

import (
	"slices"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
)

// Close is the id of the button that closes the help. The button gets the focus.
const Close = "help-close"

// Model is the open help.
type Model struct {
	title string
	own   []components.Key
}

// Open opens the help over a page with a title and its own keys.
func Open(pageTitle string, own []components.Key) Model { return Model{pageTitle, own} }

// View is the dialog.
func (m Model) View() templ.Component { return view(m) }

// Everywhere are the keys of every page.
func Everywhere() []components.Key {
	return []components.Key{
		{Keys: []string{"Ctrl K", "⌘ K"}, Does: "Find a resource type, an object, a namespace or a page"},
		{Keys: []string{":"}, Does: "Jump to a resource type"},
		{Keys: []string{"/"}, Does: "Filter, on pages with a filter"},
		{Keys: []string{"Shift T"}, Does: "Fold or open the task that you work on"},
		{Keys: []string{"?"}, Does: "Show this help"},
		{Keys: []string{"Esc"}, Does: "Close the dialog, or go up to the parent page"},
	}
}

// everywhere are those of them that this page doesn't explain itself.
func (m Model) everywhere() []components.Key { return slices.DeleteFunc(Everywhere(), m.saysMore) }

func (m Model) saysMore(general components.Key) bool {
	return slices.ContainsFunc(m.own, func(k components.Key) bool { return slices.Equal(k.Keys, general.Keys) })
}

// finding are the keys of the palette.
func finding() []components.Key {
	return []components.Key{
		{Keys: []string{"↑", "↓"}, Does: "Select a result"},
		{Keys: []string{"Enter"}, Does: "Open the result"},
		{Keys: []string{"Esc"}, Does: "Close"},
	}
}
