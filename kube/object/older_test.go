package object

import "testing"

func TestOlder(t *testing.T) {
	for _, c := range []struct {
		one, other string
		want       bool
	}{
		{"9", "10", true}, {"10", "9", false}, {"10", "10", false}, {"0", "18446744073709551615", true}, {"", "1", false}, {"1", "", false}, {"a", "b", false}, {"1", "18446744073709551616", false},
	} {
		if got := Older(c.one, c.other); got != c.want {
			t.Errorf("%q before %q: %v", c.one, c.other, got)
		}
	}
}
