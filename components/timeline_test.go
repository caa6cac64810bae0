package components_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/manifest"
)

// document is text as lines.
func document(text string) []manifest.Line {
	var all []manifest.Line
	for line := range strings.FieldsSeq(text) {
		all = append(all, manifest.Line{{Text: line}})
	}
	return all
}

func TestCompared(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		around              int
		want                string
	}{
		{"the same", "a b c", "a b c", -1, "1:a 2:b 3:c"},
		{"another line", "a b c", "a x c", -1, "1:a -2:b +2:x 3:c"},
		{"several other lines", "a b c d", "a x y d", -1, "1:a -2:b -3:c +2:x +3:y 4:d"},
		{"a line comes", "a c", "a b c", -1, "1:a +2:b 3:c"},
		{"a line goes", "a b c", "a c", -1, "1:a -2:b 2:c"},
		{"lines go at the end", "a b c", "a", -1, "1:a -2:b -3:c"},
		{"more go than come", "a b c d e", "a x e", -1, "1:a -2:b -3:c -4:d +2:x 3:e"},
		{"all is new", "", "a b", -1, "+1:a +2:b"},
		{"all is gone", "a b", "", -1, "-1:a -2:b"},
		{"with what is near", "a b c d e f g", "a b c x e f g", 1, "(2) 3:c -4:d +4:x 5:e (2)"},
		{"with nothing around", "a b c", "a x c", 0, "(1) -2:b +2:x (1)"},
		{"the same, with what is near", "a b", "a b", 1, "(2)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, l := range components.Compared(document(c.before), document(c.after), c.around) {
				sign := map[components.Mark]string{components.Came: "+", components.Went: "-"}[l.Mark]
				if l.Left > 0 {
					got = append(got, fmt.Sprintf("(%d)", l.Left))
				} else {
					got = append(got, fmt.Sprintf("%s%d:%s", sign, l.Number, l.Line))
				}
			}
			if words := strings.Join(got, " "); words != c.want {
				t.Errorf("got  %s\nwant %s", words, c.want)
			}
		})
	}
}

// TestComparedLosesNoLine: of what Compare matches by its place alone, every line is shown, too.
func TestComparedLosesNoLine(t *testing.T) {
	var before, after []string
	for i := range 1000 {
		before = append(before, fmt.Sprint("a", i))
		after = append(after, fmt.Sprint("b", i))
	}
	after = append(after, "a5", "a900")
	came, went := 0, 0
	for _, l := range components.Compared(document(strings.Join(before, " ")), document(strings.Join(after, " ")), -1) {
		switch l.Mark {
		case components.Came:
			came++
		case components.Went:
			went++
		default:
			came, went = came+1, went+1
		}
	}
	if came != len(after) || went < len(before)-2 {
		t.Errorf("%d lines of %d, and %d of %d before", came, len(after), went, len(before))
	}
}
