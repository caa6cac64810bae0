package pages

import (
	"cmp"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/lessons"
	guide "github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/server/api"
)

// Learners who do the steps of each lesson in another order, on a real API server. They follow what the page advises, and this must help. Where it advises nothing, the page sets up
// the step, and this must help always.

// erring is a mistake in a lesson.
type erring struct {
	lesson guide.Lesson
	name   string
	make   func(l *learner) (step int) // makes the mistake, and returns the step in which something fails; -1: nothing fails
	silent bool                        // no other step can help
	setUp  bool                        // the learner takes no advice, and has the page set up the step
}

func TestPracticeNoAdviceIsFalse(t *testing.T) {
	t.Parallel() // what disturbs others comes after all tests that aren't parallel
	s := practiceSite(t)
	all, err := lessons.Load()
	must(t, err)
	var alone []erring
	t.Run("together", func(t *testing.T) {
		for _, l := range all.Lessons {
			if !erred(l.ID) {
				continue
			}
			for _, e := range errings(s, s.lesson(t, l.ID).Lesson) {
				if l.Alone {
					alone = append(alone, e)
					continue
				}
				t.Run(l.ID+"/"+e.name, func(t *testing.T) {
					t.Parallel()
					s.errs(t, e)
				})
			}
		}
	})
	for _, e := range alone {
		t.Run(e.lesson.ID+"/"+e.name, func(t *testing.T) {
			s.steady(t)
			s.errs(t, e)
		})
	}
}

// steady waits until the API server takes writes again: the lesson before may have restarted it, and it refuses some requests then.
func (s *site) steady(t *testing.T) {
	t.Helper()
	write := api.Request{
		Method: http.MethodPost, Path: "/api/v1/namespaces/default/configmaps?dryRun=All", ContentType: "application/json",
		Body: []byte(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"steady"}}`),
	}
	until := time.Now().Add(patience)
	for taken := 0; taken < 10 && time.Now().Before(until); time.Sleep(200 * time.Millisecond) {
		if _, err := s.admin().Do(t.Context(), write); err != nil {
			taken = 0
			continue
		}
		taken++
	}
}

// erred tells whether mistakes are made in a lesson. FIELDMARK_TEST_ERRING has the ids of the lessons, or all: that takes many minutes.
func erred(id string) bool {
	ids := cmp.Or(os.Getenv("FIELDMARK_TEST_ERRING"), "conflicts,lost-updates")
	return ids == "all" || slices.Contains(strings.Split(ids, ","), id)
}

// errings are the mistakes that are made in a lesson: each step that later steps can depend on is skipped, each stream is ended, and the
// namespace is deleted.
func errings(s *site, l guide.Lesson) []erring {
	var all []erring
	for n, step := range l.Steps {
		if n < len(l.Steps)-1 && bears(step) {
			all = append(all, erring{lesson: l, name: fmt.Sprintf("without step %d", n+1), make: func(l *learner) int { return l.through(func(step int) bool { return step == n }, nil) }})
		}
		for i, b := range step.Blocks {
			if b.Request != nil && b.Request.Watch {
				at := fmt.Sprintf("%d.%d", n, i)
				all = append(all, erring{lesson: l, name: "stream " + b.Request.Name + " ends", make: func(l *learner) int {
					return l.through(nil, func(step int) {
						if step == n {
							l.press("stop " + at)
						}
					})
				}})
			}
		}
	}
	last := func(l *learner) int {
		return l.through(func(step int) bool { return step < len(l.steps)-1 }, nil)
	}
	all = append(all, erring{lesson: l, name: "only the last step", make: last}, erring{lesson: l, name: "only the last step, which the page sets up", setUp: true, make: last})
	return append(all, erring{lesson: l, name: "without a namespace", silent: true, make: func(l *learner) int {
		return l.through(nil, func(step int) {
			if step == 0 {
				_, err := s.admin().Do(l.t.Context(), api.Request{Method: http.MethodDelete, Path: "/api/v1/namespaces/learn-" + l.id + "-" + l.name + "1"})
				must(l.t, err)
			}
		})
	}})
}

// bears tells whether a later step can depend on a step.
func bears(step guide.Step) bool {
	return slices.ContainsFunc(step.Blocks, func(b guide.Block) bool {
		return b.Request != nil && !b.Request.Reads() && !b.Request.Dry() ||
			b.Check != nil && slices.ContainsFunc(b.Check.Statements, func(s guide.Statement) bool { return s.Keep != "" })
	})
}

// through does the steps of the lesson, without some, until something fails. after is called after each step.
func (l *learner) through(without func(step int) bool, after func(step int)) int {
	for step := range l.steps {
		if without != nil && without(step) {
			continue
		}
		if l.do(step, false); !l.passed() {
			return step
		}
		if after != nil {
			after(step)
			l.settle()
		}
	}
	return -1
}

// follow does an advised step. If this step advises another one, that one comes first. It is false if the step doesn't pass.
func (l *learner) follow(step, most int, said *[]string) bool {
	for range most {
		if l.do(step, true); l.passed() {
			return true
		}
		words, to, _ := l.advice()
		*said = append(*said, fmt.Sprintf("advised step %d: %s", step+1, words))
		if to < 0 || to == step || !l.follow(to, most-1, said) {
			return false
		}
	}
	return false
}

// skipped finds the steps that the page names if several were skipped.
var skipped = regexp.MustCompile(`^You skipped steps ([\d, and]+)\. Do these steps first, in this order`)

// advised are the steps to do, in their order: all that were skipped, or the one that the page leads to.
func advised(words string, to int) []int {
	found := skipped.FindStringSubmatch(words)
	if found == nil {
		return []int{to}
	}
	var all []int
	for _, n := range strings.FieldsFunc(found[1], func(r rune) bool { return r < '0' || r > '9' }) {
		step, _ := strconv.Atoi(n) // the expression finds only numbers
		all = append(all, step-1)
	}
	return all
}

// errs makes a mistake, and does what the page advises. If the page advises a step or a stream, the failed step must pass then.
func (s *site) errs(t *testing.T, e erring) {
	t.Helper()
	l := s.newLearner(t, e.lesson.ID)
	defer l.leave()
	failed := e.make(l)
	if failed < 0 {
		return
	}
	if e.setUp {
		l.setUp(failed)
		return
	}
	var said []string
	for range len(l.steps) + 1 {
		words, to, stream := l.advice()
		said = append(said, fmt.Sprintf("step %d: %s", failed+1, words))
		switch {
		case to < 0 && stream == "":
			if len(said) > 1 {
				t.Errorf("the advice was false:\n%s", strings.Join(said, "\n"))
			}
			t.Log(strings.Join(said, "\n"))
			l.setUp(failed)
			return
		case e.silent:
			t.Errorf("it can’t help:\n%s", strings.Join(said, "\n"))
			return
		case stream != "":
			l.press(stream)
			l.settle()
		default:
			for _, one := range advised(words, to) {
				if !l.follow(one, len(l.steps), &said) {
					t.Errorf("the advice was false:\n%s", strings.Join(said, "\n"))
					return
				}
			}
		}
		if l.do(failed, true); l.passed() {
			t.Log(strings.Join(said, "\n"))
			return
		}
	}
	t.Errorf("the advice has no end:\n%s", strings.Join(said, "\n"))
}
