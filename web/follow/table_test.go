package follow

import (
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

func row(name, version string) table.Row {
	return table.Row{UID: "uid-" + name, Name: name, ResourceVersion: version}
}

func names(rows []table.Row) (all string) {
	for _, r := range rows {
		all += r.Name
	}
	return all
}

// What comes to the rows, which rows are news, and which are fresh for a moment.
func TestTable(t *testing.T) {
	f := NewTable(table.Table{Rows: []table.Row{row("a", "1"), row("b", "1")}}, begin)
	event := func(kind watch.Type, r table.Row) wire.Message {
		return wire.Message{Type: wire.Events, Events: []wire.Event{{Type: kind, Row: &r}}}
	}
	for _, c := range []struct {
		m          wire.Message
		rows, news string
	}{
		{event(watch.Modified, row("a", "1")), "ab", ""}, // it was known
		{event(watch.Modified, row("a", "2")), "ab", "a"},
		{event(watch.Added, row("c", "1")), "abc", "c"},
		{event(watch.Deleted, row("b", "2")), "ac", ""},
		{wire.Message{Type: wire.Rows, Gen: 2, Rows: []table.Row{row("d", "1")}}, "acd", "d"},
		{wire.Message{Type: wire.Synced, Gen: 2}, "d", ""},
	} {
		if news := names(f.Hear(c.m)); news != c.news || names(f.Rows(0, 9)) != c.rows {
			t.Errorf("%+v: %s, news %s", c.m, names(f.Rows(0, 9)), news)
		}
	}
	f.Hear(event(watch.Modified, row("d", "2")))
	f.Hear(event(watch.Added, row("e", "1")))
	f.Hear(event(watch.Deleted, row("e", "1")))
	if _, kept := f.fresh["uid-e"]; kept {
		t.Error("a row that is gone stays marked")
	}
	if !f.Fresh("uid-d") {
		t.Error("a row that changed is not marked")
	}
	f.Tick(begin.Add(FreshFor + time.Millisecond))
	if f.Fresh("uid-d") {
		t.Error("a row stays marked")
	}
}

// Under the pointer no row comes, goes or moves.
func TestRowsThatAreHeld(t *testing.T) {
	f := NewTable(table.Table{Rows: []table.Row{row("a", "1"), row("b", "1")}}, begin)
	f.Hear(wire.Message{Type: wire.Synced, Gen: 1})
	f.Hold(true)
	gone, came := row("a", "2"), row("c", "1")
	f.Hear(wire.Message{Type: wire.Events, Events: []wire.Event{{Type: watch.Deleted, Row: &gone}, {Type: watch.Added, Row: &came}}})
	if names(f.Rows(0, 9)) != "ab" || f.Shown() != 2 || f.BackWords("new row", "new rows") != ", 1 new row held back while you point" {
		t.Errorf("%s, %d, %q", names(f.Rows(0, 9)), f.Shown(), f.BackWords("new row", "new rows"))
	}
	f.Hold(false)
	if names(f.Rows(0, 9)) != "bc" || f.Shown() != 2 || f.BackWords("new row", "new rows") != "" {
		t.Error(names(f.Rows(0, 9)))
	}
}
