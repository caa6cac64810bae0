package status

import (
	"slices"
	"testing"
)

func TestParseWarnings(t *testing.T) {
	for line, want := range map[string][]Warning{
		`299 - "v1 ComponentStatus is deprecated in v1.19+"`:         {{299, "-", "v1 ComponentStatus is deprecated in v1.19+"}},
		`299 - "a \"b\" \\c"`:                                        {{299, "-", `a "b" \c`}},
		`299 - "a", 199 host:80 "b" "Wed, 21 Oct 2015 07:28:00 GMT"`: {{299, "-", "a"}, {199, "host:80", "b"}},
		`299 - "é"`:                        {{299, "-", "é"}},
		`299 - ""`:                         {{299, "-", ""}},
		"299 - \"\xff\"":                   {{299, "-", "\uFFFD"}},
		`299 - "never ends`:                nil,
		`299 - no quotes`:                  nil,
		`299 -`:                            nil,
		`29 - "x"`:                         nil,
		`abc - "x"`:                        nil,
		``:                                 nil,
		`299 - "good", and something else`: {{299, "-", "good"}},
	} {
		if got := ParseWarnings([]string{line}); !slices.Equal(got, want) {
			t.Errorf("%q: got %+v", line, got)
		}
	}
}

func FuzzParseWarnings(f *testing.F) {
	f.Add(`299 - "a", 199 host:80 "b" "Wed, 21 Oct 2015 07:28:00 GMT"`)
	f.Fuzz(func(_ *testing.T, line string) { ParseWarnings([]string{line}) })
}
