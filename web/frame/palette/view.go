package palette

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/words"
)

// View is the palette, above the page.
func (m Model) View() templ.Component { return components.Search(m.palette()) }

func (m Model) palette() components.Palette {
	p := components.Palette{
		Label: "Find anything", Placeholder: "Find a resource type, object, namespace, page or lesson…",
		Query: m.query, Active: m.active, Notes: m.notes(),
	}
	if !m.isRefusal() && (len(m.words) > 0 && m.nothing() || len(m.groups) == 0) {
		p.Nothing, p.Searched = "No result for “"+strings.Join(strings.Fields(m.query), " ")+"”", m.searched()
	}
	if m.scope == Types {
		p.Label, p.Placeholder = "Jump to a resource type", "Resource type: po, deploy, …"
	}
	var words []word
	for _, w := range m.words {
		words = append(words, newWord(w))
	}
	for _, g := range m.groups {
		p.Groups = append(p.Groups, m.shown(g, words))
	}
	return p
}

func (m Model) shown(g group, asked []word) components.PaletteGroup {
	shown := components.PaletteGroup{Title: g.title}
	if g.more > 0 {
		shown.More = "and " + words.Thousands(int64(g.more)) + " more"
	}
	for _, at := range g.hits {
		o := option(m.index.entry(at), asked)
		o.NewTab = m.frame.OpensNewTab(o.Href)
		shown.Options = append(shown.Options, o)
	}
	return shown
}

func option(e Entry, words []word) components.PaletteOption {
	shown := [3]text{newText(e.Text), newText(e.Beside), newText(e.Detail)}
	var marks [3][]int
	for _, w := range words {
		best, where := 0, 0
		for i := range shown {
			if i > 0 && !strings.Contains(shown[i].folded, w.text) {
				continue
			}
			if g := shown[i].grade(w); g > best {
				best, where = g, i
			}
		}
		if best > 0 {
			marks[where] = append(marks[where], shown[where].marks(w)...)
		}
	}
	return components.PaletteOption{
		Text: pieces(shown[0].shown, marks[0]), Beside: pieces(shown[1].shown, marks[1]), Detail: pieces(shown[2].shown, marks[2]),
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
		notes = append(notes, "Fetching names of objects…")
	}
	if n := len(m.names.read); n > 0 && len(m.words) > 0 && !m.nothing() && m.narrow != Types {
		notes = append(notes, "Names of objects: "+strconv.Itoa(n)+" of "+words.Count(int64(len(m.frame.Catalog.Listable())), "resource type", "resource types"))
	}
	if len(m.names.here) > 0 {
		notes = append(notes, "Names of "+listed(m.names.here)+": only in namespace "+m.frame.Path.Namespace)
	}
	if len(m.partly) > 0 {
		notes = append(notes, "Only the first names of "+listed(m.partly)+" are searched")
	}
	if len(m.refused) > 0 {
		notes = append(notes, "Names of "+listed(m.refused)+": you don’t have permission to list them")
	}
	if len(m.failed) > 0 {
		notes = append(notes, "Names of "+listed(m.failed)+" could not be fetched")
	}
	return notes
}

func listed(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// Announcement is what a screen reader should hear when it changes, after a pause in typing.
func (m Model) Announcement() string {
	options := m.options()
	switch {
	case len(m.words) == 0:
		return ""
	case m.nothing() && len(options) > 0:
		return "Nothing found. " + m.index.entry(options[0]).Text + "?"
	case len(options) == 0:
		return "Nothing found"
	}
	total := 0
	for _, n := range m.found.total {
		total += n
	}
	first := m.index.entry(options[0])
	return fmt.Sprintf("%s, first %s", words.Count(int64(total), "result", "results"), components.Visible(said(first)))
}

// said is an entry in words: "web in shop, Deployment".
func said(e Entry) string {
	words := e.Text
	switch {
	case e.Kind == Object && e.Beside != "":
		words += " in " + e.Beside
	case e.paired:
		words += " " + e.Beside
	}
	if e.Kind == Object || e.Kind == Type {
		words += ", " + e.Detail
	}
	return words
}
