package apply

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/change"
	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/words"
)

// Each conflict has a row with a choice. A row stays after its choice, so that the reader can choose again:
//
//	dry run ── 409 ──▶ rows ──▶ Overwrite ──▶ once each row has a choice, the request has force=true
//	                    ▲  └──▶ Give up, Share ──▶ the text before all choices, with the chosen edits ──┐
//	                    └────────────────────────── dry run ◀── the new text ◀──────────────────────────┘
//
// The edits always begin with the text before all choices. So another choice brings back what an earlier one removed, with its comments. If the reader
// changes the text by hand, the decided rows disappear: their edits are then a part of the reader's text.

// choice is a way out of a conflict. It is also the name of the action.
type choice string

const (
	open      choice = "" // no choice yet
	overwrite choice = "overwrite"
	giveUp    choice = "give-up"
	share     choice = "share"
)

// choices are the choices of a row, in the order of its buttons and keys.
var choices = []choice{overwrite, giveUp, share}

func (w choice) title() string {
	return map[choice]string{overwrite: "Overwrite", giveUp: "Give up", share: "Share"}[w]
}

// edits tells whether a choice changes the text.
func (w choice) edits() bool { return w == giveUp || w == share }

// everyRow stands for all conflicts of all documents in an action.
const everyRow = "all"

// contested is a field in conflict, and the reader's choice for it.
type contested struct {
	change.Conflict                 // without secrets
	real            change.Conflict // may have secrets
	choice          choice
}

// can tells whether a choice is possible. A field without a live value can't be shared.
func (c contested) can(w choice) bool { return w != share || c.Held }

// same tells whether two conflicts are about the same field.
func (c contested) same(other contested) bool {
	return c.Path == other.Path && slices.Equal(c.Parts, other.Parts)
}

// seen identifies what the reader saw when choosing: the field, both values and the owners.
func (c contested) seen() string {
	return strings.Join([]string{c.Path, c.Live, c.Yours, holders(c.Conflict)}, "\n")
}

// contest gives each conflict of a document's new preview a row. A choice to overwrite is kept if the conflict is the same as before, and a decided
// row stays as long as its field is no longer in conflict.
func (m Model) contest(d *document) {
	var fresh []contested
	for i, c := range m.conflicts(d) {
		if i < len(d.shown.conflicts) {
			fresh = append(fresh, contested{Conflict: d.shown.conflicts[i], real: c})
		}
	}
	if slices.ContainsFunc(d.rows, func(r contested) bool { return r.choice.edits() && slices.ContainsFunc(fresh, r.same) }) {
		m.settle() // the live value changed, so the choice no longer ends the conflict
	}
	var kept []contested
	for _, r := range d.rows {
		at := slices.IndexFunc(fresh, r.same)
		switch {
		case at >= 0 && fresh[at].seen() == r.seen():
			fresh[at].choice = r.choice
			fallthrough
		case at >= 0:
			kept, fresh = append(kept, fresh[at]), slices.Delete(fresh, at, at+1)
		case r.choice.edits():
			kept = append(kept, r)
		}
	}
	d.rows = slices.Concat(kept, fresh)
}

// settle makes the text as it is the reader's own. Rows whose choice changed it disappear.
func (m Model) settle() {
	m.live.before, m.live.after = "", ""
	for _, d := range m.live.docs {
		d.rows = slices.DeleteFunc(d.rows, func(r contested) bool { return r.choice.edits() })
	}
}

// forces tells whether a document is applied with force: the server reports conflicts, and the reader chose to overwrite each of them.
func (d *document) forces() bool {
	n := count(d)
	return d.shown != nil && d.shown.dryRun.plain.Conflicts() && n.overwritten > 0 && n.open == 0
}

// conflictCount is the number of conflicts of documents. All places of the page that say a number of conflicts have it from here.
type conflictCount struct{ all, open, overwritten int }

func count(docs ...*document) conflictCount {
	var n conflictCount
	for _, d := range docs {
		if d.why != "" {
			continue
		}
		for _, r := range d.rows {
			n.all++
			switch r.choice {
			case open:
				n.open++
			case overwrite:
				n.overwritten++
			}
		}
	}
	return n
}

