package pages

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/util/csaupgrade"

	"github.com/fieldmark/fieldmark/kube/assist"
)

// claimSet is a random set of claims.
func claimSet(r *rand.Rand, depth int) map[string]any {
	set := map[string]any{}
	for range r.IntN(4) {
		key := []string{"f:a", "f:b", `k:{"name":"x"}`, `v:"y"`}[r.IntN(4)]
		if depth == 0 || r.IntN(3) == 0 {
			set[key] = map[string]any{}
			continue
		}
		below := claimSet(r, depth-1)
		if r.IntN(2) == 0 && len(below) > 0 {
			below["."] = map[string]any{}
		}
		set[key] = below
	}
	return set
}

// What is folded into server-side apply is what client-go folds.
func TestUpgradesAreClientGos(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 4))
		var all []any
		for i := range 1 + r.IntN(5) {
			e := map[string]any{
				"manager": []string{"client", "me", "other"}[r.IntN(3)], "operation": []string{"Apply", "Update"}[r.IntN(2)],
				"apiVersion": fmt.Sprint("v", 1+r.IntN(2)), "fieldsType": "FieldsV1", "fieldsV1": claimSet(r, 3), "time": fmt.Sprintf("2026-01-02T03:04:0%dZ", i),
			}
			if r.IntN(5) == 0 {
				e["subresource"] = "status"
			}
			all = append(all, e)
		}
		live := map[string]any{
			"apiVersion": "v1", "kind": "Thing",
			"metadata": map[string]any{"name": "x", "resourceVersion": "7", "managedFields": all},
		}
		body, err := csaupgrade.UpgradeManagedFieldsPatch(&unstructured.Unstructured{Object: live}, sets.New("client"), "me")
		if err != nil {
			t.Fatal(err)
		}
		plan := assist.ToServerSide(live, []string{"client"}, "me")
		if body == nil || len(plan.Steps) == 0 {
			if plan.Nothing == "" || body != nil {
				t.Errorf("seed %d: client-go sends %s, we %+v", seed, body, plan)
			}
			continue
		}
		if got, want := decoded(t, plan.Steps[0].Request.Body), decoded(t, body); !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: %s\ngot  %s\nwant %s", seed, all, plan.Steps[0].Request.Body, body)
		}
	}
}

func decoded(t *testing.T, data []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}
