package subject

import (
	"slices"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/views"
)

// Keys are the keys that the pages have in common: those of the page of the object.
func Keys() []components.Key {
	return []components.Key{
		{Keys: []string{"h", "l"}, Does: "Previous and next view of the object"},
		{Keys: []string{"Esc"}, Does: "Go up to the collection of the object"},
	}
}

// Pressed handles the keys of Keys; ok is false for other keys.
func (s Subject) Pressed(key string) (to []page.Cmd, ok bool) {
	step := map[string]int{"h": -1, "l": 1}[key]
	switch {
	case key == "Escape":
		return []page.Cmd{page.Navigate{Address: s.Shell.Up()}}, true
	case step == 0:
		return nil, false
	}
	all := views.Of(s.Type, s.Shell.Path, s.Shell.Catalog)
	if at := slices.Index(all, s.View) + step; at >= 0 && at < len(all) {
		to = []page.Cmd{page.Navigate{Address: s.view(all[at], nil)}}
	}
	return to, true
}
