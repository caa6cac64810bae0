package promises

import (
	"strings"
	"testing"
)

// What may differ is taken away, and nothing else: a comparison that overlooks things would be worth nothing.
func TestDifferencesAreSeen(t *testing.T) {
	pl := place{&parity{direct: side{server: "https://127.0.0.1:1"}, through: side{server: "https://127.0.0.1:2/clusters/admin"}}, "ns-1", "ns-2"}
	for _, c := range []struct {
		name        string
		direct, via answer
		differ      []rule
		words       string // empty: no difference
	}{
		{"the same", answer{"a\n", "b\n", 1}, answer{"a\n", "b\n", 1}, nil, ""},
		{"exit code", answer{"a", "", 0}, answer{"a", "", 1}, nil, "exit code: directly 0, through Fieldmark 1"},
		{"a later line", answer{"a\nb\n", "", 0}, answer{"a\nc\n", "", 0}, nil, "standard output, line 2"},
		{"a line less", answer{"a\nb\n", "", 0}, answer{"a\n", "", 0}, nil, `through Fieldmark ""`},
		{"a warning less", answer{"a", "Warning: b", 0}, answer{"a", "", 0}, nil, "standard error, line 1"},
		{"another stream", answer{"a", "", 0}, answer{"", "a", 0}, nil, "standard error"},
		{"the namespace of each", answer{"x in ns-1", "", 0}, answer{"x in ns-2", "", 0}, nil, ""},
		{"another namespace", answer{"x in ns-1", "", 0}, answer{"x in ns-3", "", 0}, nil, "ns-3"},
		{"an address", answer{"at https://127.0.0.1:1/api", "", 0}, answer{"at https://127.0.0.1:2/clusters/admin/api", "", 0}, []rule{server}, ""},
		{"an address that lost its path", answer{"at https://127.0.0.1:1/api", "", 0}, answer{"at https://127.0.0.1:2/api", "", 0}, []rule{server}, "127.0.0.1:2"},
		{"ages", answer{"NAME  AGE\nx     9s\n", "", 0}, answer{"NAME  AGE\nx     2m1s\n", "", 0}, []rule{ages}, ""},
		{"ages of events", answer{"9s (x2 over 3m)  Normal\n", "", 0}, answer{"10s (x3 over 4m1s)  Normal\n", "", 0}, []rule{ages}, ""},
		{"names that look like ages", answer{"pod-9s is\n", "", 0}, answer{"pod-8s is\n", "", 0}, []rule{ages}, "pod-8s"},
		{"missing age", answer{"x     9s\n", "", 0}, answer{"x     <unknown>\n", "", 0}, []rule{ages}, "unknown"},
		{"fallback to another protocol", answer{"", `I0101 1 "Response" verb="GET" url="u" status="101 S" x` + "\n", 0}, answer{"", `I0101 1 "Response" verb="POST" url="u" status="101 S" x` + "\n", 0}, []rule{requests}, "POST u 101"},
		{"repetition", answer{"a\na\nb\n", "", 0}, answer{"a\nb\nb\n", "", 0}, []rule{repeated}, ""},
		{"order", answer{"a;b;", "", 0}, answer{"b;a;", "", 0}, []rule{repeated}, "standard output"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := step{differ: c.differ}
			words := differ(pl.plain(s, pl.parity.direct, c.direct), pl.plain(s, pl.parity.through, c.via))
			if (words == "") != (c.words == "") || !strings.Contains(words, c.words) {
				t.Errorf("%q, want %q", words, c.words)
			}
		})
	}
}
