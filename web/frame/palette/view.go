package palette

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/words"
)

// View is the palette, above the page.
func (m Model) View() templ.Component { return components.Search(m.palette()) }

func (m Model) palette() components.Palette {
	p := components.Palette{
		Label: "Find anything", Placeholder: "Find a resource type, object, page, command or lesson…",
		Query: m.query, Active: m.active, Notes: m.notes(),
	}
	if !m.isRefusal() && (len(m.words) > 0 && m.nothing() || len(m.groups) == 0) {
		p.Nothing, p.Searched = "No result for “"+strings.Join(strings.Fields(m.query), " ")+"”"+m.soFar(), m.searched()
		if len(m.meant().hits) > 0 {
			p.Searched = nil // the suggestion says enough
		}
	}
	if m.aim != nil {
		p.Asks, p.Label, p.Placeholder = true, m.which(), m.which()
	}
	if m.scope == Clusters {
		p.Label, p.Placeholder = "Find another context", "Name of a context"
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
		o := option(m.entry(at), asked)
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
		Href: e.Href, Run: e.Run, Off: e.Unable != "",
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

// soFar limits the words that there is no result to what was searched.
func (m Model) soFar() string {
	switch {
	case m.hunts() && m.leads():
		return " so far"
	case m.hunts() && len(m.hunt.refused)+len(m.hunt.failed) > 0:
		return " in the types that Fieldmark could list"
	default:
		return ""
	}
}

// notes say how far the palette has looked, and what it could not look at.
func (m Model) notes() []string {
	if !m.hunts() {
		return nil
	}
	var notes []string
	if !m.leads() && !m.nothing() {
		notes = append(notes, m.lookedAt()) // else it is said elsewhere
	}
	return append(notes, m.obstacles()...)
}

// obstacles say what could not be searched, or not wholly.
func (m Model) obstacles() []string {
	h := m.hunt
	var notes []string
	if partly := m.partly(); len(partly) > 0 {
		notes = append(notes, "Only the first objects of "+few(partly))
	}
	if len(h.here) > 0 {
		notes = append(notes, "Only namespace "+m.frame.Path.Namespace+" of "+few(h.here))
	}
	if len(h.refused) > 0 {
		notes = append(notes, "You don’t have permission to list "+few(h.refused)+m.refusedWhere())
	}
	if len(h.failed) > 0 {
		notes = append(notes, "Fieldmark could not list "+few(h.failed))
	}
	return notes
}

// refusedWhere says where a list was refused, if there may be another place.
func (m Model) refusedWhere() string {
	if m.frame.Path.Namespace != "" {
		return ""
	}
	return " in all namespaces"
}

// partly are the types of which only the first chunks are known.
func (m Model) partly() []string {
	var types []string
	for _, a := range m.hunt.queue {
		if a.chunks > 0 {
			types = append(types, m.word(a.resource))
		}
	}
	return types
}

// mostListed is the most words of a list in a note.
const mostListed = 4

// few is a list of a few words, and how many there are besides.
func few(all []string) string {
	if len(all) <= mostListed+1 {
		return listed(all)
	}
	return strings.Join(all[:mostListed], ", ") + " and " + words.Count(int64(len(all)-mostListed), "other type", "other types")
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
		return m.unsure(m.entry(options[0]))
	case len(options) == 0:
		return "Nothing found"
	}
	total := 0
	for _, n := range m.found.total {
		total += n
	}
	first := m.entry(options[0])
	return fmt.Sprintf("%s, first %s", words.Count(int64(total), "result", "results"), components.Visible(said(first)))
}

// unsure announces what is offered if nothing was found.
func (m Model) unsure(first Entry) string {
	switch {
	case strings.HasPrefix(first.Href, web.Search):
		return "Nothing found. " + first.Text + "?"
	case first.Run != runFurther:
		return "Nothing found. Did you mean " + components.Visible(first.Text) + "?"
	case m.looking():
		return ""
	default:
		return "Nothing found so far. " + m.lookedAt() + ". Look further?"
	}
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
