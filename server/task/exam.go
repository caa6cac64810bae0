package task

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/fieldmark/fieldmark/kube/release"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/lessons/standing"
)

// MostInExam is how many tasks an exam has, if its path has that many.
const MostInExam = 10

// Exam is tasks of a path in a mixed order, one after the other and without help. Each has a namespace of its own.
type Exam struct {
	Cluster string
	Path    string
	Sat     []Sat
	At      int // the place of the task that is to be done; len(Sat): it is over
}

// Sat is a task of an exam.
type Sat struct {
	Task   string
	Solved bool
}

// Over tells whether no task is left.
func (e Exam) Over() bool { return e.At >= len(e.Sat) }

// Place is where a task stands in the exam, from 0; false: it isn't one of the exam, or the exam is over. Nothing helps with such a task.
func (e Exam) Place(of string) (at int, ok bool) {
	at = slices.IndexFunc(e.Sat, func(s Sat) bool { return s.Task == of })
	return at, at >= 0 && !e.Over()
}

// sitting is an exam with its tasks.
type sitting struct {
	Exam
	tasks []lesson.Task
	on    release.Version
}

// BeginExam begins an exam for a session, instead of the one that it had. It chooses among the tasks of a path those that the server can do.
// Users may see its errors.
func (t *Tasks) BeginExam(session, cluster, path string, from []lesson.Task, on release.Version) error {
	from = slices.DeleteFunc(slices.Clone(from), func(of lesson.Task) bool { return !of.Range.Holds(on) })
	if len(from) == 0 {
		return ErrVersion
	}
	rand.Shuffle(len(from), func(i, j int) { from[i], from[j] = from[j], from[i] }) //nolint:gosec // nobody gains by guessing it
	s := &sitting{Exam: Exam{Cluster: cluster, Path: path}, tasks: from[:min(len(from), MostInExam)], on: on}
	for _, of := range s.tasks {
		s.Sat = append(s.Sat, Sat{Task: of.ID})
	}
	t.EndExam(session)
	t.mu.Lock()
	t.exams[session] = s
	t.mu.Unlock()
	return t.Start(session, cluster, s.tasks[0], on)
}

// ExamOf is the exam of a session; false: it has none.
func (t *Tasks) ExamOf(session string) (Exam, bool) {
	t.mu.Lock()
	s := t.exams[session]
	t.mu.Unlock()
	if s == nil {
		return Exam{}, false
	}
	if at, ok := t.current(s); ok {
		gone, cancel := context.WithCancel(context.Background())
		cancel()
		t.Show(gone, session, at, 0) // it notes that the task is solved
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	e := s.Exam
	e.Sat = slices.Clone(e.Sat)
	return e, true
}

// current is the place of the task that is to be done.
func (t *Tasks) current(s *sitting) (Place, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s.Over() {
		return Place{}, false
	}
	return Place{s.Cluster, s.Sat[s.At].Task}, true
}

// GoOn ends the task that an exam is at, whether or not it is solved, and begins the next one. from is the place of the ended task, so that the same
// click twice leaves no task out. Users may see its errors.
func (t *Tasks) GoOn(session string, from int) error {
	e, ok := t.ExamOf(session)
	if !ok || e.Over() || e.At != from {
		return nil
	}
	t.Stop(session, Place{e.Cluster, e.Sat[e.At].Task})
	t.mu.Lock()
	s := t.exams[session]
	if s == nil || s.At != from {
		t.mu.Unlock()
		return nil
	}
	s.At++
	rest := s.tasks[s.At:]
	t.mu.Unlock()
	if len(rest) == 0 {
		return nil
	}
	return t.Start(session, e.Cluster, rest[0], s.on)
}

// EndExam ends an exam and its task. What was solved stays known until the next exam begins.
func (t *Tasks) EndExam(session string) {
	e, ok := t.ExamOf(session)
	if !ok || e.Over() {
		return
	}
	t.Stop(session, Place{e.Cluster, e.Sat[e.At].Task})
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.exams[session]; s != nil {
		s.At = len(s.Sat)
	}
}

// sat notes that a task of an exam is solved. It stays so, even if the task begins anew.
func (t *Tasks) sat(session string, at Place, now standing.Standing) {
	if now.Phase != standing.Solved {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.exams[session]
	if s == nil || s.Over() || s.Cluster != at.Cluster || s.Sat[s.At].Task != at.Task {
		return
	}
	s.Sat[s.At].Solved = true
}
