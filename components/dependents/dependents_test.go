package dependents

import (
	"reflect"
	"testing"
)

func TestStay(t *testing.T) {
	at := func(depth, others int) Ref { return Ref{Depth: depth, Others: others} }
	for name, c := range map[string]struct {
		owned []Ref
		want  []bool
	}{
		"none":                        {nil, []bool{}},
		"all go":                      {[]Ref{at(0, 0), at(1, 0), at(0, 0)}, []bool{false, false, false}},
		"one has another owner":       {[]Ref{at(0, 0), at(1, 1), at(1, 0)}, []bool{false, true, false}},
		"with what it owns":           {[]Ref{at(0, 1), at(1, 0), at(2, 0), at(0, 0), at(1, 0)}, []bool{true, true, true, false, false}},
		"one after another":           {[]Ref{at(0, 1), at(0, 1), at(1, 1), at(0, 0)}, []bool{true, true, true, false}},
		"deeper ones after a sibling": {[]Ref{at(0, 0), at(1, 1), at(2, 0), at(1, 0), at(2, 0)}, []bool{false, true, true, false, false}},
	} {
		if got := Stay(c.owned); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestDirectAndBlocking(t *testing.T) {
	owned := []Ref{{Name: "a", Blocks: true}, {Name: "b", Depth: 1, Blocks: true}, {Name: "c"}}
	if got := Direct(owned); len(got) != 2 || got[1].Name != "c" || len(owned) != 3 {
		t.Errorf("%v", got)
	}
	if got := Blocking(owned); got != 1 {
		t.Errorf("%d block", got)
	}
}
