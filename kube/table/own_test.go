package table

import (
	"strings"
	"testing"
	"time"
)

func ownRows(texts ...string) (rows []Row) {
	for _, text := range texts {
		r := Row{UID: text, Name: text, Labels: LabelsOf(map[string]string{"size": text})}
		if text != "unread" {
			r.Values = &Values{Names: []string{".spec.size"}, Texts: []string{strings.TrimPrefix(text, "absent")}}
		}
		rows = append(rows, r)
	}
	return rows
}

func TestColumnsOfTheReaderAreSorted(t *testing.T) {
	for _, c := range []struct{ rows, up, down string }{
		{"10 unread 9 absent b", "9 10 b unread absent", "b 10 9 unread absent"},
		{"2026-11-21T12:00:00Z absent 2025-01-01T00:00:00+01:00 2026-11-21T11:00:00Z", "2026-11-21T12:00:00Z 2026-11-21T11:00:00Z 2025-01-01T00:00:00+01:00 absent", "2025-01-01T00:00:00+01:00 2026-11-21T11:00:00Z 2026-11-21T12:00:00Z absent"},
		{"5m 30s 1h", "30s 5m 1h", "1h 5m 30s"},
	} {
		for order, want := range map[Order]string{{Column: ".spec.size"}: c.up, {Column: ".spec.size", Descending: true}: c.down} {
			sortsTo(t, Column{Name: ".spec.size", Own: Own{Value: 1}}, order, c.rows, want)
		}
	}
	sortsTo(t, Column{Name: ".spec.size", Own: Own{Value: 1, Quantity: true}}, Order{Column: ".spec.size"}, "1 500m 1Gi 2k absent", "500m 1 2k 1Gi absent")
	sortsTo(t, Column{Name: "label:size", Own: Own{Label: "size"}}, Order{Column: "label:size"}, "b a unread", "a b unread")
	sortsTo(t, Column{Name: "Other", Own: Own{Value: 2}}, Order{Column: "Other"}, "b a", "b a")
}

// sortsTo sorts rows at once, and in a store, where rows without an order follow their names.
func sortsTo(t *testing.T, c Column, o Order, rows, want string) {
	t.Helper()
	table := Table{Columns: []Column{{Name: "Name"}, c}, Rows: ownRows(strings.Fields(rows)...)}
	table.Sort(table.Rows, o)
	var got []string
	for _, r := range table.Rows {
		got = append(got, r.Name)
	}
	if strings.Join(got, " ") != want {
		t.Errorf("%v of %s: %v, want %s", o, rows, got, want)
	}
	s := NewStore(table.Columns)
	s.Fill(table.Rows)
	s.Arrange(o, "")
	keyed := table.key(o)
	for i, r := range s.Window(0, 9) {
		if one := table.Rows[i]; keyed(&r).compare(keyed(&one)) != 0 {
			t.Errorf("%v of %s in a store: %s at %d", o, rows, r.Name, i)
		}
	}
}

func TestFilterFindsValues(t *testing.T) {
	rows := ownRows("10", "9", "unread")
	if got := Filter(rows, ".SPEC.size=1"); len(got) != 1 || got[0].Name != "10" {
		t.Errorf("%v", got)
	}
}

func TestSince(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{"2026-11-21T11:00:00Z": "60m", "2026-11-24T12:00:00Z": "in 3d", "2026-11-21T12:00:00Z": "0s"} {
		if at, ok := Moment(text); !ok || Since(at, now) != want {
			t.Errorf("%s: %s, %v", text, Since(at, now), ok)
		}
	}
	for _, text := range []string{"", "10", "2026-11-21", "not-a-time-but-as-long"} {
		if _, ok := Moment(text); ok {
			t.Errorf("%q is a time", text)
		}
	}
}
