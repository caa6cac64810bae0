package check

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/words"
)

// The table has a group for each kind of finding:
//
//	▾ invalid   The API server refuses the manifest · 2      first, because nothing of such a document is applied
//	    web.yaml:9    Deployment shop/web   the server's reason
//	▾ conflict  Another manager owns the field · 1           then the other kinds, the worst first
//	    db.yaml:31    StatefulSet shop/db   .spec.replicas   4 → 5   autoscaler
//	▸ created   30 new objects: 18 ConfigMap, 12 Service     folded
//
// While the pointer is over the table, new findings are in a group at its end, so that no row moves.

// order are all kinds of findings as the table has them.
func order() []check.Kind {
	return append([]check.Kind{check.Invalid}, slices.DeleteFunc(check.Kinds(), func(k check.Kind) bool { return k == check.Invalid })...)
}

// group is the findings of a kind that are shown.
type group struct {
	kind   check.Kind // empty: the findings that arrived while the pointer was over the table
	shown  []chosen
	folded bool
}

// fewCreated is how many new objects have rows of their own. More of them are one row, until the reader unfolds it.
const fewCreated = 3

// groups are the groups that are shown, from their order in the table.
func (m Model) groups() []group {
	l := m.live
	var all []group
	add := func(k check.Kind, some []chosen) {
		g := group{kind: k}
		for _, c := range some {
			if m.visible(c.of()) {
				g.shown = append(g.shown, c)
			}
		}
		if len(g.shown) == 0 {
			return
		}
		folded, told := l.folds[k]
		g.folded = told && folded || !told && k.About().Severity == check.Fine && k != "" && len(g.shown) > fewCreated
		all = append(all, g)
	}
	for _, k := range order() {
		add(k, l.found[k])
	}
	add("", l.late)
	return all
}

// of is the finding itself.
func (c chosen) of() check.Finding { return c.doc.found[c.finding] }

// byPlace orders findings as they are in the input.
func byPlace(a, b chosen) int {
	return cmp.Or(cmp.Compare(a.doc.place, b.doc.place), cmp.Compare(a.finding, b.finding))
}

// insertFindings gives the findings of a document their places in the table.
func (l *live) insertFindings(d *doc) {
	for i := range d.found {
		c := chosen{doc: d, finding: i}
		if l.over {
			l.late = append(l.late, c)
		} else {
			l.insert(c)
		}
	}
}

func (l *live) insert(c chosen) {
	k := c.of().Kind
	if l.found == nil {
		l.found = map[check.Kind][]chosen{}
	}
	at, _ := slices.BinarySearchFunc(l.found[k], c, byPlace)
	l.found[k] = slices.Insert(l.found[k], at, c)
}

// arrange moves late findings to their groups.
func (l *live) arrange() {
	for _, c := range l.late {
		l.insert(c)
	}
	l.late = nil
}

// fold folds a group, or unfolds it, and shows what is known about its kind.
func (m Model) fold(k check.Kind) {
	l := m.live
	for _, g := range m.groups() {
		if g.kind == k && k != "" {
			if l.folds == nil {
				l.folds = map[check.Kind]bool{}
			}
			l.folds[k], l.chosen = !g.folded, chosen{group: true, kind: k}
		}
	}
}

// about says what is wrong with the findings of a group.
func (g group) about() string {
	switch g.kind {
	case "":
		return "found while the pointer was here"
	case check.Created:
		return words.Count(int64(len(g.shown)), "new object", "new objects") + ": " + g.kinds()
	}
	return words.Curly(g.kind.About().Title) + " · " + words.Thousands(int64(len(g.shown)))
}

// mostKinds is how many kinds of objects a row names.
const mostKinds = 3

// kinds counts the kinds of the group's objects, the most frequent first.
func (g group) kinds() string {
	counts := map[string]int{}
	var names []string
	for _, c := range g.shown {
		kind := c.of().Object.Kind
		if counts[kind]++; counts[kind] == 1 {
			names = append(names, kind)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return counts[b] - counts[a] })
	var said []string
	for _, name := range names[:min(len(names), mostKinds)] {
		said = append(said, fmt.Sprintf("%d %s", counts[name], name))
	}
	if more := len(names) - mostKinds; more > 0 {
		said = append(said, words.Count(int64(more), "more kind", "more kinds"))
	}
	return strings.Join(said, ", ")
}

// id is that of the group's element.
func (g group) id() string { return "group-" + cmp.Or(string(g.kind), "late") }

// place is where a finding is: its file and line.
func (c chosen) place() string {
	f := c.of()
	return positionText(f.File, f.Line)
}

// id is that of the finding's row.
func (c chosen) id() string {
	return "finding-" + strconv.Itoa(c.doc.place) + "-" + strconv.Itoa(c.finding)
}
