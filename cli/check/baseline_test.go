package check

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

func finding(kind check.Kind, path string, managers ...string) check.Finding {
	f := check.Finding{Kind: kind, Object: check.Object{APIVersion: "v1", Kind: "ConfigMap", Namespace: "shop", Name: "settings"}, Path: path, Line: len(path), Why: "because"}
	for _, name := range managers {
		f.Owners = append(f.Owners, ownership.Owner{Manager: manager.Manager{Name: name, Operation: "Apply"}})
	}
	return f
}

func TestOnlyWhatIsNewCounts(t *testing.T) {
	earlier := []check.Finding{finding(check.Conflict, ".data.a", "ada", "ben"), finding(check.Conflict, ".data.b", "ada"), finding(check.Changed, ".data.c"), finding(check.Pruned, ".data.d")}
	text, err := json.Marshal(check.ReportOf("me", 1, earlier))
	if err != nil {
		t.Fatal(err)
	}
	b, err := parseBaseline(text)
	if err != nil || !b.covers(false) || b.covers(true) {
		t.Fatalf("%v, %v", b, err)
	}
	moved := finding(check.Conflict, ".data.a", "ben", "ada")
	moved.Line, moved.Why, moved.Stated = 70, "for another reason", json.RawMessage(`7`)
	excused := finding(check.Changed, ".data.c")
	excused.Expected = &check.Excuse{Reason: "a rule"}
	now := []check.Finding{
		moved,
		finding(check.Conflict, ".data.b", "caro"), // another owner
		excused,
		finding(check.Pruned, ".data.d"),
		finding(check.Pruned, ".data.d"), // once more
		finding(check.Stuck, ".data.d"),  // another kind
	}
	gone := b.expect("", now)
	if gone != 1 {
		t.Errorf("%d are gone", gone)
	}
	var said []string
	for _, f := range now {
		why := "new"
		if f.Expected != nil {
			why = f.Expected.Reason
		}
		said = append(said, why)
	}
	want := []string{baselineReason, "new", "a rule", baselineReason, "new", "new"}
	if strings.Join(said, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q", said)
	}
	if gone := baseline(nil).expect("", now); gone != 0 {
		t.Errorf("without a baseline, %d are gone", gone)
	}
}

func TestABaselineOfSeveralContexts(t *testing.T) {
	one, err := json.Marshal(check.ReportOf("me", 1, []check.Finding{finding(check.Conflict, ".data.a", "ada")}))
	if err != nil {
		t.Fatal(err)
	}
	item := `{"context":"NAME",` + string(one[1:])
	b, err := parseBaseline([]byte(`{"apiVersion":"fieldmark.dev/v1","kind":"CheckContexts","items":[` + strings.ReplaceAll(item, "NAME", "prod-a") + `]}`))
	if err != nil || b.covers(false) || !b.covers(true) {
		t.Fatalf("%v, %v", b, err)
	}
	for context, known := range map[string]bool{"prod-a": true, "prod-b": false} {
		now := []check.Finding{finding(check.Conflict, ".data.a", "ada")}
		if b.expect(context, now); (now[0].Expected != nil) != known {
			t.Errorf("%s: %+v", context, now[0].Expected)
		}
	}
}

func TestOtherFilesAreNoBaseline(t *testing.T) {
	for _, text := range []string{"", "kind: Pod", "[]", "7", `{"apiVersion":"v1","kind":"Pod"}`, `{"apiVersion":"fieldmark.dev/v2","kind":"Check"}`, `{"apiVersion":"fieldmark.dev/v1","kind":"Check","findings":7}`, `{"apiVersion":"fieldmark.dev/v1","kind":"Managers"}`} {
		if b, err := parseBaseline([]byte(text)); err == nil || !strings.Contains(err.Error(), "fieldmark check -o json") {
			t.Errorf("%q: %v, %v", text, b, err)
		}
	}
}
