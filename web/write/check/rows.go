package check

import (
	"cmp"
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

// rank is a document's place among all kinds of findings: that of its worst finding that is shown.
func (m Model) rank(d *doc) int {
	for _, f := range d.found {
		if m.visible(f) {
			return f.Kind.Rank()
		}
	}
	return len(check.Kinds())
}

func (m Model) compare(a, b *doc) int {
	return cmp.Or(cmp.Compare(m.rank(a), m.rank(b)), cmp.Compare(a.place, b.place))
}

// insertDocument inserts a document among those with findings. While the pointer is over the rows, it goes to the end, so that no row moves.
func (m Model) insertDocument(d *doc) {
	l := m.live
	switch {
	case m.rank(d) == len(check.Kinds()):
	case l.over || l.loose:
		l.order, l.loose = append(l.order, d), true
	default:
		at, _ := slices.BinarySearchFunc(l.order, d, m.compare)
		l.order = slices.Insert(l.order, at, d)
	}
}

// arrange sorts the documents, if they aren't sorted.
func (m Model) arrange() {
	l := m.live
	if !l.loose {
		return
	}
	l.loose, l.order = false, nil
	for _, d := range l.input.docs {
		if m.rank(d) < len(check.Kinds()) {
			l.order = append(l.order, d)
		}
	}
	slices.SortFunc(l.order, m.compare)
}

// row is a row of the table: a document, or one of its findings.
type row struct {
	doc     *doc
	finding int // -1: the document
	shown   int // number of the document's findings that are shown
}

// of is the finding of a row. It panics for the row of a document.
func (r row) of() check.Finding { return r.doc.found[r.finding] }

// rows returns count rows of the table from first on, and the number of all rows. If count is negative, it returns all rows from first on.
func (m Model) rows(first, count int) (some []row, all int) {
	add := func(r row) {
		if all >= first && (count < 0 || all < first+count) {
			some = append(some, r)
		}
		all++
	}
	for _, d := range m.live.order {
		shown := 0
		for _, f := range d.found {
			if m.visible(f) {
				shown++
			}
		}
		if shown > 0 {
			add(row{d, -1, shown})
		}
		for i, f := range d.found {
			if m.visible(f) {
				add(row{d, i, shown})
			}
		}
	}
	return some, all
}

// findings is the number of findings that are shown.
func (m Model) findings() int {
	n := 0
	for _, d := range m.live.order {
		for _, f := range d.found {
			if m.visible(f) {
				n++
			}
		}
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

// showFinding shows a finding.
func (m Model) showFinding(c chosen) (page.Page, []page.Cmd) {
	m.live.chosen = c
	return m, nil
}

// close shows the summary again.
func (m Model) close() (page.Page, []page.Cmd) {
	former := m.live.chosen
	m.live.chosen = chosen{}
	if former.doc == nil {
		return m, nil
	}
	return m, []page.Cmd{page.Focus{ID: buttonID(row{doc: former.doc, finding: former.finding})}}
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
		if m.live.chosen.doc == nil {
			return m, []page.Cmd{page.Navigate{Address: m.Shell.Up()}}
		}
		return m.close()
	}
	return m, nil
}

// step selects the next or the previous finding. If none is selected, it selects the first or the last.
func (m Model) step(by int) (page.Page, []page.Cmd) {
	rows, all := m.rows(0, -1)
	at := slices.IndexFunc(rows, func(r row) bool {
		return r.finding >= 0 && chosen{r.doc, r.finding} == m.live.chosen
	})
	if at < 0 && by < 0 {
		at = all
	}
	for at += by; at >= 0 && at < all; at += by {
		if r := rows[at]; r.finding >= 0 {
			next, commands := m.showFinding(chosen{r.doc, r.finding})
			return next, append(commands, page.Scroll{Top: at * page.RowHeight, Bottom: (at + 1) * page.RowHeight}, page.Focus{ID: buttonID(r)})
		}
	}
	return m, nil
}

// rowID is the id of a row's element.
func rowID(r row) string {
	if r.finding < 0 {
		return "object-" + strconv.Itoa(r.doc.place)
	}
	return "finding-" + strconv.Itoa(r.doc.place) + "-" + strconv.Itoa(r.finding)
}

// buttonID is the id of the button that shows a row's finding.
func buttonID(r row) string { return "open-" + rowID(r) }

// opens is the action that shows a row's finding.
func opens(r row) string { return doOpen + " " + copyKey(chosen{r.doc, r.finding}) }

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
