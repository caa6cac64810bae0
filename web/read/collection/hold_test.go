package collection

import (
	"slices"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// What happens while the pointer is over the rows, and what the page shows and says then.
func TestRowsAreHeldUnderThePointer(t *testing.T) {
	row := func(name string) *table.Row { return &table.Row{UID: "uid-" + name, Name: name, ResourceVersion: name} }
	came := func(name string) wire.Event { return wire.Event{Type: watch.Added, Row: row(name)} }
	went := func(name string) wire.Event { return wire.Event{Type: watch.Deleted, Row: row(name)} }

	for what, c := range map[string]struct {
		filter string
		events []wire.Event
		names  []string // in the rows, struck out where one is gone
		back   int
	}{
		"nothing":                    {"", nil, []string{"m", "n"}, 0},
		"one comes":                  {"", []wire.Event{came("a")}, []string{"m", "n"}, 1},
		"one comes and goes":         {"", []wire.Event{came("a"), went("a")}, []string{"m", "n"}, 0},
		"one comes twice":            {"", []wire.Event{came("a"), went("a"), came("a")}, []string{"m", "n"}, 1},
		"one goes":                   {"", []wire.Event{went("m")}, []string{"-m", "n"}, 0},
		"one goes and comes back":    {"", []wire.Event{went("m"), came("m")}, []string{"m", "n"}, 0},
		"one that the filter stops":  {"m", []wire.Event{came("a")}, []string{"m"}, 0},
		"one that the filter passes": {"m", []wire.Event{came("am")}, []string{"m"}, 1},
	} {
		t.Run(what, func(t *testing.T) {
			var p page.Page = Model{Query: Query{Filter: c.filter}, Table: table.Table{Rows: []table.Row{*row("m"), *row("n")}}}
			p, _ = p.Awake(time.Time{})
			p, _ = p.Update(page.Pointed{Over: true})
			p, _ = p.Update(page.Received{Message: wire.Message{Type: wire.Events, Events: c.events}})
			l := p.(Model).live
			var names []string
			m := p.(Model)
			for _, r := range m.grid(m.laidOut()).Rows {
				if r.Gone {
					r.Name = "-" + r.Name
				}
				names = append(names, r.Name)
			}
			if !slices.Equal(names, c.names) || l.rows.Back() != c.back {
				t.Errorf("%q, %d held back; want %q, %d", names, l.rows.Back(), c.names, c.back)
			}
			p, _ = p.Update(page.Pointed{Over: false})
			if n := p.(Model).live.laidOut().shown; n != l.rows.Len() {
				t.Errorf("%d rows are shown once the pointer has left, want %d", n, l.rows.Len())
			}
		})
	}
}
