package typed

import "testing"

func TestNearest(t *testing.T) {
	for _, c := range [][3]string{{"a", "ab", "ab"}, {"spec", "status", ""}, {"x", "yz", ""}, {"containres", "containers", "containers"}, {"", "a", "a"}, {"same", "same", ""}} {
		if got := Nearest(c[0], []string{c[1]}); got != c[2] {
			t.Errorf("%q → %q", c[0], got)
		}
	}
}

func TestTypos(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"pods", "pods", 0},
		{"pdos", "pods", 1},
		{"deploymnet", "deployment", 1},
		{"deploiment", "deployment", 1},
		{"deplyment", "deployment", 1},
		{"deploymentt", "deployment", 1},
		{"depoyemnt", "deployment", 2},
		{"pods", "nodes", 2},
		{"pods", "secrets", 5}, // at least so many
		{"", "pods", 4},
		{"größe", "grösse", 2},
	} {
		if got, back := Typos(c.a, c.b, 5), Typos(c.b, c.a, 5); got != c.want || back != c.want {
			t.Errorf("%s, %s: %d, and in reverse %d, want %d", c.a, c.b, got, back, c.want)
		}
	}
}
