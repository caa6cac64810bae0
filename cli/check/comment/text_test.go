package comment

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// Whatever is to be told, a comment is short enough, has each finding whole or not at all, leaves out the last ones, and says how many.
func TestNoFindingIsCut(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		var all []Part
		some := func() (parts []Part) {
			for range r.IntN(6) {
				n := len(all)
				short := fmt.Sprintf("(%d%s)", n, strings.Repeat("é", r.IntN(40)))
				p := Part{Short: short, Long: short + fmt.Sprintf("[%d%s]", n, strings.Repeat("w", r.IntN(60)))}
				all, parts = append(all, p), append(parts, p)
			}
			return parts
		}
		x := Text{Name: "n", Head: "head", Parts: some(), Folds: []Fold{{"first", some()}, {"second", some()}}}
		most := 400 + r.IntN(600)
		got := x.Markdown(most, "rest")
		if len(got) > most {
			t.Fatalf("%d bytes, may have %d: %q", len(got), most, got)
		}
		told := 0
		for i, p := range all {
			if !strings.Contains(got, p.Short) {
				continue
			}
			if told++; told != i+1 {
				t.Fatalf("finding %d is told, but not an earlier one: %q", i, got)
			}
			if (strings.Contains(got, fmt.Sprintf("[%dw", i)) || strings.Contains(got, fmt.Sprintf("[%d]", i))) && !strings.Contains(got, p.Long) {
				t.Fatalf("the ways of finding %d are cut: %q", i, got)
			}
		}
		if gone := len(all) - told; (gone > 0) != strings.Contains(got, "no room here") || gone > 0 && !strings.Contains(got, fmt.Sprintf("\n%d more finding", gone)) {
			t.Fatalf("%d of %d are told: %q", told, len(all), got)
		}
		if strings.Count(got, "<details>") != strings.Count(got, "</details>") {
			t.Fatalf("a fold doesn't end: %q", got)
		}
	}
}
