package task

import (
	"errors"
	"net/http"
	"testing"

	"github.com/fieldmark/fieldmark/kube/release"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/lessons/standing"
	"github.com/fieldmark/fieldmark/server/cluster"
)

func TestAnExamGoesThroughItsTasksOnceAndWithoutHelp(t *testing.T) {
	l := practice(t)
	one := painting(t)
	one.Goals = one.Goals[:1]
	two, newer := one, one
	two.ID, newer.ID = "sketch", "newer"
	newer.Range.Since = release.Version(38)
	if err := l.BeginExam(session, cluster.Practice, "operators", []lesson.Task{newer}, release.Version(37)); !errors.Is(err, ErrVersion) {
		t.Errorf("an exam without tasks: %v", err)
	}
	must(t, l.BeginExam(session, cluster.Practice, "operators", []lesson.Task{one, newer, two}, release.Version(37)))
	exam := func() Exam {
		t.Helper()
		e, ok := l.ExamOf(session)
		if !ok || len(e.Sat) != 2 {
			t.Fatalf("%+v", e)
		}
		return e
	}
	e := exam()
	for i, s := range e.Sat {
		if at, in := e.Place(s.Task); !in || at != i {
			t.Errorf("%s is at %d: %v", s.Task, at, in)
		}
	}
	if _, in := e.Place("newer"); in {
		t.Error("a task that the server can't do is in the exam")
	}

	first := Place{cluster.Practice, e.Sat[0].Task}
	s := l.untilAt(first, "it is prepared", func(s standing.Standing) bool { return s.Phase == standing.Working })
	l.send(s, http.MethodPatch, shop, merge, `{"data":{"color":"red"}}`)
	l.untilAt(first, "it is solved", func(s standing.Standing) bool { return s.Phase == standing.Solved })
	if e = exam(); !e.Sat[0].Solved || e.At != 0 {
		t.Errorf("%+v", e)
	}
	must(t, l.Start(session, first.Cluster, one, release.Version(37)))
	if !exam().Sat[0].Solved {
		t.Error("to begin a solved task anew makes it unsolved")
	}

	must(t, l.GoOn(session, 0))
	must(t, l.GoOn(session, 0)) // the same click twice
	if e = exam(); e.At != 1 || e.Over() {
		t.Errorf("%+v", e)
	}
	second := Place{cluster.Practice, e.Sat[1].Task}
	l.untilAt(second, "the next one is prepared", func(s standing.Standing) bool { return s.Phase == standing.Working })
	must(t, l.GoOn(session, 1))
	if e = exam(); !e.Over() || e.Sat[1].Solved {
		t.Errorf("%+v", e)
	}
	if _, in := e.Place(e.Sat[0].Task); in {
		t.Error("a task is without help after the exam")
	}
	must(t, l.GoOn(session, 2)) // there is no more
	l.EndSession(session)
	if _, has := l.ExamOf(session); has {
		t.Error("an exam outlives its session")
	}
}
