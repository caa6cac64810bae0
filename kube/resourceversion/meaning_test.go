package resourceversion

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

var values = Values{Old: "10", Current: "20", Future: "900", Token: "t", Of: "15", Limit: 1}

func rowOf(t *testing.T, id string) Row {
	t.Helper()
	r, ok := Find(id)
	if !ok {
		t.Fatalf("there is no row %s", id)
	}
	return r
}

// What the documents have, word for word of their tables: a row's id, and what it means without a version, with 0, with another.
func TestTheTables(t *testing.T) {
	for id, want := range map[string]string{
		"get":                 "Most Recent|Any|Not older than",
		"list":                "Most Recent|Any|Not older than",
		"list-limit":          "Most Recent|Any|Exact",
		"list-continue":       "Continue Token, Exact|Continue Token, Exact|Invalid",
		"list-exact":          "Invalid|Invalid|Exact",
		"list-exact-limit":    "Invalid|Invalid|Exact",
		"list-notolder":       "Invalid|Any|Not older than",
		"list-notolder-limit": "Invalid|Any|Not older than",
		"watch":               "Get State and Start at Most Recent|Get State and Start at Any|Start at Exact",
	} {
		r := rowOf(t, id)
		if got := strings.Join([]string{string(r.In(Unset)), string(r.In(Zero)), string(r.In(Old))}, "|"); got != want || r.Silent {
			t.Errorf("%s: %s (silent: %v), want %s", id, got, r.Silent, want)
		}
		if r.In(Old) != r.In(Future) {
			t.Errorf("%s: the documents know one column for all versions but 0", id)
		}
	}
	documented := 0
	for _, r := range Rows {
		if !r.Silent {
			documented++
		}
	}
	if documented != 9 {
		t.Errorf("%d rows are documented", documented)
	}
}

func TestEveryCellCanBeChosenAndAsked(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Rows {
		choices := fmt.Sprintf("%q", Choices(r))
		for _, c := range Columns {
			if len(Allowed(r, c)) == 0 {
				t.Errorf("%s, %s: nothing is allowed", r.ID, c)
			}
			if note := Note(r, c); r.In(c) == Invalid && note == "" {
				t.Errorf("%s, %s: nothing is said of the refusal", r.ID, c)
			}
			if m := r.In(c); !strings.Contains(choices, fmt.Sprintf("%q", m)) {
				t.Errorf("%s, %s: %s is no choice", r.ID, c, m)
			}
			q := string(r.Verb) + "?" + r.Query(c, values).Encode()
			if seen[q] {
				t.Errorf("%s is asked twice", q)
			}
			seen[q] = true
			if why := values.Missing(r, c); why != "" {
				t.Errorf("%s, %s: %s", r.ID, c, why)
			}
		}
	}
}

func TestQueries(t *testing.T) {
	for cell, want := range map[string]string{
		"get unset":                   "",
		"get zero":                    "resourceVersion=0",
		"list-limit old":              "limit=1&resourceVersion=10",
		"list-continue unset":         "continue=t&limit=1",
		"list-exact-limit future":     "limit=1&resourceVersion=900&resourceVersionMatch=Exact",
		"watch current":               "resourceVersion=20&timeoutSeconds=2&watch=1",
		"watch-send-notolder unset":   "allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&sendInitialEvents=true&timeoutSeconds=2&watch=1",
		"watch-skip-notolder current": "allowWatchBookmarks=true&resourceVersion=20&resourceVersionMatch=NotOlderThan&sendInitialEvents=false&timeoutSeconds=2&watch=1",
	} {
		id, column, _ := strings.Cut(cell, " ")
		if got := rowOf(t, id).Query(Column(column), values).Encode(); got != want {
			t.Errorf("%s: %s, want %s", cell, got, want)
		}
	}
}

func TestMissing(t *testing.T) {
	var none Values
	for cell, want := range map[string]string{"list unset": "", "list zero": "", "list old": "no old version", "list-continue unset": "no token", "get future": "no future version"} {
		id, column, _ := strings.Cut(cell, " ")
		got := none.Missing(rowOf(t, id), Column(column))
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %q", cell, got)
		}
	}
}

func listOf(version string, items int, token string) string {
	all := make([]json.RawMessage, items)
	for i := range all {
		all[i] = json.RawMessage(`{}`)
	}
	body, _ := json.Marshal(map[string]any{"metadata": map[string]string{"resourceVersion": version, "continue": token}, "items": all})
	return string(body)
}

func no(code int) string { return fmt.Sprintf(`{"kind":"Status","code":%d,"message":"no"}`, code) }

func invalid(field string) string {
	return fmt.Sprintf(`{"kind":"Status","code":422,"reason":"Invalid","message":"no","details":{"causes":[{"reason":"FieldValueForbidden","message":"no","field":%q}]}}`, field)
}