// words are empty if there are no conflicts.
func (n conflictCount) words() string {
	said := words.Count(int64(n.all), "conflict", "conflicts")
	switch n.open {
	case 0:
		return map[bool]string{true: said + " decided"}[n.all > 0]
	case n.all:
		return said
	}
	return said + " (" + words.Thousands(int64(n.open)) + " undecided)"
}

// button is what the count adds to the text of the button.
func (n conflictCount) button() string {
	switch {
	case n.open > 0:
		return ", " + words.Thousands(int64(n.open)) + " undecided"
	case n.overwritten > 0:
		return ", overwrite " + words.Thousands(int64(n.overwritten))
	}
	return ""
}

// chosen tells whether all rows that can have a choice have it.
func chosen(rows []*contested, w choice) bool {
	some := false
	for _, r := range rows {
		if r.can(w) {
			some = true
			if r.choice != w {
				return false
			}
		}
	}
	return some
}

// rowsAt are the rows that an action names: all, or one by the numbers of its document and of the row.
func (m Model) rowsAt(named []string) []*contested {
	if len(named) == 1 && named[0] == everyRow {
		var all []*contested
		for _, d := range m.live.docs {
			for i := range d.rows {
				all = append(all, &d.rows[i])
			}
		}
		return all
	}
	if d, n := m.findDocument(named); d != nil && n >= 0 && n < len(d.rows) {
		return []*contested{&d.rows[n]}
	}
	return nil
}

// decide sets the choice of rows. If all of them have it already, they are undecided again.
func (m Model) decide(w choice, rows []*contested) (page.Page, []page.Cmd) {
	if m.live.run != nil && !m.live.run.over || len(rows) == 0 {
		return m, nil
	}
	if chosen(rows, w) {
		w = open
	}
	for _, r := range rows {
		if r.can(w) {
			r.choice = w
		}
	}
	return m.retext()
}

// retext makes the edits of all choices, in the text before all of them. A preview of the new text follows. The reader can undo the edits in the
// editor.
func (m Model) retext() (page.Page, []page.Cmd) {
	l := m.live
	if l.before == "" {
		l.before = l.whole
	}
	text, changed := source.Parse(l.before), l.before
	var failed []string
	for _, d := range l.docs {
		shared := len(d.share)
		d.share = slices.DeleteFunc(d.share, func(parts []string) bool {
			return slices.ContainsFunc(d.rows, func(r contested) bool { return slices.Equal(r.Parts, parts) })
		})
		for i := range d.rows {
			r := &d.rows[i]
			next, err := m.edited(text, d, *r)
			if err != nil {
				failed, r.choice = append(failed, r.Path+": "+wordsOf(err)), open
			} else if r.choice.edits() {
				changed, text = next, source.Parse(next)
			}
			if r.choice == share && m.partly(d) {
				d.share = append(d.share, r.Parts)
			}
		}
		if len(d.share) != shared {
			d.dryRun = dryRun{}
		}
	}
	l.after = changed
	m.Problem = nil
	if len(failed) > 0 {
		m.Problem = &components.Notice{
			Tone: components.Warn, Title: "Fieldmark can’t change the manifest", Words: "Change the manifest by hand. Each conflict shows the field and its value.", Details: failed,
		}
	}
	if changed == l.whole {
		return m, m.refreshDryRuns()
	}
	next, commands := m.typed(changed)
	return next, append([]page.Cmd{page.Edit{Field: Field, Text: changed}, next.keep(), next.keepOpened()}, commands...)
}

// edited is the text after the edit of a choice.
func (m Model) edited(t source.Text, d *document, r contested) (string, error) {
	c := r.real
	switch {
	case r.choice == giveUp && m.partly(d):
		return m.unchange(t, d, c)
	case r.choice == giveUp, r.choice == share && !c.Held:
		return t.Remove(d.read.Index, c.Path, c.Parts)
	case r.choice == share:
		return t.Set(d.read.Index, c.Path, c.Parts, c.LiveValue)
	}
	return "", nil
}
