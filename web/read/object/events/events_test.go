package events

import (
	"testing"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/table"
)

func TestGrid(t *testing.T) {
	m := Model{Table: table.Table{
		Columns: []table.Column{
			{Name: "Last Seen", Type: "string"}, {Name: "Type", Type: "string"}, {Name: "Source", Priority: 1}, {Name: "Count", Type: "integer"},
		},
		Rows: []table.Row{
			{UID: "e1", Namespace: "shop", Name: "web.1", ResourceVersion: "9", Cells: []table.Cell{"5m", "Warning", "kubelet", "3"}},
			{UID: "e2", Namespace: "shop", Name: "web.2", Cells: []table.Cell{"7m", "Normal"}},
		},
	}}
	g := m.Grid()
	if len(g.Head) != 3 || g.Head[2].Name != "Count" || !g.Head[2].Numeric || g.Head[0].Href != "" {
		t.Errorf("heads: %+v", g.Head)
	}
	if !g.Rows[0].Warning || g.Rows[1].Warning {
		t.Errorf("only the first row is a warning: %+v", g.Rows)
	}
	if g.Rows[0].UID != "e1" || g.Rows[0].Namespace != "shop" || g.Rows[0].Name != "web.1" || g.Rows[0].ResourceVersion != "9" {
		t.Errorf("first row: %+v", g.Rows[0])
	}
	if c := g.Rows[0].Cells; c[1].Tone != components.Warn || c[0].Tone != components.Calm || c[2].Text != "3" {
		t.Errorf("first row's cells: %+v", c)
	}
	if c := g.Rows[1].Cells; len(c) != 3 || c[1].Tone != components.Calm || c[2].Text != "" {
		t.Errorf("a row with fewer cells than columns: %+v", c)
	}
}

func TestNewestFirst(t *testing.T) {
	row := func(uid, seen, version string) table.Row {
		return table.Row{UID: uid, ResourceVersion: version, Cells: []table.Cell{table.Cell(seen)}}
	}
	for want, rows := range map[string]table.Rows{
		"cab":  {row("a", "5m", "9"), row("b", "3h", "30"), row("c", "9s", "1")},
		"bca":  {row("a", "5m", "9"), row("b", "5m", "101"), row("c", "5m", "10")}, // the last write first
		"abcd": {row("a", "", ""), row("b", "", ""), row("c", "<unknown>", ""), row("d", "1s", "")},
	} {
		m, got := Model{Table: table.Table{Columns: []table.Column{{Name: "Last Seen"}}, Rows: rows}}, ""
		for _, r := range m.Grid().Rows {
			got += r.UID
		}
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if n, known := m.Count(); n != len(rows) || !known {
			t.Errorf("%d events, %v", n, known)
		}
	}
	if _, known := (Model{Table: table.Table{Columns: []table.Column{{Name: "Name"}}, Continue: "x"}}).Count(); known {
		t.Error("the number of events is known from their first chunk")
	}
	if _, known := (Model{}).Count(); known {
		t.Error("the number of events is known without a response")
	}
}