const (
	future = `{"kind":"Status","code":500,"message":"etcdserver: mvcc: required revision is a future revision"}`

	added = `{"type":"ADDED","object":{"metadata":{"resourceVersion":"3"}}}` + "\n"
	end   = `{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"21","annotations":{"k8s.io/initial-events-end":"true"}}}}` + "\n"
)

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		cell    string
		code    int
		body    string
		class   Class
		agrees  bool
		differs string
	}{
		{"get unset", 200, `{"metadata":{"resourceVersion":"3"}}`, State, true, ""},
		{"get future", 504, no(504), Early, true, ""},
		{"get future", 200, `{"metadata":{"resourceVersion":"3"}}`, State, false, ""},
		{"list unset", 200, listOf("22", 5, ""), State, true, ""},
		{"list current", 200, listOf("20", 5, ""), Asked, true, ""},
		{"list current", 410, no(410), Gone, false, ""},
		{"list-limit zero", 200, listOf("22", 5, ""), State, true, "The server ignored the limit"},
		{"list-limit zero", 200, listOf("22", 1, "t"), State, true, ""},
		{"list-limit old", 200, listOf("10", 1, "t"), Asked, true, ""},
		{"list-limit old", 410, no(410), Gone, true, ""},
		{"list-limit old", 200, listOf("11", 1, "t"), State, false, ""},
		{"list-continue unset", 200, listOf("15", 1, "t"), OfToken, true, ""},
		{"list-continue unset", 200, listOf("22", 1, "t"), State, false, ""},
		{"list-continue old", 400, no(400), Rejected, true, ""},
		{"list-exact unset", 422, no(422), Rejected, true, "400 Bad Request"},
		{"list-exact unset", 200, listOf("22", 5, ""), State, false, ""},
		{"list-exact future", 504, no(504), Early, true, ""},
		{"list unset", 403, no(403), Refused, false, ""},
		{"list unset", 200, `nothing`, Unread, false, ""},
		{"watch unset", 200, added + added, Began, true, ""},
		{"watch unset", 200, "", Quiet, true, ""},
		{"watch current", 200, "", Quiet, true, ""},
		{"watch old", 200, added, Quiet, true, ""},
		{"watch old", 200, `{"type":"ERROR","object":` + no(410) + `}`, Gone, true, ""},
		{"watch old", 410, no(410), Gone, true, ""},
		{"watch future", 200, "", Quiet, true, "sends nothing"},
		{"watch-send-notolder unset", 200, added + end + added, Marked, true, ""},
		{"watch-send-notolder unset", 200, added, Began, false, ""},
		{"watch-send-notolder future", 200, `{"type":"ERROR","object":` + no(504) + `}`, Early, true, "The refusal is an event"},
		{"watch-exact old", 422, no(422), Rejected, true, "422"},
		// Servers without streaming lists, and those that read exact versions only from etcd.
		{"watch-send-notolder unset", 422, invalid("sendInitialEvents"), Unoffered, true, "doesn’t offer streaming lists"},
		{"watch-send-notolder future", 422, invalid("sendInitialEvents"), Unoffered, true, "doesn’t offer streaming lists"},
		{"watch-skip-notolder old", 422, invalid("sendInitialEvents"), Unoffered, true, "doesn’t offer streaming lists"},
		{"watch-skip-notolder old", 422, invalid("resourceVersionMatch"), Unoffered, true, "doesn’t offer streaming lists"},
		{"watch-skip-notolder old", 422, invalid("limit"), Rejected, false, "422"},
		{"watch-skip-notolder old", 400, no(400), Rejected, false, ""},
		{"watch-send old", 422, invalid("sendInitialEvents"), Rejected, true, "422"},
		{"watch-notolder old", 422, invalid("resourceVersionMatch"), Rejected, true, "422"},
		{"list-exact future", 500, future, Early, true, "etcd’s own error message"},
		{"list-limit future", 500, future, Early, true, "etcd’s own error message"},
		{"list-exact old", 500, future, Early, false, "etcd’s own error message"},
		{"list-exact future", 500, no(500), Refused, false, ""},
		{"watch unset", 200, "odd\n", Unread, false, ""},
	} {
		id, column, _ := strings.Cut(c.cell, " ")
		r := rowOf(t, id)
		j := Judge(r, Column(column), values, Read(r.Verb, c.code, []byte(c.body)))
		if j.Class != c.class || j.Agrees != c.agrees || c.differs == "" && j.Differs != "" || !strings.Contains(j.Differs, c.differs) {
			t.Errorf("%s, %d %.60s: %+v", c.cell, c.code, c.body, j)
		}
	}
}

func TestReadAWatch(t *testing.T) {
	a := Read(Watch, 200, []byte(added+added+end+added))
	if a.Items != 2 || a.Events != 4 || !a.Marked || a.Version != "21" {
		t.Errorf("%+v", a)
	}
}

// Whatever comes is of some class, and the class of a refusal is never that of a state.
func FuzzRead(f *testing.F) {
	f.Add(200, added+end)
	f.Add(410, no(410))
	f.Add(200, listOf("7", 2, "t"))
	f.Fuzz(func(t *testing.T, code int, body string) {
		for _, r := range Rows {
			a := Read(r.Verb, code, []byte(body))
			j := Judge(r, Old, values, a)
			if j.Class == "" || a.No != nil && (j.Class == State || j.Class == Asked || j.Class == Quiet) {
				t.Errorf("%s, %d %q: %+v", r.ID, code, body, j)
			}
		}
	})
}
