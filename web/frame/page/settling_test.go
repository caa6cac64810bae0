package page

import "testing"

func TestSettling(t *testing.T) {
	var s Settling
	for i, c := range []struct {
		do     func()
		rested bool
		waits  bool
	}{
		{func() {}, false, false},
		{s.Begin, false, true},
		{func() {}, true, false},
		{func() {}, false, false},
		{s.Begin, false, true},
		{s.Begin, false, true}, // another letter
		{func() {}, true, false},
		{s.Begin, false, true},
		{s.End, false, false},
	} {
		c.do()
		if rested := s.Rested(); rested != c.rested || s.Waits() != c.waits {
			t.Errorf("%d: rested %v, waits %v", i, rested, s.Waits())
		}
	}
}
