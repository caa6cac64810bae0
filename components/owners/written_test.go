package owners_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/kube/object"
)

func entry(name, fields string) string {
	return `{"manager":"` + name + `","operation":"Apply","apiVersion":"v1","time":"2026-11-21T11:00:00Z","fieldsType":"FieldsV1","fieldsV1":` + fields + `}`
}

func write(t *testing.T, entries ...string) *owners.Written {
	t.Helper()
	o, err := object.Parse([]byte(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","managedFields":[` + strings.Join(entries, ",") +
		`]},"data":{"x":"1","y":"2","z":"3\n4\n"}}`))
	if err != nil {
		t.Fatal(err)
	}
	w, err := owners.Write(o, nil)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestLinesSayWhoseTheyAre(t *testing.T) {
	w := write(t, entry("ada", `{"f:data":{".":{},"f:x":{},"f:z":{}}}`), entry("bob", `{"f:data":{"f:x":{},"f:y":{}}}`))
	var got []string
	var runs owners.Runs
	for i, r := range w.Rows {
		l := w.Line(i, runs.Begins(r))
		words := l.Path
		if l.Begins {
			words += " begins"
			for _, m := range l.Label {
				words += " " + m.Name
			}
		}
		got = append(got, fmt.Sprint(words, " ", l.Columns, ": ", l.Said))
	}
	want := `.apiVersion begins []: line 1, owned by nobody
.data begins ada [0]: line 2, owned by ada (Apply)
.data.x begins ada bob [0 1]: line 3, owned by ada (Apply) and bob (Apply)
.data.y begins bob [1]: line 4, owned by bob (Apply)
.data.z begins ada [0]: line 5, owned by ada (Apply)
 [0]: line 6, owned by ada (Apply)
 [0]: line 7, owned by ada (Apply)
.kind begins []: line 8, owned by nobody
.metadata []: line 9, owned by nobody, it only contains fields of others
.metadata.name []: line 10, owned by nobody`
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
	l := w.Line(3, true)
	if !strings.HasSuffix(l.Hint, "last wrote 2026-11-21 11:00:00 UTC") {
		t.Errorf("%q", l.Hint)
	}
	var holders []map[string]string
	if err := json.Unmarshal([]byte(l.Owners), &holders); err != nil || len(holders) != 1 || holders[0]["manager"] != "bob" || holders[0]["operation"] != "Apply" {
		t.Errorf("%s (%v)", l.Owners, err)
	}
}

func TestManyOwnersAreBounded(t *testing.T) {
	var entries []string
	for i := range 3 * owners.MostManagers {
		entries = append(entries, entry(fmt.Sprintf("m%04d", i), `{"f:data":{"f:x":{}}}`))
	}
	w := write(t, entries...)
	var holders []any
	l := w.Line(2, true)
	if err := json.Unmarshal([]byte(l.Owners), &holders); err != nil || len(holders) != owners.MostManagers {
		t.Errorf("%d in the line's data (%v)", len(holders), err)
	}
	if len(w.Shown()) != owners.MostManagers || len(l.Columns) != owners.MostManagers || len(l.Label) != owners.MostNamed {
		t.Errorf("%d columns, %d strips, %d names", len(w.Shown()), len(l.Columns), len(l.Label))
	}
	if want := fmt.Sprintf(" and %d other managers", 3*owners.MostManagers-owners.MostNamed); !strings.HasSuffix(l.Said, want) {
		t.Error(l.Said)
	}
}

// The people of the guide have the hues of its drawings, however they write, and nobody else has these beside them.
func TestPeopleKeepTheirHues(t *testing.T) {
	own := `{"f:data":{"f:x":{}}}`
	entries := []string{entry("ben", own), entry("caro", own), entry("ada", own), strings.Replace(entry("ben", own), "Apply", "Update", 1)}
	for i := range 5 {
		entries = append(entries, entry(fmt.Sprintf("program-%d", i), own))
	}
	people, hues := map[string]int{"ada": 1, "ben": 2, "caro": 3}, map[int]string{}
	for _, m := range write(t, entries...).Managers {
		want, person := people[m.Owner.Name]
		if person && m.Hue != want || !person && hues[m.Hue] != "" {
			t.Errorf("%s has hue %d, as %q", m.ID, m.Hue, hues[m.Hue])
		}
		if m.Again != (m.ID == "ben,Update") {
			t.Errorf("%s shares its hue: %v", m.ID, m.Again)
		}
		hues[m.Hue] = m.Owner.Name
	}
}
