package check

import (
	"context"
	"maps"
	"slices"

	"github.com/fieldmark/fieldmark/lessons/lesson"
)

// evidence is a statement that was judged, with all that it was judged by.
type evidence struct {
	statement lesson.Statement
	answer    lesson.Answer
	vars      lesson.Vars // as they were before
	holds     bool        // it has to hold; false: it must not
	line      int
}

// seen keeps what a statement was judged by.
func (r *run) seen(s lesson.Statement, a lesson.Answer, vars lesson.Vars, holds bool, line int) {
	r.evidence = append(r.evidence, evidence{s, a, maps.Clone(vars), holds, line})
}

// prove shows of every statement that it would have told, had the answer been another, or none.
func (r *run) prove() {
	for _, e := range r.evidence {
		r.report.Proved++
		if e.holds && e.is(lesson.Answer{}) {
			r.fail(e.line, "%s: it holds even if nothing is answered, so it says nothing: check what the answer has", e.statement)
			continue
		}
		if e.statement.Keep != "" || e.tells() { // to keep something claims nothing about it
			continue
		}
		if e.holds {
			r.fail(e.line, "%s: it holds whatever is answered, so it says nothing: check what only the right answer has", e.statement)
		} else {
			r.fail(e.line, "if %s: it holds of no answer, so the choice would be wrong everywhere: say what the answer would have if the choice were right", e.statement)
		}
	}
}

func (e evidence) is(a lesson.Answer) bool { return e.statement.Judge(a, maps.Clone(e.vars)).OK }

// tells finds an answer of which the statement comes to another end.
func (e evidence) tells() bool {
	for m := range e.statement.Mutations(e.answer, e.vars) {
		if e.is(m.Answer) != e.holds {
			return true
		}
	}
	return false
}

// idle shows that a step's checks would have told, had its requests not been sent. Checks of their answers do, because nothing holds
// of no answer; where there are none, something that is checked must not be so yet.
func (r *run) idle(ctx context.Context, step lesson.Step) {
	var own []string
	var checks []lesson.Block
	for _, b := range step.Blocks {
		if b.Request != nil {
			own = append(own, b.Request.Name)
		}
		if b.Check != nil {
			checks = append(checks, b)
		}
	}
	ofOwn := func(b lesson.Block) bool { return slices.Contains(own, b.Check.Of) }
	if len(own) == 0 || len(checks) == 0 || slices.ContainsFunc(checks, ofOwn) {
		return
	}
	for _, b := range checks {
		a, err := r.look(ctx, *b.Check)
		if err != nil {
			return
		}
		if len(judge(b.Check.Statements, a, r.vars)) > 0 {
			return
		}
	}
	r.fail(checks[0].Line, "all that this step checks is so before its requests are sent, so it says nothing about them: check their answers, or what they change")
}
