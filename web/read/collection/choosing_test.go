package collection

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/components/golden"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

func patchable(m *Model) { m.Type.Verbs = append(m.Type.Verbs, "get", "patch") }

// picks are the names of the objects that the link to the acts has.
func picks(t *testing.T, m Model) string {
	t.Helper()
	u, err := url.Parse(m.acting())
	if err != nil || !strings.HasSuffix(u.Path, "/-/act") {
		t.Fatalf("%q: %v", m.acting(), err)
	}
	var names []string
	for _, path := range web.ActedOn(u.Query()) {
		names = append(names, path[strings.LastIndex(path, "/")+1:])
	}
	return strings.Join(names, " ")
}

func TestChoosesRows(t *testing.T) {
	m, _ := awake(t, "/api/v1/namespaces/shop/pods", "", patchable)
	send(&m, happened(watch.Added, newRow("x", "11"), newRow("y", "12"), newRow("z", "13")))
	for _, step := range []struct {
		what, want string
		msg        page.Msg
	}{
		{"a box", "y", page.Typed{Field: chosenField, Text: "u-y"}},
		{"a second box", "y x", page.Typed{Field: chosenField, Text: "u-x"}},
		{"a row that doesn’t exist", "y x", page.Typed{Field: chosenField, Text: "nosuch"}},
		{"the box again", "x", page.Typed{Field: chosenField, Text: "u-y"}},
		{"a row is deleted", "", happened(watch.Deleted, newRow("x", "14"))},
		{"another", "z", page.Typed{Field: chosenField, Text: "u-z"}},
		{"none", "", page.Acted{Action: doChooseNone}},
	} {
		send(&m, step.msg)
		if got := picks(t, m); got != step.want {
			t.Errorf("after %s: %q, want %q", step.what, got, step.want)
		}
	}
}

func TestKeyChoosesTheCursorsRow(t *testing.T) {
	m, _ := awake(t, "/api/v1/namespaces/shop/pods", "", patchable)
	send(&m, page.Pressed{Key: "g"})
	commands := send(&m, page.Pressed{Key: "x"})
	if !m.Query.Choosing || picks(t, m) != shown(m)[:len(picks(t, m))] || picks(t, m) == "" {
		t.Errorf("%v, %q of %q", m.Query.Choosing, picks(t, m), shown(m))
	}
	if len(commands) != 2 || !strings.Contains(fmt.Sprint(commands[0]), "choose=1") {
		t.Errorf("%v", commands)
	}
	send(&m, page.Pressed{Key: "x"})
	if picks(t, m) != "" || !m.Query.Choosing {
		t.Errorf("the second x leaves %q", picks(t, m))
	}
	send(&m, page.Pressed{Key: "x"}, page.Addressed{Query: url.Values{}})
	if picks(t, m) != "" || m.Query.Choosing {
		t.Errorf("without the mode, %q is chosen", picks(t, m))
	}
}

func TestChoosingIsBounded(t *testing.T) {
	m, _ := awake(t, "/api/v1/namespaces/shop/pods", "choose=1", patchable)
	for i := range web.MostActedOn + 3 {
		name := fmt.Sprintf("n%03d", i)
		send(&m, happened(watch.Added, newRow(name, fmt.Sprint(20+i))), page.Typed{Field: chosenField, Text: "u-" + name})
	}
	if got := len(m.chosen()); got != web.MostActedOn {
		t.Errorf("%d are chosen", got)
	}
	if html := golden.Render(t, page.Main(m)); !strings.Contains(html, "disabled") {
		t.Error("a box that chooses nothing isn’t disabled")
	}
	if !strings.HasPrefix(m.chosenWords(), "No more") {
		t.Errorf("%q", m.chosenWords())
	}
}

// All rows that the filter shows, also those that aren't in the document, up to the bound. What is left out is told.
func TestChoosesAllRows(t *testing.T) {
	m, _ := awake(t, "/api/v1/namespaces/shop/pods", "choose=1", patchable)
	for i := range 300 {
		send(&m, happened(watch.Added, newRow(fmt.Sprintf("a%03d", i), fmt.Sprint(20+i)), newRow(fmt.Sprintf("b%03d", i), fmt.Sprint(400+i))))
	}
	all := page.Typed{Field: allField, Text: "all"}
	send(&m, page.Typed{Field: "filter", Text: "a1"}, all)
	if got := len(m.chosen()); got != m.live.rows.Len() || !m.allChosen() || got < 100 || len(m.laidOut().rows) >= got {
		t.Errorf("%d of %d rows are chosen, %d are in the document", got, m.live.rows.Len(), len(m.laidOut().rows))
	}
	if names := picks(t, m); !strings.HasPrefix(names, "a100 a101 a102") {
		t.Errorf("%.40s", names)
	}
	send(&m, all)
	if len(m.chosen()) != 0 {
		t.Errorf("%d are chosen after the second click", len(m.chosen()))
	}
	send(&m, page.Typed{Field: "filter", Text: ""}, all)
	left := m.live.rows.Len() - web.MostActedOn
	if want := fmt.Sprintf("No more than 500 objects at once. %d rows are left out.", left); len(m.chosen()) != web.MostActedOn || m.chosenWords() != want || !m.allChosen() {
		t.Errorf("%d are chosen: %q", len(m.chosen()), m.chosenWords())
	}
	if address := m.acting(); len(address) > 8<<10 {
		t.Errorf("the address has %d bytes", len(address))
	}
	send(&m, page.Typed{Field: chosenField, Text: "u-a000"})
	if m.allChosen() || strings.Contains(m.chosenWords(), "left out") {
		t.Errorf("without one: %q", m.chosenWords())
	}
}

