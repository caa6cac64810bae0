package manifest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func bare(text string) []Line {
	var lines []Line
	for l := range strings.FieldsSeq(text) {
		lines = append(lines, Line{{Class: String, Text: l}})
	}
	return lines
}

func spellMatches(matches []Match) string {
	var words []string
	for _, m := range matches {
		mark := ""
		if m.Changed {
			mark = "!"
		}
		words = append(words, fmt.Sprint(m.From)+mark)
	}
	return strings.Join(words, " ")
}

func TestCompare(t *testing.T) {
	for _, c := range []struct{ name, before, after, want string }{
		{"nothing changed", "a b c", "a b c", "0 1 2"},
		{"a value changed", "a b c", "a x c", "0 1! 2"},
		{"two values changed", "a b c d", "x b c y", "0! 1 2 3!"},
		{"a line came", "a b c", "a x b c", "0 -1! 1 2"},
		{"a line went", "a b c", "a c", "0 2"},
		{"more came than went", "a b c", "a x y z c", "0 1! -1! -1! 2"},
		{"fewer came than went", "a b c d e", "a x e", "0 1! 4"},
		{"in two places", "a b c d e f", "a c d x e f", "0 2 3 -1! 4 5"},
		{"at both ends", "b c", "a b c d", "-1! 0 1 -1!"},
		{"moved", "a b c d", "c a b d", "-1! 0 1 3"},
		{"repeated lines", "a - a - a", "a - a - a - a", "0 1 2 3 4 -1! -1!"},
		{"from nothing", "", "a b", "-1! -1!"},
		{"to nothing", "a b", "", ""},
		{"another document", "a b", "x y z", "0! 1! -1!"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := spellMatches(Compare(bare(c.before), bare(c.after))); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestTheCommaAfterAMemberIsNoChange(t *testing.T) {
	member := func(text string) Line {
		return Line{{Text: "  "}, {Class: Key, Text: text}, {Text: ": "}, {Class: Number, Text: "1"}}
	}
	open, end, comma := Line{{Text: "{"}}, Line{{Text: "}"}}, Token{Text: ","}
	one, two := []Line{open, member("a"), end}, []Line{open, append(member("a"), comma), member("b"), end}
	got := spellMatches(Compare(one, two))
	if want := "0 1 -1! 2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := spellMatches(Compare([]Line{{{Class: String, Text: "a,"}}}, []Line{{{Class: String, Text: "a"}}})); got != "0!" {
		t.Errorf("the comma of a text: got %s", got)
	}
}

// Whatever changed: a line that has not reads as before, no line continues two, and their order stays.
func TestComparisonsAddUp(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	document := func(n int) []Line {
		lines := make([]Line, random.IntN(n))
		for i := range lines {
			lines[i] = Line{{Class: String, Text: string(rune('a' + random.IntN(6)))}}
		}
		return lines
	}
	for range 3000 {
		a, b := document(14), document(14)
		matches := Compare(a, b)
		if problem := wrong(a, b, matches); problem != "" {
			t.Fatalf("%s: %v became %v: %s", problem, a, b, spellMatches(matches))
		}
		if got, want := unchanged(matches), common(texts(a), texts(b)); got != want {
			t.Fatalf("%v became %v: %d lines kept of %d: %s", a, b, got, want, spellMatches(matches))
		}
	}
}

func wrong(a, b []Line, matches []Match) string {
	if len(matches) != len(b) {
		return "another number of lines"
	}
	last := -1
	for i, m := range matches {
		switch {
		case m.From < 0 && !m.Changed:
			return "a new line that has not changed"
		case m.From < 0:
			continue
		case m.From <= last:
			return "out of order"
		case !m.Changed && a[m.From].String() != b[i].String():
			return "unchanged, and reads otherwise"
		}
		last = m.From
	}
	return ""
}

func unchanged(matches []Match) int {
	n := 0
	for _, m := range matches {
		if !m.Changed {
			n++
		}
	}
	return n
}

// common is the length of the longest common subsequence, the bare way.
func common(a, b []string) int {
	above := make([]int, len(b)+1)
	for i := range a {
		here := make([]int, len(b)+1)
		for j := range b {
			here[j+1] = max(above[j+1], here[j])
			if a[i] == b[j] {
				here[j+1] = max(here[j+1], above[j]+1)
			}
		}
		above = here
	}
	return above[len(b)]
}

func TestWhatDiffersTooMuchIsStillCompared(t *testing.T) {
	var before, after []string
	for i := range 3 * maxEdits {
		before = append(before, fmt.Sprint("old-", i), fmt.Sprint("same-", i))
		after = append(after, fmt.Sprint("new-", i), fmt.Sprint("same-", i))
	}
	matches := Compare(bare(strings.Join(before, " ")), bare(strings.Join(after, " ")))
	changed := func(i int) bool { return matches[i].Changed }
	if len(matches) != len(after) || unchanged(matches) != len(after)/2 || !changed(0) || changed(1) {
		t.Errorf("%d of %d lines unchanged", unchanged(matches), len(after))
	}
	if !slices.IsSortedFunc(matches, func(x, y Match) int { return x.From - y.From }) {
		t.Error("out of order")
	}
}

func BenchmarkCompare(b *testing.B) {
	before := make([]Line, 3000)
	for i := range before {
		before[i] = Line{{Class: Plain, Text: "  "}, {Class: Key, Text: fmt.Sprint("key", i%40)}, {Class: Plain, Text: ": "}, {Class: Number, Text: fmt.Sprint(i)}}
	}
	after := slices.Clone(before)
	for _, i := range []int{10, 1500, 2990} {
		after[i] = Line{{Class: String, Text: "changed"}}
	}
	after = slices.Insert(after, 700, Line{{Class: String, Text: "new"}})
	for b.Loop() {
		Compare(before, after)
	}
}
