package apply

import (
	"slices"
	"strconv"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// place is the place of a conflict's row: the number of its document, and its own.
type place struct{ document, row int }

// id is that of the row's element.
func (p place) id() string { return "conflict-" + strconv.Itoa(p.document) + "-" + strconv.Itoa(p.row) }

// button is the id of the button for a choice.
func (p place) button(w choice) string { return p.id() + "-" + string(w) }

// does is the action that makes a choice for the row.
func (p place) does(w choice) string {
	return string(w) + " " + strconv.Itoa(p.document) + " " + strconv.Itoa(p.row)
}

// places are the places of the rows that are shown.
func (m Model) places() []place {
	var all []place
	for i, d := range m.live.docs {
		for n := range d.rows {
			if d.why == "" && (n < mostConflicts || m.live.look.Long) {
				all = append(all, place{i, n})
			}
		}
	}
	return all
}

// at is the index of the place whose row has the focus; -1 if none has it.
func (m Model) at(places []place) int {
	return slices.IndexFunc(places, func(p place) bool {
		return slices.ContainsFunc(choices, func(w choice) bool { return p.button(w) == m.live.focused })
	})
}

// Keys implements page.Keyed.
func (Model) Keys() []components.Key {
	return []components.Key{
		{Keys: []string{"j", "k"}, Does: "Next and previous conflict"},
		{Keys: []string{"1", "2", "3"}, Does: "Overwrite, give up or share the field of the conflict in focus"},
	}
}

func (m Model) pressed(key string) (page.Page, []page.Cmd) {
	places := m.places()
	at := m.at(places)
	switch key {
	case "j":
		return m, m.focus(places, at+1)
	case "k":
		return m, m.focus(places, max(at, 0)-1)
	case "Escape":
		m.live.asking = false
	case "1", "2", "3":
		if at >= 0 {
			p := places[at]
			return m.decide(choices[key[0]-'1'], []*contested{&m.live.docs[p.document].rows[p.row]})
		}
	}
	return m, nil
}

// focus moves the focus to a row: to the button of its choice, or to its first one.
func (m Model) focus(places []place, at int) []page.Cmd {
	if at < 0 || at >= len(places) {
		return nil
	}
	p := places[at]
	w := m.live.docs[p.document].rows[p.row].choice
	if w == open {
		w = overwrite
	}
	return []page.Cmd{page.Focus{ID: p.button(w)}}
}
