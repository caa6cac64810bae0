package collection

import (
	"testing"

	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/table"
)

func TestUnserved(t *testing.T) {
	declared := []Column{{"A", ".a"}, {"B", ".b["}, {"C", ".c"}}
	columns := func(names ...string) (t table.Table) {
		t.Printed = true
		for _, n := range names {
			t.Columns = append(t.Columns, table.Column{Name: n})
		}
		return t
	}
	unprinted := columns("Name")
	unprinted.Printed = false
	for name, c := range map[string]struct {
		declared []Column
		table    table.Table
		want     int
	}{
		"all":                {declared, columns("Name", "A", "B", "C"), 0},
		"from the second on": {declared, columns("Name", "A"), 2},
		"none":               {declared, columns("Name"), 3},
		"the default":        {nil, columns("Name", "Age"), 0},
		"another definition": {declared, columns("Name", "X"), 0},
		"no Table":           {declared, unprinted, 0},
		"with conditions":    {declared, table.Table{Printed: true, Columns: table.Judged{}.Columns(columns("Name", "A").Columns)}, 2},
	} {
		if got := Unserved(c.declared, c.table); len(got) != c.want || c.want > 0 && got[0] != declared[3-c.want] {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestUnservedColumnsInWords(t *testing.T) {
	m := Model{Type: discovery.Type{Group: "example.com", Resource: "cups"}}
	if m.unservedNote() != nil {
		t.Error("a note about nothing")
	}
	m.Unserved = []Column{{"B", ".b["}, {"C", ".c"}}
	n := m.unservedNote()
	if n.Title != "The server doesn’t serve the column B" || n.Words != "The definition declares the column with the JSONPath .b[, which the API server can’t parse. The server says so nowhere else. It serves no column after this one either: C." {
		t.Errorf("%s: %s", n.Title, n.Words)
	}
}
