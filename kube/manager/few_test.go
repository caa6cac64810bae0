package manager

import (
	"fmt"
	"testing"
)

// many are builds that each applied under a name of their own.
func many(n int) []Owner {
	var all []Owner
	for i := range n {
		all = append(all, Owner{Manager: Manager{Name: fmt.Sprintf("build-%d", i+1), Operation: Apply}})
	}
	return all
}

func TestManyOwnersAreThreeNamesAndANumber(t *testing.T) {
	for want, owners := range map[string][]Owner{
		"nobody":          nil,
		"build-1 (Apply)": many(1),
		"build-1 (Apply), build-2 (Apply) and build-3 (Apply)":                                                many(3),
		"build-1 (Apply), build-2 (Apply), build-3 (Apply) and 117 more (120 of them are named like build-*)": many(120),
		"a (Apply), b (Apply), c (Apply) and 1 more": {
			{Manager: Manager{Name: "a", Operation: Apply}}, {Manager: Manager{Name: "b", Operation: Apply}}, {Manager: Manager{Name: "c", Operation: Apply}}, {Manager: Manager{Name: "d", Operation: Apply}},
		},
	} {
		if got := Names(owners); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestFamilies(t *testing.T) {
	for name, want := range map[string]int{"build": 120, "kubectl": 0} {
		owners := many(120)
		if want == 0 {
			owners = []Owner{{Manager: Manager{Name: name}}, {Manager: Manager{Name: name}}}
		}
		if got := FamilyOf(owners); got.Members != want || want > 0 && got.Name != name {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
