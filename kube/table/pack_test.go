package table

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
)

func packedRows() Rows {
	return Rows{
		{
			UID: "u1", Namespace: "shop", Name: "web-1", ResourceVersion: "42", Created: time.Unix(1790000000, 0).UTC(),
			Labels: LabelsOf(map[string]string{"app": "web", "tier": "", "a/b": "x=y %20"}), Cells: []Cell{"web-1", "1/1", "", "Running"},
		},
		{UID: "u2", Name: `back\slash`, Deleting: true, Cells: []Cell{"tab\there", "line\nbreak", `\t \n \\`, `quote " <b> &amp; é \u2028`, "\\"}},
		{},
	}
}

func TestRowsReadBack(t *testing.T) {
	rows := packedRows()
	data, err := json.Marshal(rows)
	if err != nil {
		t.Fatal(err)
	}
	var got Rows
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	if !reflect.DeepEqual(got, rows) {
		t.Errorf("got  %#v\nwant %#v", got, rows)
	}
}

func TestMalformedRows(t *testing.T) {
	for _, text := range []string{`[]`, `{}`, `1`, `"a"`, `"a\tb\n"`, `"\\"`, `"a\\`, `"\t\t\t\tsoon\t\t\n"`} {
		var rows Rows
		if err := json.Unmarshal([]byte(text), &rows); err == nil {
			t.Errorf("%s was read as %#v", text, rows)
		}
	}
	var rows Rows
	if err := json.Unmarshal([]byte(`null`), &rows); err != nil || rows != nil {
		t.Errorf("null: %v, %v", rows, err)
	}
}

// FuzzRows: whatever stands in a row, it reads back; whatever is read, nothing panics.
func FuzzRows(f *testing.F) {
	f.Add("name", "cell\twith\\n", "key", "value", `"a\tb\n"`)
	f.Add(`\`, "\n\\\\", " ", "=", `"\\\\n"`)
	f.Fuzz(func(t *testing.T, name, cell, key, value, packed string) {
		var whatever Rows
		_ = whatever.UnmarshalJSON([]byte(packed))
		valid := func(s string) string { return strings.ToValidUTF8(s, "?") } // JSON has no other
		rows := Rows{{Name: valid(name), Labels: LabelsOf(map[string]string{valid(key): valid(value)}), Cells: []Cell{Cell(valid(cell)), ""}}}
		data, err := json.Marshal(rows)
		if err != nil {
			t.Fatal(err)
		}
		var got Rows
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatalf("%v: %s", err, data)
		}
		if !reflect.DeepEqual(got, rows) {
			t.Errorf("got  %#v\nwant %#v\nas %s", got, rows, data)
		}
	})
}

func BenchmarkRowsUnmarshal(b *testing.B) {
	var rows Rows
	for range 250 {
		rows = append(rows, packedRows()[0])
	}
	data, _ := json.Marshal(rows)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		var got Rows
		if err := json.Unmarshal(data, &got); err != nil {
			b.Fatal(err)
		}
	}
}

func TestLinesAreWhatRowsAreMadeOf(t *testing.T) {
	rows := Rows{
		{UID: "u1", Name: "a\tb", Cells: []Cell{`"<&>\`, "\n"}, Labels: LabelsOf(map[string]string{"k": "v w"})},
		{UID: "u2", Namespace: "n", Name: "b", ResourceVersion: "7", Deleting: true},
	}
	whole, err := json.Marshal(rows)
	if err != nil {
		t.Fatal(err)
	}
	if joined := `"` + rows[0].Line() + rows[1].Line() + `"`; joined != string(whole) {
		t.Errorf("%s, want %s", joined, whole)
	}
}

func TestARowAloneIsItsLine(t *testing.T) {
	for _, row := range packedRows() {
		data, err := json.Marshal(&row)
		if err != nil || string(data) != `"`+row.Line()+`"` {
			t.Fatalf("%s (%v)", data, err)
		}
		var got Row
		if err := json.Unmarshal(data, &got); err != nil || !reflect.DeepEqual(got, row) {
			t.Errorf("got  %#v (%v)\nwant %#v", got, err, row)
		}
	}
	line := packedRows()[0].Line()
	for _, text := range []string{`7`, `{}`, `""`, `"a"`, `"` + line + line + `"`, `"` + line + `x"`} {
		var r Row
		if err := json.Unmarshal([]byte(text), &r); err == nil {
			t.Errorf("%s is read as %+v", text, r)
		}
	}
}
