package collection

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/column"
	"github.com/fieldmark/fieldmark/kube/condition"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Readers add columns of their own: a label, an annotation, a field or the age (package column). They are in the address, after the server's columns in
// the table, and rows get their texts as reading.go reads them.

const (
	ageColumn   = "Age"
	columnField = "own-column" // the id of the field in the menu
	columnName  = "col"        // the parameter of the address, and the name of the field in the menu
)

// refusal is a column of the address that the page doesn't show.
type refusal struct{ text, why string }

// added are the columns of the address, and those that the page refuses.
func (m Model) added() (all []column.Column, refused []refusal) {
	for _, text := range m.Query.Columns {
		c, err := column.Parse(text)
		if err == nil && m.Shell.Path.OfSecrets() {
			err = c.FitsSecrets()
		}
		switch {
		case err != nil:
			refused = append(refused, refusal{text, err.Error()})
		case slices.ContainsFunc(all, func(o column.Column) bool { return o.String() == c.String() }):
		case len(all) == column.Most:
			refused = append(refused, refusal{text, fmt.Sprintf("a table has at most %d columns of your own", column.Most)})
		default:
			all = append(all, c)
		}
	}
	return all, refused
}

// Reader reads those columns whose texts the rows don't have.
func (m Model) Reader() column.Reader {
	all, _ := m.added()
	rows := func(c column.Column) bool { return c.Source() == column.Row }
	return column.Reader{Columns: slices.DeleteFunc(all, rows), Secrets: m.Shell.Path.OfSecrets()}
}

// names are the names of the columns that are read.
func (m Model) valueNames() (names []string) {
	for _, c := range m.Reader().Columns {
		names = append(names, c.String())
	}
	return names
}

func aged(columns []table.Column) bool {
	return slices.ContainsFunc(columns, func(c table.Column) bool { return strings.EqualFold(c.Name, ageColumn) })
}

// withAdded are the server's columns with those that the reader has added. A table of custom resources always has an age: their definitions often leave
// it out, and each row has the time of its creation.
func (m Model) withAdded(served []table.Column) []table.Column {
	all, _ := m.added()
	columns, value := slices.Clip(served), 0
	age := len(served) > 0 && condition.Custom(m.Type.Group)
	for _, c := range all {
		own := table.Column{Name: c.String(), Type: "string"}
		switch {
		case c.Age():
			age = true
			continue
		case c.Label() != "":
			own.Own.Label = c.Label()
			own.Description = "A label, which you have added"
		default:
			value++
			own.Own.Value, own.Own.Quantity = value, c.Quantity()
			own.Description = "A field, which you have added. Fieldmark reads it for the visible rows. Times are shown as ages."
		}
		columns = append(columns, own)
	}
	if age && !aged(columns) {
		columns = append(columns, table.Column{Name: ageColumn, Type: "date", Description: "The time since the object was created", Own: table.Own{Age: true}})
	}
	return columns
}

// served are the columns without those that the reader has added.
func served(columns []table.Column) []table.Column {
	return slices.DeleteFunc(slices.Clone(columns), func(c table.Column) bool { return c.Own != table.Own{} })
}

func ownColumns(columns []table.Column) []table.Column {
	return slices.DeleteFunc(slices.Clone(columns), func(c table.Column) bool { return c.Own == table.Own{} })
}

// changeColumns shows other columns of the reader's, and forgets the texts of the former ones.
func (m Model) changeColumns() {
	l := m.live
	l.adding.text = ""
	before := l.reading.names
	l.reading.begin(m.valueNames())
	columns := m.withAdded(served(l.rows.Columns()))
	if !slices.Equal(before, l.reading.names) {
		l.rewriteValues()
	}
	l.rows.SetColumns(columns)
	l.widths = l.widths.grown(columns, nil)
}

// typedColumn is what was typed into the field for another column.
func (m Model) typedColumn() string {
	if m.live == nil {
		return ""
	}
	return m.live.adding.text
}

// firstScreen is how many rows the server sends for the first screen, and reads of the server's list.
func firstScreen() int { return page.Scrolled{}.Window(DefaultLimit).Count }

// Sight is how many objects of the page's list the server reads for the columns that the reader has added; 0: none. It doesn't read the first objects
// if the page begins with other rows.
func (m Model) Sight() int {
	rows := len(m.Table.Rows)
	if len(m.Reader().Columns) == 0 || rows > firstScreen() && (m.Query.Sort.Column != "" || m.Query.Filter != "") {
		return 0
	}
	return min(rows, firstScreen())
}

// unread and absent are the texts of cells without a value.
const (
	unread = "…"
	absent = "–"
)

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// ownCells writes the texts that rows show in the columns that the reader has added.
func (m Model) ownCells(g components.Grid, columns []table.Column, rows []table.Row) {
	now := m.At
	if m.live != nil {
		now = m.live.now
	}
	at := table.Table{Columns: columns}.Visible(m.Query.Wide)
	for n, i := range at {
		own := columns[i].Own
		if own == (table.Own{}) {
			continue
		}
		for r, row := range rows {
			cell := &g.Rows[r].Cells[n]
			cell.Tone = components.Calm
			moment, isTime := table.Moment(cell.Text)
			switch {
			case own.Age:
				cell.Text = table.Age(row.Created, later(now, row.Created))
			case own.Value > 0 && row.Values == nil:
				cell.Text = unread
			case cell.Text == "":
				cell.Text = absent
			case own.Value > 0 && isTime && !now.IsZero():
				cell.Text = table.Since(moment, now)
			}
		}
	}
}
