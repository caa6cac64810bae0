package lesson

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/release"
)

// some is a lesson with parts for some versions.
func some() Lesson {
	newer, older := release.Range{Since: 34}, release.Range{Until: 33}
	statement := func(line int, r release.Range) Statement { return Statement{Line: line, Range: r} }
	return Lesson{
		Scenario: "{}", Takeaways: []Takeaway{{HTML: "all"}, {HTML: "new", Range: newer}, {HTML: "old", Range: older}},
		Steps: []Step{
			{ID: "a", Blocks: []Block{
				{HTML: "text"},
				{HTML: "new", Range: newer},
				{HTML: "differs", Differs: true, Range: older},
				{Line: 4, Predict: &Predict{Choices: []Choice{{Text: "x", Right: true, Range: newer, Line: 5}, {Text: "x", Range: older, Line: 6}, {Text: "y", Line: 7}}}},
				{Line: 8, Request: &Request{Name: "one"}},
				{Check: &Check{Of: "one", Statements: []Statement{statement(10, newer), statement(11, older), statement(12, release.Range{})}}},
				{Check: &Check{Of: "one", Statements: []Statement{statement(13, release.Range{Until: 31})}}},
				{Check: &Check{Of: "one", Statements: []Statement{statement(14, release.Range{Since: 36})}}},
				{Notes: &Notes{Notes: []Note{{Line: 15}, {Line: 16, Range: newer}}}},
			}},
			{ID: "b", Range: release.Range{Since: 35}, Blocks: []Block{
				{Line: 20, Request: &Request{Name: "two"}},
				{HTML: "differs", Differs: true, Range: release.Range{Until: 34}},
			}},
		},
	}
}

// told is what a block is after On, in a few letters.
func told(b Block) string {
	if b.Aside != nil {
		return strings.TrimSpace("aside " + told(b.Aside.Block) + " " + b.Aside.Range.String())
	}
	switch {
	case b.Predict != nil:
		return fmt.Sprintf("predict of %d", len(b.Predict.Choices))
	case b.Request != nil:
		return "request"
	case b.Check != nil:
		return fmt.Sprintf("check %d+%d", len(b.Check.Statements), len(b.Check.Aside))
	case b.Notes != nil:
		return fmt.Sprintf("notes %d", len(b.Notes.Notes))
	case b.HTML != "":
		return b.HTML
	case b.Blank():
		return "none"
	}
	return "something else"
}

func TestOn(t *testing.T) {
	for _, c := range []struct {
		v    release.Version
		want string
	}{
		{0, "takeaways all, new since=1.34, old until=1.33; a: text, aside new since=1.34, aside differs until=1.33, aside predict of 3, request, check 1+2, aside check 0+1, aside check 0+1, notes 2; " +
			"b since=1.35: aside request, aside differs until=1.34"},
		{30, "takeaways all, new since=1.34, old; a: text, aside new since=1.34, differs, predict of 2, request, check 2+1, check 1+0, aside check 0+1, notes 1; b since=1.35: aside request, differs"},
		{33, "takeaways all, new since=1.34, old; a: text, aside new since=1.34, differs, predict of 2, request, check 2+1, none, aside check 0+1, notes 1; b since=1.35: aside request, differs"},
		{34, "takeaways all, new; a: text, new, none, predict of 2, request, check 2+0, none, aside check 0+1, notes 2; b since=1.35: aside request, differs"},
		{40, "takeaways all, new; a: text, new, none, predict of 2, request, check 2+0, none, check 1+0, notes 2; b: request, none"},
	} {
		l := some()
		on := l.On(c.v)
		var keep []string
		for _, k := range on.Takeaways {
			keep = append(keep, strings.TrimSpace(k.HTML+" "+k.Range.String()))
		}
		parts := []string{"takeaways " + strings.Join(keep, ", ")}
		for _, step := range on.Steps {
			var blocks []string
			for _, b := range step.Blocks {
				blocks = append(blocks, told(b))
			}
			parts = append(parts, strings.TrimSpace(step.ID+" "+step.Range.String())+": "+strings.Join(blocks, ", "))
		}
		if got := strings.Join(parts, "; "); got != c.want {
			t.Errorf("on %s:\n%s\nwant\n%s", c.v, got, c.want)
		}
		if on.Scenario == "" || !reflect.DeepEqual(l, some()) {
			t.Errorf("on %s: the Scenario is %q, or the lesson itself has changed", c.v, on.Scenario)
		}
	}
	whole := some()
	whole.Steps = whole.Steps[1:]
	if whole.On(33).Scenario != "" || whole.On(0).Scenario != "" || whole.On(35).Scenario == "" {
		t.Error("a lesson that can't be done prepares a Scenario, or one that can be done prepares none")
	}
}

func TestSkips(t *testing.T) {
	for v, want := range map[release.Version][]int{33: {5, 10, 13, 14, 16, 20}, 34: {6, 11, 13, 14, 20}, 37: {6, 11, 13}, 31: {5, 10, 14, 16, 20}, 0: {5, 6, 10, 11, 13, 14, 16, 20}} {
		var got []int
		for _, s := range some().Skips(v) {
			got = append(got, s.Line)
		}
		if !slices.Equal(got, want) {
			t.Errorf("on %s: %v, want %v", v, got, want)
		}
	}
}
