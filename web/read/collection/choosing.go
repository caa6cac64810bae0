package collection

import (
	"slices"

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

	chosenField  = "chosen" // of a box in the browser; its value is the uid of the row
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
		b := components.Box{Form: chooseForm, Name: web.ActPath, Value: m.pathOf(r).String()}
		if m.live != nil {
			on := m.live.picked(r.UID) >= 0
			b = components.Box{Name: chosenField, Value: r.UID, On: on, Off: full && !on}
		}
		g.Rows[i].Box = b
	}
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
		return "Choose rows with their boxes, or with the key x."
	case web.MostActedOn:
		return "No more than " + words.Count(web.MostActedOn, "object", "objects") + " at once."
	default:
		return words.Count(int64(n), "row is chosen.", "rows are chosen.")
	}
}

// chooseNone forgets the chosen rows.
func (m Model) chooseNone() (page.Page, []page.Cmd) {
	m.live.chosen = nil
	return m, []page.Cmd{page.Announce{Words: m.chosenWords()}}
}

// chooseCursor chooses the cursor's row. Before that, it gives the rows their boxes.
func (m Model) chooseCursor() (page.Page, []page.Cmd) {
	if !m.choosable() {
		return m, []page.Cmd{page.Announce{Words: "There are no acts on these objects."}}
	}
	var commands []page.Cmd
	if !m.Query.Choosing {
		m.Query.Choosing = true
		commands = append(commands, page.Remember{Address: m.queryAddress(m.Query), Replace: true})
	}
	next, said := m.choose(m.live.cursor.uid)
	return next, append(commands, said...)
}

// choose chooses a row, or no longer.
func (m Model) choose(uid string) (page.Page, []page.Cmd) {
	l := m.live
	row, there := l.rows.Get(uid)
	at := l.picked(uid)
	switch {
	case at >= 0:
		l.chosen = slices.Delete(l.chosen, at, at+1)
	case there && row.Name != "" && len(m.chosen()) < web.MostActedOn:
		l.chosen = append(l.chosen, pick{uid, m.pathOf(row).String()})
	}
	return m, []page.Cmd{page.Announce{Words: m.chosenWords()}}
}
