package check

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// folder is a check of so many new objects, one in conflict and one that can't be read.
func folder(t *testing.T, created int) *bench {
	t.Helper()
	b := begin(t, Model{Options: Options{Manager: "ada"}}, practice)
	b.does(page.Choosing{Field: FieldFolder, Files: created + 2})
	for i := range created {
		b.does(load(fmt.Sprintf("app/new-%d.yaml", i), configMap(fmt.Sprintf("new-%d", i), "1")))
	}
	b.does(load("app/held.yaml", configMap("held", "2")), load("app/wrong.yaml", "apiVersion: v1\nkind: [\n"))
	return b
}

// lines are the rows of the table: the heads, and the places of findings.
func (b *bench) lines() []string {
	var all []string
	rows, _ := b.m.rows(0, -1)
	for _, r := range rows {
		if r.isHead() {
			all = append(all, "["+string(r.head.kind)+" "+r.head.about()+"]")
		} else {
			all = append(all, r.place())
		}
	}
	return all
}

func TestFindingsAreGroupedByWhatIsWrong(t *testing.T) {
	for name, c := range map[string]struct {
		created int
		want    []string
	}{
		"few new objects": {2, []string{
			"[invalid The API server refuses the manifest · 1]", "app/wrong.yaml:2", "[conflict Another manager owns the field · 1]", "app/held.yaml:6",
			"[created 2 new objects: 2 ConfigMap]", "app/new-0.yaml:2", "app/new-1.yaml:2",
		}},
		"many new objects": {30, []string{
			"[invalid The API server refuses the manifest · 1]", "app/wrong.yaml:2", "[conflict Another manager owns the field · 1]", "app/held.yaml:6",
			"[created 30 new objects: 30 ConfigMap]",
		}},
	} {
		if got := folder(t, c.created).lines(); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s:\n%q\nnot\n%q", name, got, c.want)
		}
	}
}

func TestAGroupIsFoldedAndUnfolded(t *testing.T) {
	b := folder(t, 30)
	b.does(page.Acted{Action: doGroup + " created"})
	if got := b.lines(); len(got) != 5+30 {
		t.Errorf("unfolded: %q", got)
	}
	b.does(page.Acted{Action: doGroup + " created"}, page.Acted{Action: doGroup + " invalid"}, page.Acted{Action: doGroup + " nonsense"})
	if got := b.lines(); len(got) != 4 {
		t.Errorf("folded: %q", got)
	}
	html := b.shows()
	for _, want := range []string{"The API server refuses the manifest, or ignores a field of it.", "wrong.yaml:2"} {
		if !strings.Contains(html, want) {
			t.Errorf("the panel doesn't say %q", want)
		}
	}
}

func TestThePanelIsNotEmpty(t *testing.T) {
	b := folder(t, 30)
	shown := func() string {
		if c := b.m.live.chosen; c.doc != nil {
			return c.place()
		} else if c.group {
			return string(c.kind)
		}
		return "the summary"
	}
	if got := shown(); got != "app/wrong.yaml:2" {
		t.Errorf("at the end it shows %s", got)
	}
	for _, step := range [][2]string{
		{"j", "app/held.yaml:6"}, {"j", "created"}, {"j", "created"}, {"k", "app/held.yaml:6"}, {"g", "app/wrong.yaml:2"}, {"G", "created"}, {"Escape", "the summary"},
	} {
		b.does(page.Pressed{Key: step[0]})
		if got := shown(); got != step[1] {
			t.Errorf("%s: it shows %s, not %s", step[0], got, step[1])
		}
	}
	if html := b.shows(); !strings.Contains(html, "kubectl fieldmark check") || strings.Contains(html, "doClose") {
		t.Errorf("the summary: %s", html)
	}
	b.does(page.Addressed{Query: map[string][]string{QueryFinding: {"conflict"}}})
	if got := shown(); got != "the summary" {
		t.Errorf("the reader closed the panel, and it shows %s", got)
	}
	b = folder(t, 1)
	b.does(page.Addressed{Query: map[string][]string{QueryFinding: {"conflict"}}})
	if got := shown(); got != "app/held.yaml:6" {
		t.Errorf("of conflicts alone it shows %s", got)
	}
}

func TestEachKindHasAGroup(t *testing.T) {
	kinds := order()
	if len(kinds) != len(check.Kinds()) || kinds[0] != check.Invalid || kinds[1] != check.Conflict {
		t.Errorf("%v", kinds)
	}
}

func TestReasonsInRows(t *testing.T) {
	for _, c := range []struct {
		f    check.Finding
		want string
	}{
		{check.Finding{Kind: check.Invalid, Path: ".dota", Stated: []byte("1"), Why: "failed to create typed patch object (shop/a; v1, Kind=ConfigMap): .dota: field not declared in schema"}, ".dota: field not declared in schema"},
		{check.Finding{Kind: check.Invalid, Path: ".spec.x", Why: "Required value."}, ".spec.x: Required value."},
		{check.Finding{Kind: check.Unserved, Why: "No API server serves it."}, "No API server serves it."},
		{check.Finding{Kind: check.Conflict, Path: ".spec.x", Why: "Another manager owns it."}, ""},
	} {
		if got, is := reasonOf(c.f); got != c.want || is != (c.want != "") {
			t.Errorf("%s: %q", c.f.Why, got)
		}
	}
}
