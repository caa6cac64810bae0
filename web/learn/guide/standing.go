package guide

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/words"
)

// standing is the reader's progress in a lesson.
type standing struct {
	done bool // the reader has finished it at least once
	step int  // the step in sight, from 1, while an attempt is under way; else 0
	of   int
}

func (m Model) standing(l Lesson) standing {
	if m.live.book == nil {
		return standing{}
	}
	kept := m.live.book.Lessons[l.ID]
	s := standing{done: kept.Done}
	if kept.Under() {
		s.step, s.of = max(slices.Index(l.Steps, kept.Step), 0)+1, len(l.Steps)
	}
	return s
}

// state is the standing as a word for the markup: done, under (an attempt is open) or new.
func (s standing) state() string {
	switch {
	case s.step > 0:
		return "under"
	case s.done:
		return "done"
	}
	return "new"
}

// progressText says the standing; empty: the lesson is new.
func (s standing) progressText() string {
	switch {
	case s.step > 0 && s.done:
		return fmt.Sprintf("done before, now at step %d of %d", s.step, s.of)
	case s.step > 0:
		return fmt.Sprintf("step %d of %d", s.step, s.of)
	case s.done:
		return "done"
	}
	return ""
}

// tally is the reader's progress in the lessons of a path.
type tally struct {
	done, under, all int
	left             int // minutes of what isn't done
	tasks, solved    int
}

func (m Model) tally() tally {
	lessons := m.chosen()
	t := tally{all: len(lessons)}
	for _, l := range lessons {
		s := m.standing(l)
		if s.done {
			t.done++
		} else {
			t.left += l.Minutes
		}
		if s.step > 0 {
			t.under++
		}
		if l.Task != "" {
			t.tasks++
			if m.live.tasks[l.ID].Solved {
				t.solved++
			}
		}
	}
	return t
}

// summaryText is the tally in sentences.
func (t tally) summaryText() string {
	if t.all > 0 && t.done == t.all {
		return strings.Join(append([]string{"You have done all lessons of this path."}, t.solvedText()...), " ")
	}
	sentences := []string{fmt.Sprintf("Done: %d of %s.", t.done, words.Count(int64(t.all), "lesson", "lessons"))}
	if t.under > 0 {
		sentences = append(sentences, fmt.Sprintf("Started: %d.", t.under))
	}
	sentences = append(sentences, fmt.Sprintf("Time left: %s.", duration(t.left)))
	return strings.Join(append(sentences, t.solvedText()...), " ")
}

// solvedText says how many tasks are solved; nothing before the first one.
func (t tally) solvedText() []string {
	if t.solved == 0 {
		return nil
	}
	return []string{fmt.Sprintf("Solved: %d of %s.", t.solved, words.Count(int64(t.tasks), "task", "tasks"))}
}

// taskText says how the task of a lesson stands; empty: it isn't solved yet.
func (m Model) taskText(l Lesson) string {
	switch t := m.live.tasks[l.ID]; {
	case t.Alone:
		return "solved without a hint"
	case t.Solved:
		return "solved"
	}
	return ""
}

// begun tells whether the reader has begun any lesson, or worked on any task.
func (m Model) begun() bool {
	return len(m.live.tasks) > 0 || slices.ContainsFunc(m.Lessons, func(l Lesson) bool { return m.standing(l) != standing{} })
}

// underway are the lessons with an open attempt, on any path.
func (m Model) underway() []Lesson {
	return slices.DeleteFunc(slices.Clone(m.Lessons), func(l Lesson) bool { return m.standing(l).step == 0 })
}

// nextLesson is the lesson to do next: the first new one of the path that builds only on lessons that are done, or else the first new one. It is
// false if no lesson is new.
func (m Model) nextLesson() (Lesson, bool) {
	left := slices.DeleteFunc(slices.Clone(m.chosen()), func(l Lesson) bool { return m.standing(l) != standing{} })
	i := slices.IndexFunc(left, func(l Lesson) bool {
		return !slices.ContainsFunc(m.after(l), func(before Lesson) bool { return !m.standing(before).done })
	})
	switch {
	case i >= 0:
		return left[i], true
	case len(left) > 0:
		return left[0], true
	}
	return Lesson{}, false
}

// after are the lessons that a lesson builds on.
func (m Model) after(l Lesson) []Lesson {
	var all []Lesson
	for _, id := range l.After {
		if before, ok := m.lesson(id); ok {
			all = append(all, before)
		}
	}
	return all
}
