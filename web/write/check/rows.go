package check

import (
	"slices"
	"strconv"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// visible tells whether a finding is shown.
func (m Model) visible(f check.Finding) bool {
	return m.Look.shows(f.Kind) && (f.Expected == nil || m.Look.Expected)
}

// row is a row of the table: the head of a group, or a finding.
type row struct {
	chosen       // doc is nil for a head
	head   group // without its findings for a finding
}

// isHead tells whether the row is the head of a group.
func (r row) isHead() bool { return r.doc == nil }

// selects is what the panel shows for the row; ok is false if the keys j and k pass over it.
func (r row) selects() (c chosen, ok bool) {
	if r.isHead() {
		return chosen{group: true, kind: r.head.kind}, r.head.folded
	}
	return r.chosen, true
}

// rows returns count rows of the table from first on, and the number of all rows. If count is negative, it returns all rows from first on.
func (m Model) rows(first, count int) (some []row, all int) {
	add := func(r row) {
		if all >= first && (count < 0 || all < first+count) {
			some = append(some, r)
		}
		all++
	}
	for _, g := range m.groups() {
		add(row{head: g})
		if g.folded {
			continue
		}
		for _, c := range g.shown {
			add(row{chosen: c})
		}
	}
	return some, all
}

// findings is the number of findings that are shown.
func (m Model) findings() int {
	n := 0
	for _, g := range m.groups() {
		n += len(g.shown)
	}
	return n
}

// laid is the part of the table that is rendered: the rows in view, and some around them.
type laid struct {
	rows  []row
	all   int
	first int
	page.Window
}

func (m Model) layOutRows() laid {
	_, all := m.rows(0, 0)
	w := m.live.view.Window(all)
	if !m.live.awake {
		w = page.Window{Count: all}
	}
	some, _ := m.rows(w.First, w.Count)
	return laid{some, all, w.First, w}
}

// close shows the summary alone.
func (m Model) close() (page.Page, []page.Cmd) {
	l := m.live
	former := l.chosen
	l.chosen, l.closed = chosen{}, true
	if former == (chosen{}) {
		return m, nil
	}
	return m, []page.Cmd{page.Focus{ID: former.buttonID()}}
}

// choose shows the first finding if nothing in the table is chosen, unless the reader closed the panel.
func (m Model) choose() {
	if m.live.closed {
		return
	}
	rows, _ := m.rows(0, -1)
	var first chosen
	for _, r := range rows {
		c, ok := r.selects()
		if c == m.live.chosen {
			return
		}
		if ok && first == (chosen{}) {
			first = c
		}
	}
	m.live.chosen = first
}

// Keys implements page.Keyed.
func (Model) Keys() []components.Key {
	return []components.Key{
		{Keys: []string{"j", "k"}, Does: "Next and previous finding"},
		{Keys: []string{"g", "G"}, Does: "First and last finding"},
		{Keys: []string{"Enter"}, Does: "Show the finding in focus"},
		{Keys: []string{"Esc"}, Does: "Back to the summary, or up to the parent page"},
	}
}

func (m Model) pressed(key string) (page.Page, []page.Cmd) {
	switch key {
	case "j":
		return m.step(1)
	case "k":
		return m.step(-1)
	case "g":
		m.live.chosen = chosen{}
		return m.step(1)
	case "G":
		m.live.chosen = chosen{}
		return m.step(-1)
	case "Escape":
		if m.live.chosen == (chosen{}) {
			return m, []page.Cmd{page.Navigate{Address: m.Shell.Up()}}
		}
		return m.close()
	}
	return m, nil
}

// step selects the next or the previous finding, or folded group. If none is selected, it selects the first or the last.
func (m Model) step(by int) (page.Page, []page.Cmd) {
	rows, all := m.rows(0, -1)
	at := slices.IndexFunc(rows, func(r row) bool {
		c, _ := r.selects()
		return c == m.live.chosen
	})
	if at < 0 && by < 0 {
		at = all
	}
	for at += by; at >= 0 && at < all; at += by {
		if c, ok := rows[at].selects(); ok {
			m.live.chosen = c
			return m, []page.Cmd{page.Scroll{Top: at * page.RowHeight, Bottom: (at + 1) * page.RowHeight}, page.Focus{ID: c.buttonID()}}
		}
	}
	return m, nil
}

// buttonID is the id of the button that shows a finding, or the one that unfolds a group.
func (c chosen) buttonID() string {
	if c.group {
		return "open-" + group{kind: c.kind}.id()
	}
	return "open-" + c.id()
}

// copyKey names a finding by two numbers; see findingAt.
func copyKey(c chosen) string { return strconv.Itoa(c.doc.place) + " " + strconv.Itoa(c.finding) }

// fieldOf names the field of a finding.
func fieldOf(f check.Finding) string {
	if f.Path == "" {
		return "the whole object"
	}
	return components.Visible(f.Path)
}

// hereID is the id of the line of a finding, if one finding is shown alone.
func hereID(around int) string {
	if around == mostAround {
		return "line-here"
	}
	return ""
}
