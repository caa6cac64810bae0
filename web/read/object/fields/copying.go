package fields

import (
	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/copying"
	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// The keys of what the tab can copy: the lines that are shown, or those of the selected field.
const (
	CopyLines = "lines"
	copyField = "field"
)

// mostCopied is the maximum number of lines that are copied.
const mostCopied = 5000

// copied copies lines with their owners. Values of Secrets are masked, as in all of the tab.
func (m on) copied(form components.CopyForm, key string) []page.Cmd {
	if m.live.laid == nil {
		return nil
	}
	v := m.view(m.live.laid)
	b := copying.Blame{Object: plain.Object(m.Object.Kind(), m.Object.Meta("namespace"), m.Object.Meta("name")), Managers: v.Shown()}
	rows := v.shown
	switch {
	case key == CopyLines:
		b.Lost = v.Blame.Lost()
	case key == copyField && v.node != nil:
		b.Field, rows = v.m.Reading.Field, v.rowsOf()
	default:
		return nil
	}
	rows, b.More = components.First(rows, mostCopied)
	b.Lines = v.copiedLines(rows, key == CopyLines)
	return page.CopyAs(form, b)
}

// rowsOf are the rows of the selected field.
func (v *fieldsView) rowsOf() []int {
	var rows []int
	for i := v.row; i < len(v.Rows) && (i == v.row || v.Rows[i].Node.ID < v.node.End); i++ {
		rows = append(rows, i)
	}
	return rows
}

// copiedLines are rows with their owners, which are named where they differ from those of the row above. If folds is true, folded fields are one line.
func (v *fieldsView) copiedLines(rows []int, folds bool) []copying.Line {
	lines := make([]copying.Line, 0, len(rows))
	var runs owners.Runs
	byDefault := false
	for _, i := range rows {
		r := v.Rows[i]
		l := copying.Line{Number: i + 1, Text: v.Document.Lines[i], Columns: owners.Strips(r.Columns)}
		isDefault := r.Nobody() && r.Kind != ownership.Text && v.isDefault(r.Node)
		if runs.Begins(r) || r.Kind != ownership.Text && isDefault != byDefault {
			l.Label = v.copiedLabel(r, isDefault)
		}
		byDefault = isDefault
		if n := foldable(r); folds && n != nil && v.m.folded(r.Path) {
			l.Hidden = v.linesOf(n) - 1
		}
		lines = append(lines, l)
	}
	return lines
}

func (v *fieldsView) copiedLabel(r owners.Row, isDefault bool) string {
	if r.Everybodys() {
		return ""
	}
	if words := r.Unplaced(); words != "" && !isDefault {
		return words
	}
	all := make([]ownership.Owner, 0, len(r.Columns))
	for _, c := range r.Columns {
		all = append(all, v.Managers[c].Owner)
	}
	return copying.Label(all, copying.MostNamed, isDefault, v.m.Now)
}
