package manager

import (
	"fmt"
	"strings"
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
	deploys := many(7)
	for i := range deploys {
		deploys[i].Name = strings.Replace(deploys[i].Name, "build", "deploy", 1)
	}
	for want, owners := range map[string][]Owner{
		"[{build 120}]":            many(120),
		"[{build 120} {deploy 7}]": append(deploys, many(120)...),
		"[]":                       {{Manager: Manager{Name: "kubectl"}}, {Manager: Manager{Name: "kubectl"}}},
	} {
		if got := fmt.Sprint(Families(owners)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got, want := Names(append(deploys, many(120)...)), "deploy-1 (Apply), deploy-2 (Apply), deploy-3 (Apply) and 124 more (120 of them are named like build-*, 7 like deploy-*)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
