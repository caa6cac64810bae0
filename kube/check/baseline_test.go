package check

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

func of(kind Kind, path string, managers ...string) Finding {
	f := Finding{Kind: kind, Object: Object{APIVersion: "v1", Kind: "ConfigMap", Namespace: "shop", Name: "settings"}, Path: path, Line: len(path), Why: "because"}
	for _, name := range managers {
		f.Owners = append(f.Owners, ownership.Owner{Manager: manager.Manager{Name: name, Operation: "Apply"}})
	}
	return f
}

func TestOnlyWhatIsNewCounts(t *testing.T) {
	earlier := []Finding{of(Conflict, ".data.a", "ada", "ben"), of(Conflict, ".data.b", "ada"), of(Changed, ".data.c"), of(Pruned, ".data.d")}
	text, err := json.Marshal(ReportOf("me", 1, earlier))
	if err != nil {
		t.Fatal(err)
	}
	b, err := ParseBaseline(text)
	if err != nil || !b.Covers(false) || b.Covers(true) {
		t.Fatalf("%v, %v", b, err)
	}
	moved := of(Conflict, ".data.a", "ben", "ada")
	moved.Line, moved.Why, moved.Stated = 70, "for another reason", json.RawMessage(`7`)
	excused := of(Changed, ".data.c")
	excused.Expected = &Excuse{Reason: "a rule"}
	now := []Finding{
		moved,
		of(Conflict, ".data.b", "caro"), // another owner
		excused,
		of(Pruned, ".data.d"),
		of(Pruned, ".data.d"), // once more
		of(Stuck, ".data.d"),  // another kind
	}
	gone := b.Expect("", now)
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
	if gone := (Baseline)(nil).Expect("", now); gone != 0 {
		t.Errorf("without a baseline, %d are gone", gone)
	}
}

func TestABaselineOfSeveralContexts(t *testing.T) {
	one, err := json.Marshal(ReportOf("me", 1, []Finding{of(Conflict, ".data.a", "ada")}))
	if err != nil {
		t.Fatal(err)
	}
	item := `{"context":"NAME",` + string(one[1:])
	b, err := ParseBaseline([]byte(`{"apiVersion":"fieldmark.dev/v1","kind":"CheckContexts","items":[` + strings.ReplaceAll(item, "NAME", "prod-a") + `]}`))
	if err != nil || b.Covers(false) || !b.Covers(true) {
		t.Fatalf("%v, %v", b, err)
	}
	for context, known := range map[string]bool{"prod-a": true, "prod-b": false} {
		now := []Finding{of(Conflict, ".data.a", "ada")}
		if b.Expect(context, now); (now[0].Expected != nil) != known {
			t.Errorf("%s: %+v", context, now[0].Expected)
		}
	}
}

func TestOtherFilesAreNoBaseline(t *testing.T) {
	for _, text := range []string{"", "kind: Pod", "[]", "7", `{"apiVersion":"v1","kind":"Pod"}`, `{"apiVersion":"fieldmark.dev/v2","kind":"Check"}`, `{"apiVersion":"fieldmark.dev/v1","kind":"Check","findings":7}`, `{"apiVersion":"fieldmark.dev/v1","kind":"Managers"}`} {
		if b, err := ParseBaseline([]byte(text)); err == nil || !strings.Contains(err.Error(), "fieldmark check -o json") {
			t.Errorf("%q: %v, %v", text, b, err)
		}
	}
}
