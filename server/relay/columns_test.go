package relay

import (
	"slices"
	"testing"

	"github.com/fieldmark/fieldmark/kube/table"
)

func TestColumnsAreSharedWhereTheyAreEqual(t *testing.T) {
	var sets columnSets
	age := []table.Column{{Name: "Name", Format: "name"}, {Name: "Age"}}
	first, again := sets.one(age), sets.one(slices.Clone(age))
	if &first[0] != &again[0] {
		t.Error("equal columns are kept twice")
	}
	wide := []table.Column{{Name: "Name", Format: "name"}, {Name: "Age", Priority: 1}}
	if got := sets.one(wide); !slices.Equal(got, wide) {
		t.Errorf("%+v", got)
	}
	for i := range 2 * maxColumnSets {
		sets.one([]table.Column{{Name: "Name", Priority: i}})
	}
	if len(sets.sets) > maxColumnSets {
		t.Errorf("%d sets are kept", len(sets.sets))
	}
}
