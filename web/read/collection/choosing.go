package collection

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/words"
)

// Rows are chosen for an act on several objects at once. The mode is in the address; the chosen rows are in live, and then in the address of the
// page of acts.

const (
	chooseField = "choose"  // of the query: 1 while rows have boxes
	chooseForm  = "acts-on" // the id of the form without scripts

	// Fields of boxes in the browser. The value is the uid of the row.
	chosenField = "chosen"
	rangeField  = "chosen-to"  // with Shift
	allField    = "chosen-all" // in the head of the table

	doChooseNone = "choose-none"
)

// pick is a chosen row.
type pick struct{ uid, path string }

// choosable tells whether there can be acts on the objects. The simplest, a label, needs the verb patch.
func (m Model) choosable() bool {
	return m.Problem == nil && m.Type.Can("get") && m.Type.Can("patch")
}

// chooses tells whether rows have boxes.
func (m Model) chooses() bool { return m.Query.Choosing && m.choosable() }

// choosingWords are the text of the link that begins or ends choosing.
func (m Model) choosingWords() string {
	if m.Query.Choosing {
		return "Stop choosing"
	}
	return "Choose rows"
}

// pathOf is the API path of a row's object.
func (m Model) pathOf(r table.Row) apipath.Path {
	p := m.Shell.Path
	return apipath.Object(p.Group, p.Version, r.Namespace, p.Resource, r.Name)
}

// box gives each row of the grid its box.
func (m Model) box(g components.Grid, rows []table.Row) {
	full := m.live != nil && len(m.chosen()) == web.MostActedOn
	for i, r := range rows {
		b := components.Box{Form: chooseForm, Name: web.ActObjects, Value: m.nameOf(r)}
		if m.live != nil {
			on := m.live.picked(r.UID) >= 0
			b = components.Box{Name: chosenField, Range: rangeField, Value: r.UID, On: on, Off: full && !on}
		}
		g.Rows[i].Box = b
	}
}

// allWords say how many rows the form without scripts takes.
func (m Model) allWords(rows []table.Row) string {
	if n := len(rows); n > web.MostActedOn {
		return "the first " + words.Thousands(web.MostActedOn) + " of " + words.Thousands(int64(n)) + " rows"
	}
	return "all " + words.Count(int64(len(rows)), "row", "rows")
}

// allBox is the box in the head of the table; nil: without scripts, a button does the same.
func (m Model) allBox() *components.Box {
	if m.live == nil {
		return nil
	}
	return &components.Box{Name: allField, Value: "all", On: m.allChosen()}
}

// nameOf names a row's object in the collection, as web.ActObjects does.
func (m Model) nameOf(r table.Row) string {
	path := m.pathOf(r).String()
	name := path[strings.LastIndexByte(path, '/')+1:]
	if m.showNamespaces() {
		return r.Namespace + "/" + name
	}
	return name
}

// allNames are the names of the objects of all rows, as far as one act takes them. They are a field of the form without scripts.
func (m Model) allNames(rows []table.Row) string {
	names := make([]string, 0, len(rows))
	for _, r := range rows[:min(len(rows), web.MostActedOn)] {
		names = append(names, m.nameOf(r))
	}
	return strings.Join(names, " ")
}

// picked is the index of a chosen row; -1: the row isn't chosen.
func (l *live) picked(uid string) int {
	return slices.IndexFunc(l.chosen, func(p pick) bool { return p.uid == uid })
}

// chosen are the API paths of the chosen objects that still exist.
func (m Model) chosen() (paths []string) {
	for _, p := range m.live.chosen {
		if _, there := m.live.rows.Get(p.uid); there {
			paths = append(paths, p.path)
		}
	}
	return paths
}

// acting is the address of the page of acts on the chosen objects.
func (m Model) acting() string { return web.ActOn(m.Shell.Cluster.Slug, "", m.chosen()...) }

