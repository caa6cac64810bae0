package run

import (
	"reflect"
	"testing"
)

func TestOnlyKnownGatesAreSet(t *testing.T) {
	const old, unknown = "WatchList=false", "InventedForThisTest=true" // every release has the first one
	for _, test := range []struct{ args, want []string }{
		{nil, nil},
		{[]string{"--secure-port=1"}, []string{"--secure-port=1"}},
		{[]string{gatesFlag + old}, []string{gatesFlag + old}},
		{[]string{gatesFlag + unknown, "--x"}, []string{"--x"}},
		{[]string{gatesFlag + unknown + "," + old}, []string{gatesFlag + old}},
	} {
		if got := knownGates(test.args); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%q: got %q, want %q", test.args, got, test.want)
		}
	}
}
