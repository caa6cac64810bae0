package table

import (
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/condition"
	"github.com/fieldmark/fieldmark/kube/object"
)

// The columns that Judged adds: an object's worst condition, and why, if it isn't fine.
const (
	ConditionColumn = "Condition"
	WhyColumn       = "Why"
)

// mostWhy bounds a reason, in bytes.
const mostWhy = 160

// Judged reads Tables of objects of one API group, which have whole objects (includeObject=Object), and adds what their conditions say.
type Judged struct{ Group string }

// Parse is Parse with the columns. A Table that has a column with one of their names stays as it is, and so does a list without a Table.
func (j Judged) Parse(data []byte, now time.Time) (Table, error) {
	a, t, err := parse(data, now)
	if err == nil && t.Printed {
		t.Columns = j.Columns(t.Columns)
		j.fill(t, a.Rows)
	}
	return t, err
}

// ParseEvent is ParseEvent with the columns.
func (j Judged) ParseEvent(text []byte, now time.Time) (Table, error) {
	a, t, err := parseEvent(text, now)
	if err == nil && len(a.Rows) == len(t.Rows) {
		t.Columns = j.Columns(t.Columns)
		j.fill(t, a.Rows)
	}
	return t, err
}

// EventColumns is EventColumns with the columns.
func (j Judged) EventColumns(text []byte) ([]Column, error) {
	columns, printed, err := eventColumns(text)
	if printed {
		columns = j.Columns(columns)
	}
	return columns, err
}

// Columns are the server's columns with those of the conditions.
func (j Judged) Columns(served []Column) []Column {
	if len(served) == 0 || slices.ContainsFunc(served, func(c Column) bool {
		return strings.EqualFold(c.Name, ConditionColumn) || strings.EqualFold(c.Name, WhyColumn)
	}) {
		return served
	}
	return append(slices.Clone(served),
		Column{Name: ConditionColumn, Type: "string", Format: condition.Format(j.Group), Description: "The worst of the object’s conditions. Fieldmark reads it from the object’s status."},
		Column{Name: WhyColumn, Type: "string", Description: "The reason and the message of this condition."})
}

// fill adds the cells. Rows of a Table without the columns have cells that nobody shows.
func (j Judged) fill(t Table, rows []answerRow) {
	for i, r := range rows {
		s := condition.Of(j.Group, object.Object{Fields: map[string]any{"kind": r.Object.Kind, "status": r.Object.Status}})
		why := ""
		if s.Verdict != condition.Fine {
			why = strings.TrimPrefix(s.Reason+": "+s.Message, ": ")
			why = strings.TrimSuffix(why, ": ")
		}
		if len(why) > mostWhy {
			why = strings.ToValidUTF8(why[:mostWhy], "") + "…"
		}
		t.Rows[i].Cells = append(slices.Clip(r.Cells), Cell(s.Words), Cell(why))
	}
}
