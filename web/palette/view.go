package palette

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
)

// View is the palette, above the page.
func (m Model) View() templ.Component { return components.Search(m.palette()) }

func (m Model) palette() components.Palette {
	p := components.Palette{
		Label: "Find anything", Placeholder: "Type, object, namespace, page…", Query: m.query, Active: m.active, Notes: m.notes(), Nothing: m.nothing(),
	}
	if m.scope == Types {
		p.Label, p.Placeholder = "Jump to a resource type", "Resource type: po, deploy, …"
	}
	words := strings.Fields(fold(strings.ToValidUTF8(m.query, "")))
	for _, g := range m.groups {
		p.Groups = append(p.Groups, m.shown(g, words))
	}
	return p
}

func (m Model) shown(g group, words []string) components.PaletteGroup {
	shown := components.PaletteGroup{Title: g.title}
	if g.more > 0 {
		shown.More = "and " + components.Thousands(int64(g.more)) + " more"
	}
	for _, at := range g.hits {
		shown.Options = append(shown.Options, option(m.entry(at), words))
	}
	return shown
}

func option(e Entry, words []string) components.PaletteOption {
	texts := [3]text{newText(e.Text), newText(e.Beside), newText(e.Detail)}
	var marks [3][]int
	for _, w := range words {
		best, where := 0, 0
		for i, t := range texts {
			if i > 0 && !strings.Contains(t.folded, w) {
				continue
			}
			if g := t.grade(w); g > best {
				best, where = g, i
			}
		}
		if best > 0 {
			marks[where] = append(marks[where], texts[where].marks(w)...)
		}
	}
	return components.PaletteOption{
		Text: pieces(e.Text, marks[0]), Beside: pieces(e.Beside, marks[1]), Detail: pieces(e.Detail, marks[2]),
		Href: e.Href, Run: e.Run,
	}
}

// pieces cuts a text into what is marked and what is not.
func pieces(shown string, marks []int) components.Marked {
	var all components.Marked
	from := 0
	slices.Sort(marks)
	for _, at := range slices.Compact(marks) {
		if at > from {
			all = append(all, components.Piece{Text: shown[from:at]})
		}
		_, size := utf8.DecodeRuneInString(shown[at:])
		from = at + size
		if n := len(all); n > 0 && all[n-1].Hit {
			all[n-1].Text += shown[at:from]
		} else {
			all = append(all, components.Piece{Text: shown[at:from], Hit: true})
		}
	}
	if from < len(shown) {
		all = append(all, components.Piece{Text: shown[from:]})
	}
	return all
}

// notes say what is not searched, or not yet.
func (m Model) notes() []string {
	var notes []string
	if len(m.asked) > 0 {
		notes = append(notes, "Names of objects are still being fetched…")
	}
	if len(m.partly) > 0 {
		notes = append(notes, "Of "+strings.Join(m.partly, ", ")+" only the first names are searched.")
	}
	if len(m.refused) > 0 {
		notes = append(notes, "Names of "+strings.Join(m.refused, ", ")+" may not be listed.")
	}
	return notes
}

func (m Model) nothing() string {
	switch {
	case m.scope == Types:
		return "No resource type goes by that name. Searched are plurals, singulars, short names, kinds and groups."
	default:
		return "Nothing found. Searched are resource types, names of objects, namespaces, clusters and pages."
	}
}

// Announcement is what a screen reader should hear when it changes, after a pause in typing.
func (m Model) Announcement() string {
	total := 0
	for _, n := range m.found.total {
		total += n
	}
	first, ok := m.at(0)
	switch {
	case strings.TrimSpace(m.query) == "":
		return ""
	case !ok:
		return "Nothing found"
	}
	e := m.entry(first)
	return fmt.Sprintf("%s, first: %s", components.Count(int64(total), "result", "results"), components.Visible(e.Text))
}
