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
	for _, path := range u.Query()[web.ActPath] {
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
		if got := strings.Count(html, `name="path"`); got != c.want {
			t.Errorf("%s: %d boxes", name, got)
		}
	}
}
