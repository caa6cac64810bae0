package owners_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
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
.metadata []: line 9, no owner, but its fields have owners
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
		entries = append(entries, entry(fmt.Sprintf("m-%04d", i), `{"f:data":{"f:x":{}}}`))
	}
	w := write(t, entries...)
	var holders []any
	l := w.Line(2, true)
	if err := json.Unmarshal([]byte(l.Owners), &holders); err != nil || len(holders) != owners.MostManagers {
		t.Errorf("%d in the line's data (%v)", len(holders), err)
	}
	if len(w.Shown()) != owners.MostManagers || len(l.Columns) != owners.MostManagers || len(l.Label) != manager.MostNamed || l.More != 3*owners.MostManagers-manager.MostNamed {
		t.Errorf("%d columns, %d strips, %d names", len(w.Shown()), len(l.Columns), len(l.Label))
	}
	if want := fmt.Sprintf(" and %[1]d more (%[2]d of them are named like m-*)", 3*owners.MostManagers-manager.MostNamed, 3*owners.MostManagers); !strings.HasSuffix(l.Said, want) {
		t.Error(l.Said)
	}
}

// The people of the guide have the hues of its drawings, however they write. If another manager has the same hue, it has a mark.
func TestPeopleKeepTheirHues(t *testing.T) {
	own := `{"f:data":{"f:x":{}}}`
	entries := []string{entry("ben", own), entry("caro", own), entry("ada", own), strings.Replace(entry("ben", own), "Apply", "Update", 1)}
	for i := range 20 {
		entries = append(entries, entry(fmt.Sprintf("program-%d", i), own))
	}
	people, seen := map[string]int{"ada": 1, "ben": 2, "caro": 3}, map[string]string{}
	for _, m := range write(t, entries...).Managers {
		if want := people[m.Owner.Name]; want > 0 && m.Hue != want {
			t.Errorf("%s has hue %d", m.ID, m.Hue)
		}
		look := fmt.Sprint(m.Hue, m.Mark)
		if seen[look] != "" && m.Mark < components.Marks {
			t.Errorf("%s looks like %s", m.ID, seen[look])
		}
		seen[look] = m.ID
	}
}

// A manager's hue follows from its name: it is the same beside any other managers, and the mark tells namesakes apart.
func TestAHueIsTheManagersOwn(t *testing.T) {
	hues := map[string]int{}
	for i := range 60 {
		name := fmt.Sprintf("manager-%d", i)
		hues[name] = owners.Plain(ownership.Manager{Name: name}).Hue
	}
	for name, hue := range hues {
		var all []ownership.Manager
		for other := range hues {
			all = append(all, ownership.Manager{Name: other, Operation: "Apply"})
		}
		if got := owners.FacesOf(all).Of(ownership.Manager{Name: name, Operation: "Apply"}); got.Hue != hue {
			t.Errorf("%s has hue %d beside others, and %d alone", name, got.Hue, hue)
		}
	}
	marks := owners.FacesOf([]ownership.Manager{{Name: "a", Operation: "Update"}, {Name: "a", Operation: "Apply"}, {Name: "a", Operation: "Update", Subresource: "status"}})
	for how, want := range map[ownership.Manager]int{{Name: "a", Operation: "Apply"}: 0, {Name: "a", Operation: "Update"}: 1, {Name: "a", Operation: "Update", Subresource: "status"}: 2} {
		if got := marks.Of(how).Mark; got != want {
			t.Errorf("%s has mark %d, want %d", how.Words(), got, want)
		}
	}
}

// Managers that often own fields of the same object have different hues.
func TestManagersThatMeetHaveDifferentHues(t *testing.T) {
	for _, together := range [][]string{
		{"kubectl-client-side-apply", "kube-controller-manager", "kubectl-scale", "kubectl-edit"},
		{"kubectl-create", "kube-controller-manager", "kubectl-scale", "kubectl-edit", "kubectl-set"},
		{"helm", "kube-controller-manager", "kubectl-client-side-apply", "kubectl-scale", "kubectl-edit"},
		{"argocd-controller", "kube-controller-manager", "kubectl-client-side-apply", "helm"},
		{"kustomize-controller", "kube-controller-manager", "before-first-apply", "kubectl-client-side-apply"},
		{"kube-controller-manager", "kubelet", "kube-scheduler"},
		{"ada", "ben", "caro", "fieldmark"},
	} {
		seen := map[int]string{}
		for _, name := range together {
			hue := owners.Plain(ownership.Manager{Name: name}).Hue
			if seen[hue] != "" {
				t.Errorf("%s and %s have hue %d", name, seen[hue], hue)
			}
			seen[hue] = name
		}
	}
}

func TestInitialsDifferWithinAView(t *testing.T) {
	for _, c := range []struct{ names, want []string }{
		{[]string{"kube-controller-manager", "kubectl-create", "kubectl-client-side-apply"}, []string{"KC", "Ku", "KA"}},
		{[]string{"kubectl", "kubelet"}, []string{"Ku", "Kb"}},
		{[]string{"ada", "Ada", "ADA"}, []string{"Aa", "Ad", "AD"}},
		{[]string{"", "?", "日本"}, []string{"?", "?2", "?3"}},
		{[]string{"a", "A", "a!"}, []string{"A2", "A", "A3"}},
		{[]string{"gitops"}, []string{"Gi"}},
	} {
		var managers []ownership.Manager
		for _, name := range c.names {
			managers = append(managers, ownership.Manager{Name: name})
		}
		faces := owners.FacesOf(managers)
		var got []string
		for _, m := range managers {
			got = append(got, faces.Of(m).Initials)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.names, got, c.want)
		}
	}
}

func TestWrote(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	for at, want := range map[string]string{
		"": owners.WroteUnknown, "2026-11-22T11:59:30Z": "last wrote 30s ago", "2026-11-22T12:00:05Z": "last wrote just now",
	} {
		if got := owners.Wrote(ownership.Owner{Time: at}, now); got != want {
			t.Errorf("%q: %s", at, got)
		}
	}
}
