package table

import (
	"cmp"
	"encoding/json"
	"slices"
	"testing"
	"testing/quick"
	"time"
)

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

const printed = `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"42","continue":"tok","remainingItemCount":7},
"columnDefinitions":[{"name":"Name","type":"string","format":"name","priority":0},{"name":"Restarts","type":"integer","priority":0},{"name":"Age","type":"string","priority":0},{"name":"IP","type":"string","priority":1}],
"rows":[{"cells":["web-10",3,"5m",null],"object":{"kind":"PartialObjectMetadata","metadata":{"name":"web-10","namespace":"shop","uid":"u1","resourceVersion":"9","creationTimestamp":"2026-11-21T11:55:00Z","labels":{"app":"web"}}}},
{"cells":["web-2",12,"2d",{"a":1}],"object":{"metadata":{"name":"web-2","namespace":"shop","uid":"u2","resourceVersion":"8","creationTimestamp":"2026-11-19T12:00:00Z","deletionTimestamp":"2026-11-21T12:00:00Z"}}}]}`

func TestParsePrintedTable(t *testing.T) {
	got, err := Parse([]byte(printed), now)
	if err != nil {
		t.Fatal(err)
	}
	if !got.Printed || got.ResourceVersion != "42" || got.Continue != "tok" || *got.Remaining != 7 {
		t.Errorf("list metadata: %+v", got)
	}
	if r := got.Rows[0]; r.UID != "u1" || r.Cell(1) != "3" || r.Cell(3) != "" || r.Cell(99) != "" || r.Labels.Get("app") != "web" || r.Deleting {
		t.Errorf("first row: %+v", r)
	}
	if r := got.Rows[1]; !r.Deleting || r.Cell(3) != `{"a":1}` {
		t.Errorf("second row: %+v", r)
	}
	if v := got.Visible(false); !slices.Equal(v, []int{0, 1, 2}) {
		t.Errorf("usual columns: %v", v)
	}
	if v := got.Visible(true); len(v) != 4 || !got.Wide() {
		t.Errorf("wide columns: %v", v)
	}
}

func TestParseServerWithoutTables(t *testing.T) {
	got, err := Parse([]byte(`{"kind":"WidgetList","metadata":{"resourceVersion":"1"},"items":[{"metadata":{"name":"a","creationTimestamp":"2026-11-21T11:00:00Z"}},{"metadata":{"name":"b"}}]}`), now)
	if err != nil {
		t.Fatal(err)
	}
	if got.Printed || len(got.Columns) != 2 || got.Rows[0].Cell(1) != "60m" || got.Rows[1].Cell(1) != "<unknown>" {
		t.Errorf("%+v", got)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{``, `[]`, `{}`, `{"kind":"Pod"}`, `{"kind":"Table","rows":3}`} {
		if _, err := Parse([]byte(text), now); err == nil {
			t.Errorf("Parse(%q) gave no error", text)
		}
	}
}

func TestAge(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"<invalid>": -5 * time.Second,
		"0s":        -time.Millisecond,
		"119s":      119 * time.Second,
		"2m":        2 * time.Minute,
		"9m59s":     9*time.Minute + 59*time.Second,
		"10m":       10*time.Minute + 30*time.Second,
		"179m":      179 * time.Minute,
		"3h":        3 * time.Hour,
		"7h59m":     7*time.Hour + 59*time.Minute,
		"8h":        8*time.Hour + 59*time.Minute,
		"47h":       47 * time.Hour,
		"2d":        48 * time.Hour,
		"7d23h":     7*day + 23*time.Hour,
		"8d":        8*day + time.Hour,
		"729d":      729 * day,
		"2y":        730 * day,
		"2y1d":      731 * day,
		"9y":        9*year + 40*day,
	} {
		if got := Duration(d); got != want {
			t.Errorf("Duration(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestParseAgeReadsWhatDurationWords(t *testing.T) {
	same := func(seconds uint32) bool {
		text := Duration(time.Duration(seconds) * time.Second)
		d, ok := ParseAge(text)
		return ok && Duration(d) == text
	}
	if err := quick.Check(same, nil); err != nil {
		t.Error(err)
	}
	for _, text := range []string{"", "5", "m", "5x", "5m3", "1/1", "-5m", "99999999999999999999s"} {
		if _, ok := ParseAge(text); ok {
			t.Errorf("ParseAge(%q) accepted", text)
		}
	}
}

func TestSort(t *testing.T) {
	tab, err := Parse([]byte(printed), now)
	if err != nil {
		t.Fatal(err)
	}
	for order, first := range map[string]string{
		"": "web-10", "Name": "web-2", "-Name": "web-10", "name": "web-2",
		"Restarts": "web-10", "-Restarts": "web-2",
		"Age": "web-10", "-Age": "web-2",
		"IP": "web-2", "nonsense": "web-10", "Namespace": "web-10",
	} {
		rows := slices.Clone(tab.Rows)
		tab.Sort(rows, ParseOrder(order))
		if rows[0].Name != first {
			t.Errorf("sorted by %q: first is %s, want %s", order, rows[0].Name, first)
		}
	}
}

func TestNatural(t *testing.T) {
	want := []string{"", "1", "01", "2", "10", "a", "A1", "a2", "a2b", "a10", "b"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortStableFunc(got, Natural)
	want = []string{"", "01", "1", "2", "10", "a", "A1", "a2", "a2b", "a10", "b"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNaturalIsAnOrder(t *testing.T) {
	antisymmetric := func(a, b string) bool { return Natural(a, b) == -Natural(b, a) }
	if err := quick.Check(antisymmetric, nil); err != nil {
		t.Error(err)
	}
}

func TestFilter(t *testing.T) {
	tab, err := Parse([]byte(printed), now)
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]int{
		"": 2, "web": 2, "WEB-10": 1, "shop web-2": 1, "app=web": 1, "12": 1, "nothing": 0, "web nothing": 0,
	} {
		if got := len(Filter(tab.Rows, query)); got != want {
			t.Errorf("filter %q keeps %d rows, want %d", query, got, want)
		}
	}
}

func TestOrderNotation(t *testing.T) {
	for _, text := range []string{"", "Name", "-Age"} {
		if got := ParseOrder(text).String(); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(printed))
	f.Add([]byte(`{"kind":"List","items":[{}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		tab, err := Parse(data, now)
		if err != nil {
			return
		}
		for _, c := range tab.Columns {
			tab.Sort(slices.Clone(tab.Rows), Order{Column: c.Name})
		}
		if _, err := json.Marshal(tab); err != nil {
			t.Errorf("the table cannot be embedded: %v", err)
		}
	})
}

// FuzzNatural: to skip what two texts have in common changes nothing.
func FuzzNatural(f *testing.F) {
	f.Add("web-10", "web-9")
	f.Add("a01", "a1")
	f.Add("A1b", "a1B")
	f.Fuzz(func(t *testing.T, a, b string) {
		if got, want := Natural(a, b), naturalStepByStep(a, b); got != want {
			t.Errorf("%q, %q: %d, want %d", a, b, got, want)
		}
		if Natural(a, b) != -Natural(b, a) {
			t.Errorf("%q and %q each come before the other", a, b)
		}
	})
}

func naturalStepByStep(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		var c int
		if c, x, y = naturalStep(x, y); c != 0 {
			return c
		}
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(a, b))
}
