package check

import (
	"slices"
	"testing"

	"github.com/fieldmark/fieldmark/lessons/lesson"
)

func TestALessonThatFailedIsTriedOnceMore(t *testing.T) {
	lies, slow, good := "lies", "slow", "good"
	all := []lesson.Lesson{{ID: slow}, {ID: lies}, {ID: good, Alone: true}}
	for _, c := range []struct {
		retry bool
		tries []string // one at a time, in this order
		fail  []string // in the end
		later []string // that held the second time
	}{
		{retry: false, tries: []string{slow, lies, good}, fail: []string{slow, lies}},
		{retry: true, tries: []string{slow, lies, good, slow, lies}, fail: []string{lies}, later: []string{slow}},
	} {
		var tries, fail, later, told []string
		Options{Parallel: 1, Retry: c.retry}.schedule(all, func(l lesson.Lesson) Report {
			r := Report{Lesson: l.ID}
			if l.ID == lies || l.ID == slow && !slices.Contains(tries, slow) {
				r.Failures = []Failure{{File: "f", Line: len(tries) + 1, What: "not so"}}
			}
			tries = append(tries, l.ID)
			return r
		}, func(r Report) {
			told = append(told, r.Lesson)
			switch {
			case !r.OK():
				fail = append(fail, r.Lesson)
			case len(r.Earlier) > 0:
				later = append(later, r.Lesson)
			}
		})
		if !slices.Equal(tries, c.tries) || !slices.Equal(fail, c.fail) || !slices.Equal(later, c.later) || len(told) != len(all) {
			t.Errorf("retry %v: tried %v, failed %v, held later %v, told of %v", c.retry, tries, fail, later, told)
		}
	}
}
