package learn

import (
	"slices"
	"testing"

	"github.com/fieldmark/fieldmark/lessons"
	"github.com/fieldmark/fieldmark/web/learn/lesson"
)

// A lesson leads back to the lessons that it builds on, and on to later lessons only. The lesson after it in the guide is one of these.
func TestNeighboursFollowTheOrderOfTheGuide(t *testing.T) {
	guide, err := lessons.Load()
	if err != nil {
		t.Fatal(err)
	}
	place := map[string]int{}
	for i, l := range guide.Lessons {
		place[l.ID] = i
	}
	for i, l := range guide.Lessons {
		before, next := neighbours(guide.Lessons, l)
		if len(before) != len(l.After) || slices.ContainsFunc(before, func(r lesson.Reference) bool { return place[r.ID] >= i }) {
			t.Errorf("%s builds on %v, and leads back to %v", l.ID, l.After, before)
		}
		if slices.ContainsFunc(next, func(r lesson.Reference) bool { return place[r.ID] <= i }) {
			t.Errorf("%s leads on to %v", l.ID, next)
		}
		if i+1 < len(guide.Lessons) && next[0].ID != guide.Lessons[i+1].ID {
			t.Errorf("%s doesn't lead on to the lesson after it, but to %s", l.ID, next[0].ID)
		}
	}
}
