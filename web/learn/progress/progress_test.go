package progress

import (
	"reflect"
	"testing"
	"time"
)

func TestABookIsReadAsItWasKept(t *testing.T) {
	b := Book{Learner: "bcdfg"}.With("paths", Lesson{Step: "two", Attempt: 3, Cluster: "practice", Vars: map[string]string{"rv": "7"}, Guesses: map[string]string{"0.1": "#2"}, Sent: []string{"0.2"}, Entries: map[string]string{"0.2": "12"}, Failed: []string{"0.3"}})
	if got := Read(b.String()); !reflect.DeepEqual(got, b) {
		t.Errorf("%+v", got)
	}
	for _, text := range []string{"", "{", "7", `{"learner":7}`} {
		if got := Read(text); !reflect.DeepEqual(got, Book{}) {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

func TestWithLeavesTheOtherBookAlone(t *testing.T) {
	a := Book{}.With("x", Lesson{Attempt: 1})
	b := a.With("x", Lesson{Attempt: 2}).With("y", Lesson{})
	if a.Lessons["x"].Attempt != 1 || len(a.Lessons) != 1 || len(b.Lessons) != 2 {
		t.Errorf("%+v, %+v", a, b)
	}
}

func TestLearnersDiffer(t *testing.T) {
	seen := map[string]bool{}
	at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for i := range 1000 {
		seen[Learner(at.Add(time.Duration(i)*time.Millisecond))] = true
	}
	if len(seen) < 995 {
		t.Errorf("a thousand moments give %d names", len(seen))
	}
}
