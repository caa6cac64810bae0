package lesson

import "testing"

func TestAlmostRight(t *testing.T) {
	for _, c := range []struct {
		guess, value string
		almost       bool
	}{
		{"two", "2", true},
		{"2", "two", true},
		{"Two", "2", true},
		{"twenty-one", "21", true},
		{"twenty one", "21", true},
		{"two hundred and five", "205", true},
		{"two hundred", "200", true},
		{"none", "0", true},
		{"zero", "0", true},
		{"02", "2", true},
		{" 2 ", "2", true},
		{"2.", "2", true},
		{`"ada"`, "ada", true},
		{"“ada”", "ada", true},
		{"`ada`", "ada", true},
		{"Ada", "ada", true},
		{"service", "services", true},
		{"Services", "service", true},
		{"policy", "policies", true},
		{"ingress", "ingresses", true},
		{"ada,  ben", "ada, ben", true},
		{"three", "2", false},
		{"12", "2", false},
		{"1s", "1", false},
		{"200s", "200", false},
		{"one two", "3", false},
		{"two twenty", "22", false},
		{"ben", "ada", false},
		{"s", "", false},
		{"", "", false},
		{"ada ben", "ada, ben", false},
		{"true", "false", false},
	} {
		if got := Almost(c.guess, c.value); got != c.almost {
			t.Errorf("%q for %q: %v", c.guess, c.value, got)
		}
		if got := Almost(c.value, c.guess); got != c.almost {
			t.Errorf("%q for %q: %v", c.value, c.guess, got)
		}
	}
}