func TestChoosesRanges(t *testing.T) {
	for name, c := range map[string]struct {
		steps []page.Msg
		want  string
	}{
		"down":                     {[]page.Msg{page.Typed{Field: chosenField, Text: "u-b"}, page.Typed{Field: rangeField, Text: "u-d"}}, "b c d"},
		"up":                       {[]page.Msg{page.Typed{Field: chosenField, Text: "u-d"}, page.Typed{Field: rangeField, Text: "u-b"}}, "d b c"},
		"on from there":            {[]page.Msg{page.Typed{Field: chosenField, Text: "u-a"}, page.Typed{Field: rangeField, Text: "u-b"}, page.Typed{Field: rangeField, Text: "u-d"}}, "a b c d"},
		"chosen twice":             {[]page.Msg{page.Typed{Field: chosenField, Text: "u-c"}, page.Typed{Field: rangeField, Text: "u-c"}}, "c"},
		"without a beginning":      {[]page.Msg{page.Typed{Field: rangeField, Text: "u-c"}}, "c"},
		"a row that doesn’t exist": {[]page.Msg{page.Typed{Field: chosenField, Text: "u-b"}, page.Typed{Field: rangeField, Text: "nosuch"}}, "b"},
		"its beginning is deleted": {[]page.Msg{page.Typed{Field: chosenField, Text: "u-b"}, happened(watch.Deleted, newRow("b", "30")), page.Typed{Field: rangeField, Text: "u-d"}}, "d"},
		"keys":                     {[]page.Msg{page.Focused{ID: "row-u-a"}, page.Pressed{Key: "x"}, page.Pressed{Key: "j"}, page.Pressed{Key: "j"}, page.Pressed{Key: "X"}}, "a b c"},
	} {
		m, _ := awake(t, "/api/v1/namespaces/shop/pods", "choose=1&filter=row", patchable)
		for i, name := range []string{"a", "b", "c", "d", "e"} {
			r := newRow(name, fmt.Sprint(11+i))
			r.Cells[1] = "row"
			send(&m, happened(watch.Added, r))
		}
		for _, msg := range c.steps {
			send(&m, msg)
		}
		if got := picks(t, m); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// Without scripts, one form takes the boxes, and another one all rows.
func TestFormsChooseWithoutScripts(t *testing.T) {
	m := pageOf(t, "/api/v1/pods", "choose=1")
	patchable(&m)
	m.Table.Rows = []table.Row{newRow("a", "1"), newRow("b", "2")}
	html := golden.Render(t, page.Main(m))
	for _, want := range []string{`name="in" value="/api/v1/pods"`, `name="objects" value="shop/a shop/b"`, "Act on all 2 rows…"} {
		if !strings.Contains(html, want) {
			t.Errorf("%s is missing", want)
		}
	}
	if many := m.allWords(make([]table.Row, 700)); many != "the first 500 of 700 rows" {
		t.Errorf("%q", many)
	}
}

func TestRowsHaveBoxesOnlyIfThereAreActs(t *testing.T) {
	for name, c := range map[string]struct {
		query string
		verbs []string
		want  int
	}{
		"choosing": {"choose=1", []string{"get", "list", "patch"}, 2}, "not choosing": {"", []string{"get", "list", "patch"}, 0},
		"only read": {"choose=1", []string{"get", "list"}, 0},
	} {
		m := pageOf(t, "/api/v1/namespaces/shop/pods", c.query)
		m.Type.Verbs = c.verbs
		m.Table.Rows = []table.Row{newRow("a", "1"), newRow("b", "2")}
		html := golden.Render(t, page.Main(m))
		if got := strings.Count(html, `form="acts-on" name="objects"`); got != c.want {
			t.Errorf("%s: %d boxes", name, got)
		}
	}
}
