package pages

import (
	"fmt"
	"slices"
	"testing"

	"github.com/fieldmark/fieldmark/lessons"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/learn/lesson/predict"
)

// inPlaces counts over the whole guide, as it is on the newest version, where the correct choice is shown: for each number of choices, and each place.
func inPlaces(t *testing.T, seeds []string) map[int][]int {
	t.Helper()
	guide, err := lessons.Load()
	if err != nil {
		t.Fatal(err)
	}
	places := map[int][]int{}
	count := func(p *lesson.Predict, id, block string) {
		n := len(p.Choices)
		if places[n] == nil {
			places[n] = make([]int, n)
		}
		right := slices.IndexFunc(p.Choices, func(c lesson.Choice) bool { return c.Right })
		for _, seed := range seeds {
			places[n][slices.Index(predict.Order(p, id, block, seed), right)]++
		}
	}
	for _, l := range guide.Lessons {
		for s, step := range l.On(lesson.Tried.Until).Steps {
			for n, b := range step.Blocks {
				if b.Predict != nil && b.Predict.Value == nil {
					count(b.Predict, l.ID, fmt.Sprintf("%d.%d", s, n))
				}
			}
		}
	}
	return places
}

// Whoever always chooses the same place must not be correct more often than by chance.
func TestNoPlaceIsCorrectMoreOften(t *testing.T) {
	var attempts []string
	for i := range 200 {
		attempts = append(attempts, fmt.Sprintf("bcdfg%d", i))
	}
	for name, c := range map[string]struct {
		seeds []string
		slack float64
	}{
		"over many attempts":  {attempts, .02},
		"without the program": {[]string{""}, .12}, // it is one order
	} {
		for n, counts := range inPlaces(t, c.seeds) {
			total := 0
			for _, count := range counts {
				total += count
			}
			if total < 20 {
				continue
			}
			for place, count := range counts {
				if share, fair := float64(count)/float64(total), 1/float64(n); share < fair-c.slack || share > fair+c.slack {
					t.Errorf("%s: of %d choices, the one in place %d is correct in %.0f %%: %v", name, n, place+1, 100*share, counts)
				}
			}
		}
	}
}
