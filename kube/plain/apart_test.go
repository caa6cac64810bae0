package plain

import (
	"strings"
	"testing"
)

func TestApart(t *testing.T) {
	same := strings.Repeat("ü", 90)
	for _, c := range []struct{ a, b, x, y string }{
		{"a", "b", "a", "b"},
		{same + "x", same + "y", "…üüüx", "…üüüy"},
		{"x" + same, "y" + same, "xüüüüüüüü…", "yüüüüüüüü…"},
		{same + "x" + same, same, "…üüüxüüüüü…", "…üüü"},
	} {
		if x, y := Apart(c.a, c.b, 9); x != c.x || y != c.y {
			t.Errorf("%.9q %.9q: %q %q, want %q %q", c.a, c.b, x, y, c.x, c.y)
		}
	}
	long := func(end string) []byte { return []byte(`"` + strings.Repeat("a", 300) + end + `"`) }
	if x, y := Values(long("b"), long("c")); x == y || !strings.HasSuffix(x, `ab"`) {
		t.Errorf("%s %s", x, y)
	}
	if x, y := Values(nil, []byte("1")); x != "nothing" || y != "1" {
		t.Errorf("%s %s", x, y)
	}
}
