package condition

import (
	"slices"
	"testing"
)

func TestWhatRemainsInANamespace(t *testing.T) {
	for message, want := range map[string][]Remaining{
		"Some resources are remaining: configmaps. has 1 resource instances, beds.garden.example.com has 12 resource instances": {
			{"", "configmaps", 1}, {"garden.example.com", "beds", 12},
		},
		"Some resources are remaining: pods. has many resource instances, x has 1 resource instances, .g has 2 resource instances": nil,
		"Some content in the namespace has finalizers remaining: a.io/x in 1 resource instances":                                   nil,
		"All content successfully removed": nil,
		"":                                 nil,
	} {
		if got := RemainingIn(message); !slices.Equal(got, want) {
			t.Errorf("%q: %+v", message, got)
		}
	}
}
