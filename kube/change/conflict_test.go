package change

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/status"
)

func cause(field, message string) status.Cause {
	return status.Cause{Reason: status.FieldManagerConflict, Field: field, Message: "conflict with " + message}
}

func TestConflicts(t *testing.T) {
	live := parse(t, thing(`{"replicas":1,"l":[{"name":"a","v":1}],"s":["x"]}`,
		`gitops Apply 1 {"f:spec":{"f:replicas":{},"f:l":{"k:{\"name\":\"a\"}":{".":{},"f:name":{},"f:v":{}}}}}`,
		`kube-controller-manager Update 1 {"f:spec":{"f:replicas":{}}}`, // the same manager, and not the one that is named
		`kube-controller-manager/scale Update 2 {"f:spec":{"f:replicas":{}}}`,
		`kubectl-edit Update 3 {"f:spec":{"f:s":{}}}`))
	causes := []status.Cause{
		cause(".spec.s", `"kubectl-edit" using v1 at 2026-01-02T03:04:03Z`),
		cause(".spec.replicas", `"gitops"`),
		cause(`.spec.l[name="a"].v`, `"gitops"`),
		cause(".spec.replicas", `"kube-controller-manager" with subresource "scale" using v1 at 2026-01-02T03:04:02Z`),
		cause(".spec.gone", `"a \"b\"" using v2`),
		{Reason: "FieldValueInvalid", Field: "spec.x"},
	}
	want := []string{
		`.spec.l[name="a"].v 1→2 gitops Apply "" true`,
		`.spec.replicas 1→3 gitops Apply "" true; kube-controller-manager Update "scale" true controller`,
		`.spec.s ["x"]→["y"] kubectl-edit Update "" true`,
		`.spec.gone → a "b" Update "" false`,
	}
	in := Refused{Live: live, Sent: parse(t, thing(`{"replicas":3,"l":[{"name":"a","v":2}],"s":["y"]}`)), Manager: me}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		r.Shuffle(len(causes), func(i, j int) { causes[i], causes[j] = causes[j], causes[i] })
		var got []string
		for _, c := range Conflicts(status.Status{Causes: causes}, in) {
			var owners []string
			for _, h := range c.Owners {
				text := fmt.Sprintf("%s %s %q %v", h.Name, h.Operation, h.Subresource, h.Known)
				if h.Likely.Controller {
					text += " controller"
				}
				owners = append(owners, text)
			}
			got = append(got, c.Path+" "+c.Live+"→"+c.Yours+" "+strings.Join(owners, "; "))
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

func TestLikelyController(t *testing.T) {
	record := ownership.Parse(parse(t, thing(`{}`, `thinger Update 1 {}`, `thinger/status Update 1 {}`)))
	for _, c := range []struct {
		name, operation, subresource string
		writes                       int
		want                         string
	}{
		{"kube-controller-manager", ownership.Update, "", 0, "the name of a known controller"},
		{"my-operator", ownership.Apply, "", 0, "looks like the name of a controller"},
		{"thinger", ownership.Update, "", 0, "also writes the object's status"},
		{"unheard-of", ownership.Update, "scale", 0, "writes to the subresource scale"},
		{"unheard-of", ownership.Update, "", 5, "wrote 5 times"},
		{"kubectl", ownership.Update, "scale", 0, ""},
		{"kubectl-client-side-apply", ownership.Update, "", 1, ""},
		{"alice", ownership.Apply, "", 0, ""},
		{"ancient-changes", ownership.Update, "", 0, ""},
	} {
		got := LikelyController(ownership.Manager{Name: c.name, Operation: c.operation, Subresource: c.subresource}, record, c.writes)
		if got.Controller != (c.want != "") || !strings.Contains(got.Why, c.want) {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}

// Two long values of a conflict are cut where they differ, and not before.
func TestLongValuesOfAConflictShowTheirDifference(t *testing.T) {
	same := strings.Repeat("x", 3000)
	live, yours := Conflict{Held: true, Sent: true, LiveValue: same + "old", YourValue: same + "new"}.Apart()
	if !strings.HasSuffix(live, `old"`) || !strings.HasSuffix(yours, `new"`) || len(live) > 250 {
		t.Errorf("%s\n%s", live, yours)
	}
}
