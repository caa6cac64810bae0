package timeline

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// claim is an entry of managedFields, last written at a second.
func claim(manager, operation string, second int, set string) string {
	return fmt.Sprintf(`{"manager":%q,"operation":%q,"apiVersion":"v1","time":%q,"fieldsType":"FieldsV1","fieldsV1":%s}`,
		manager, operation, start.Add(time.Duration(second)*time.Second).Format(time.RFC3339), set)
}

// version is the object in one version: its data and its entries.
type version struct {
	data    string
	entries []string
}

func (v version) object(t testing.TB, number int) object.Object {
	t.Helper()
	o, err := object.Parse(fmt.Appendf(nil, `{"apiVersion":"v1","data":%s,"metadata":{"uid":"u","resourceVersion":"%d","managedFields":[%s]}}`,
		v.data, number, strings.Join(v.entries, ",")))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// watched is the history of versions that came every ten seconds.
func watched(t testing.TB, versions ...version) *History {
	t.Helper()
	h := New(100)
	for i, v := range versions {
		if _, ok := h.Add(v.object(t, i+1), start.Add(time.Duration(10*i)*time.Second)); !ok {
			t.Fatalf("version %d is none", i+1)
		}
	}
	return h
}

func names(owners []ownership.Owner) string {
	var all []string
	for _, o := range owners {
		all = append(all, o.Name)
	}
	return strings.Join(all, "+")
}

// spell writes a step's changes as: what path old → new (owners → owners) by.
func spell(s Step) string {
	var all []string
	for _, c := range s.Changes {
		all = append(all, fmt.Sprintf("%s %s %s → %s (%s → %s) %s", c.What, c.Path, c.Old, c.New, names(c.Before), names(c.After), names(c.By)))
	}
	if s.Rewritten {
		all = append(all, "rewritten by "+names(s.Wrote))
	}
	return strings.Join(all, "; ")
}

func TestSteps(t *testing.T) {
	a := func(second int) string { return claim("a", "Apply", second, `{"f:data":{"f:x":{}}}`) }
	b := func(second int) string { return claim("b", "Update", second, `{"f:data":{"f:x":{}}}`) }
	items := func(second int) string {
		return claim("a", "Apply", second, `{"f:data":{"f:l":{"k:{\"n\":\"1\"}":{".":{},"f:n":{},"f:v":{}},"k:{\"n\":\"2\"}":{".":{},"f:n":{}}}}}`)
	}
	for _, c := range []struct {
		name          string
		before, after version
		want          string
	}{
		{"another value and owner", version{`{"x":1}`, []string{a(0)}}, version{`{"x":2}`, []string{b(9)}}, "changed .data.x 1 → 2 (a → b) b"},
		{
			"written in another API version, by its only claim",
			version{`{"hue":"red"}`, nil},
			version{`{"hue":"blue"}`, []string{strings.Replace(claim("a", "Apply", 9, `{"f:data":{"f:color":{}}}`), `"v1"`, `"v1beta1"`, 1), claim("b", "Apply", 9, `{"f:metadata":{"f:labels":{}}}`)}},
			`changed .data.hue "red" → "blue" ( → ) a`,
		},
		{"another value of nobody's", version{`{"y":"1"}`, nil}, version{`{"y":"2"}`, nil}, `changed .data.y "1" → "2" ( → ) `},
		{"added", version{`{}`, nil}, version{`{"x":{"y":[],"z":1}}`, []string{claim("a", "Apply", 9, `{"f:data":{"f:x":{"f:z":{}}}}`)}}, "added .data.x.y  → [] ( → ) ; added .data.x.z  → 1 ( → a) a"},
		{"removed, by who wrote", version{`{"x":1,"y":1}`, []string{a(0)}}, version{`{"y":1}`, []string{claim("a", "Apply", 9, `{"f:data":{"f:y":{}}}`)}}, "owner .data.y 1 → 1 ( → a) a; removed .data.x 1 →  (a → ) a"},
		{"shared", version{`{"x":1}`, []string{a(0)}}, version{`{"x":1}`, []string{a(0), b(9)}}, "owner .data.x 1 → 1 (a → a+b) b"},
		{"given up", version{`{"x":1}`, []string{a(0), b(0)}}, version{`{"x":1}`, []string{b(0), claim("a", "Apply", 9, `{}`)}}, "owner .data.x 1 → 1 (a+b → b) a"},
		{"written for nothing", version{`{"x":1}`, []string{a(0)}}, version{`{"x":1}`, []string{a(9)}}, "rewritten by a"},
		{"written for nothing, without a trace", version{`{"x":1}`, []string{a(0)}}, version{`{"x":1}`, []string{a(0)}}, "rewritten by "},
		{
			"items that change places",
			version{`{"l":[{"n":"1","v":1},{"n":"2"}]}`, []string{items(0)}},
			version{`{"l":[{"n":"2"},{"n":"1","v":2}]}`, []string{items(9)}},
			`changed .data.l[n="1"].v 1 → 2 (a → a) a`,
		},
		{
			"items that are called otherwise",
			version{`{"l":[{"n":"1","v":1}]}`, []string{claim("a", "Update", 0, `{"f:data":{"f:l":{}}}`)}},
			version{`{"l":[{"n":"1","v":1}]}`, []string{items(9)}},
			"owner .data.l [{\"n\":\"1\",\"v\":1}] → [{\"n\":\"1\",\"v\":1}] (a → ) a; owner .data.l[n=\"1\"] {\"n\":\"1\",\"v\":1} → {\"n\":\"1\",\"v\":1} (a → a) a; " +
				"owner .data.l[n=\"1\"].n \"1\" → \"1\" (a → a) a; owner .data.l[n=\"1\"].v 1 → 1 (a → a) a",
		},
		{
			"equal items",
			version{`{"l":["x","x","y"]}`, []string{claim("a", "Apply", 0, `{"f:data":{"f:l":{"v:\"x\"":{}}}}`)}},
			version{`{"l":["x"]}`, []string{claim("a", "Apply", 0, `{"f:data":{"f:l":{"v:\"x\"":{}}}}`)}},
			`removed .data.l[="x"] "x" →  (a → ) ; removed .data.l[="y"] "y" →  ( → ) `,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			steps := watched(t, c.before, c.after).Steps()
			if got := spell(steps[1]); got != c.want || !steps[0].First || steps[1].First {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// fight is two managers who set a field to values of their own, in turns.
func fight(second int, value string) version {
	by := "helm"
	if second%20 == 10 {
		by = "operator"
	}
	return version{`{"x":"` + value + `"}`, []string{claim(by, "Update", second, `{"f:data":{"f:x":{}}}`)}}
}

func spellFlips(h *History) string {
	var all []string
	for _, f := range h.Flips() {
		var managers []string
		for _, m := range f.Managers {
			managers = append(managers, m.Name)
		}
		all = append(all, fmt.Sprintf("%s %d× every %s: %s, %s", f.Path, f.Count, f.Period, strings.Join(managers, "+"), strings.Join(f.Values[:], " → ")))
	}
	return strings.Join(all, "; ")
}

func TestFlips(t *testing.T) {
	count := func(values ...string) []version {
		var all []version
		for i, v := range values {
			all = append(all, version{`{"x":` + v + `}`, []string{claim("one", "Update", 10*i, `{"f:data":{"f:x":{}}}`)}})
		}
		return all
	}
	there := func(second int) version {
		return version{`{"x":1}`, []string{claim("a", "Update", second, `{"f:data":{"f:x":{}}}`)}}
	}
	// apart is a field of a manager, and one of another whose path is written in the same way.
	apart := func(at, dotted, otherAt, nested int) version {
		return version{fmt.Sprintf(`{"x.y":%d,"x":{"y":%d}}`, dotted, nested), []string{
			claim("a", "Update", at, `{"f:data":{"f:x.y":{}}}`), claim("b", "Update", otherAt, `{"f:data":{"f:x":{"f:y":{}}}}`),
		}}
	}
	away := func(second int) version { return version{`{}`, []string{claim("b", "Update", second, `{}`)}} }
	for _, c := range []struct {
		name     string
		versions []version
		want     string
	}{
		{"nothing happens", count("1"), ""},
		{"there and not back", []version{fight(0, "a"), fight(10, "b")}, ""},
		{"there and back", []version{fight(0, "a"), fight(10, "b"), fight(20, "a")}, `.data.x 1× every 0s: operator+helm, "b" → "a"`},
		{"on and on", []version{fight(0, "a"), fight(10, "b"), fight(20, "a"), fight(30, "b"), fight(40, "a")}, `.data.x 3× every 20s: operator+helm, "b" → "a"`},
		{"each time something new", []version{fight(0, "a"), fight(10, "b"), fight(20, "c"), fight(30, "d")}, ""},
		{"one alone", count("1", "2", "1", "2"), ""},
		{"two fields with one path", []version{apart(0, 1, 0, 3), apart(10, 2, 0, 3), apart(10, 2, 20, 1)}, ""},
		{"made and removed", []version{there(0), away(10), there(20), away(30)}, ".data.x 1× every 0s: b+a, 1 → "},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := spellFlips(watched(t, c.versions...)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestHistoryIsBounded(t *testing.T) {
	h := New(3)
	var data, other []string
	for i := range maxTracks + 10 {
		data = append(data, fmt.Sprintf(`"k%d":1`, i))
		other = append(other, fmt.Sprintf(`"k%d":2`, i))
	}
	for i := range 6 {
		v := version{`{` + strings.Join(data, ",") + `}`, nil}
		if i%2 == 1 {
			v.data = `{` + strings.Join(other, ",") + `}`
		}
		h.Add(v.object(t, i), start.Add(time.Duration(i)*time.Second))
	}
	steps := h.Steps()
	if len(steps) != 3 || len(steps[0].Changes) != maxChanges || steps[0].More != maxTracks+10-maxChanges {
		t.Errorf("%d steps with %d changes and %d more", len(steps), len(steps[0].Changes), steps[0].More)
	}
	if len(h.tracks) > maxTracks {
		t.Errorf("%d fields are followed", len(h.tracks))
	}
}

func TestLongValuesBreakOff(t *testing.T) {
	h := watched(t, version{`{"x":""}`, nil}, version{`{"x":"` + strings.Repeat("ü", 300) + `"}`, nil})
	if c := h.Steps()[1].Changes[0]; len(c.New) > maxValue+len("…") || !strings.HasSuffix(c.New, "ü…") {
		t.Errorf("%d bytes: %s", len(c.New), c.New)
	}
}

func TestVersionsThatAreNone(t *testing.T) {
	h := New(10)
	first := version{`{"x":1}`, nil}.object(t, 1)
	h.Add(first, start)
	if _, ok := h.Add(first, start); ok || len(h.Steps()) != 1 {
		t.Error("the same version counts twice")
	}
	if step, ok := h.Add(version{`{"x":1}`, nil}.object(t, 2), start); !ok || !step.Rewritten || h.Rewrites() != 1 {
		t.Errorf("%+v", step)
	}
	other := version{`{"x":2}`, nil}.object(t, 3)
	other.Fields["metadata"].(map[string]any)["uid"] = "v"
	if step, ok := h.Add(other, start); !ok || !step.First || len(h.Steps()) != 1 || h.Rewrites() != 0 {
		t.Errorf("another object goes on: %+v", step)
	}
}

// TestRealFight follows what two managers did to an object of a real server, one of them by apply.
func TestRealFight(t *testing.T) {
	data, err := os.ReadFile("testdata/fight.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	h := New(100)
	var got []string
	i := 0
	for line := range bytes.Lines(data) {
		o, err := object.Parse(line)
		if err != nil {
			t.Fatal(err)
		}
		step, ok := h.Add(o, start.Add(time.Duration(i)*time.Second))
		if !ok {
			t.Fatal("not a version of its own")
		}
		got = append(got, spell(step))
		i++
	}
	want := []string{
		"",
		`changed .data.level "1" → "2" (git → operator) operator`,
		`changed .data.level "2" → "1" (operator → git) git`,
		`changed .data.level "1" → "2" (git → operator) operator`,
		`changed .data.level "2" → "1" (operator → git) git`,
		`added .data.own  → "x" ( → operator) operator`,
		`owner .data.kept "yes" → "yes" (git → other+git) other`,
		`owner .data.kept "yes" → "yes" (other+git → other) git`,
		`removed .data.own "x" →  (operator → ) `,
		`added .metadata.labels.swept  → "true" ( → cleaner) cleaner`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got, want := spellFlips(h), `.data.level 3× every 2s: operator+git, "2" → "1"`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// FuzzAdd: whatever the versions of an object hold, each step adds up.
func FuzzAdd(f *testing.F) {
	f.Add([]byte(`{"a":[1,1],"metadata":{"resourceVersion":"1"}}`), []byte(`{"a":[1,{}],"metadata":{"resourceVersion":"2"}}`))
	f.Add([]byte(`{"l":[{"n":1}],"metadata":{"managedFields":[{"fieldsV1":{"f:l":{"k:{\"n\":1}":{}}}}]}}`), []byte(`{"l":[],"metadata":1}`))
	f.Fuzz(func(t *testing.T, one, two []byte) {
		before, err := object.Parse(one)
		if err != nil || len(one)+len(two) > 1<<16 {
			return
		}
		after, err := object.Parse(two)
		if err != nil {
			return
		}
		h := New(2)
		h.Add(before, start)
		h.Add(after, start.Add(time.Second))
		h.Add(before, start.Add(2*time.Second))
		for _, s := range h.Steps() {
			if s.Rewritten && len(s.Changes) > 0 || s.More > 0 && len(s.Changes) < maxChanges {
				t.Errorf("%+v", s)
			}
		}
		h.Flips()
	})
}