// chosenWords say how many rows are chosen, and how to choose.
func (m Model) chosenWords() string {
	switch n := len(m.chosen()); n {
	case 0:
		return "Choose rows with their boxes, or with the key x. With Shift, all rows from the last chosen one to this one."
	case web.MostActedOn:
		said := "No more than " + words.Count(web.MostActedOn, "object", "objects") + " at once."
		if left := m.live.rows.Len() - n; m.live.full && left > 0 {
			said += " " + words.Count(int64(left), "row is left out.", "rows are left out.")
		}
		return said
	default:
		return words.Count(int64(n), "row is chosen.", "rows are chosen.")
	}
}

// chooseNone forgets the chosen rows.
func (m Model) chooseNone() (page.Page, []page.Cmd) {
	m.live.chosen, m.live.full = nil, false
	return m, []page.Cmd{page.Announce{Words: m.chosenWords()}}
}

// allChosen tells whether all rows that the filter shows are chosen, as far as there may be so many.
func (m Model) allChosen() bool {
	n := m.live.rows.Len()
	if n == 0 || len(m.live.chosen) < min(n, web.MostActedOn) {
		return false
	}
	if n > web.MostActedOn {
		return m.live.full
	}
	chosen, all := m.live.uids(), true
	m.live.rows.Each(func(r *table.Row) bool {
		all = chosen[r.UID]
		return all
	})
	return all
}

// uids are the chosen rows.
func (l *live) uids() map[string]bool {
	all := make(map[string]bool, len(l.chosen))
	for _, p := range l.chosen {
		all[p.uid] = true
	}
	return all
}

// chooseAll chooses all rows that the filter shows, or none if all of them are chosen.
func (m Model) chooseAll() (page.Page, []page.Cmd) {
	if m.allChosen() {
		return m.chooseNone()
	}
	m.live.chosen = nil
	m.live.full = !m.add(m.live.rows.Window(0, m.live.rows.Len()))
	return m, []page.Cmd{page.Announce{Words: m.chosenWords()}}
}

// add chooses rows; ok is false if some had no room.
func (m Model) add(rows []table.Row) (ok bool) {
	l := m.live
	chosen := l.uids()
	for _, r := range rows {
		switch {
		case chosen[r.UID] || r.Name == "":
		case len(l.chosen) == web.MostActedOn:
			return false
		default:
			l.chosen = append(l.chosen, pick{r.UID, m.pathOf(r).String()})
		}
	}
	return true
}

// chooseTo chooses the rows from the one that was chosen last to another one, both included.
func (m Model) chooseTo(uid string) (page.Page, []page.Cmd) {
	l := m.live
	from, had := l.rows.Index(l.last)
	to, has := l.rows.Index(uid)
	if !had || !has {
		return m.choose(uid)
	}
	l.full = !m.add(l.rows.Window(min(from, to), max(from, to)-min(from, to)+1))
	l.last = uid
	return m, []page.Cmd{page.Announce{Words: m.chosenWords()}}
}

// chooseCursor chooses the cursor's row, or the rows up to it. Before that, it gives the rows their boxes.
func (m Model) chooseCursor(choose func(Model, string) (page.Page, []page.Cmd)) (page.Page, []page.Cmd) {
	if !m.choosable() {
		return m, []page.Cmd{page.Announce{Words: "There are no acts on these objects."}}
	}
	var commands []page.Cmd
	if !m.Query.Choosing {
		m.Query.Choosing = true
		commands = append(commands, page.Remember{Address: m.queryAddress(m.Query), Replace: true})
	}
	next, said := choose(m, m.live.cursor.uid)
	return next, append(commands, said...)
}

// choose chooses a row, or no longer.
func (m Model) choose(uid string) (page.Page, []page.Cmd) {
	l := m.live
	row, there := l.rows.Get(uid)
	at := l.picked(uid)
	switch {
	case at >= 0:
		l.chosen, l.full = slices.Delete(l.chosen, at, at+1), false
	case there:
		l.last = uid
		m.add([]table.Row{row})
	}
	return m, []page.Cmd{page.Announce{Words: m.chosenWords()}}
}
