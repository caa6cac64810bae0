package check

import (
	"context"
	"maps"
	"slices"

	"github.com/fieldmark/fieldmark/lessons/lesson"
)

// evidence is a statement that was checked, with the data of the check.
type evidence struct {
	statement lesson.Statement
	answer    lesson.Answer
	vars      lesson.Vars // before the check
	holds     bool        // the statement must be true; false: it must be false
	line      int
}

// seen keeps the data of a check.
func (r *run) seen(s lesson.Statement, a lesson.Answer, vars lesson.Vars, holds bool, line int) {
	r.evidence = append(r.evidence, evidence{s, a, maps.Clone(vars), holds, line})
}

// prove proves that the check of every statement can fail: with another response, or without one.
func (r *run) prove() {
	for _, e := range r.evidence {
		r.report.Proved++
		if e.holds && e.is(lesson.Answer{}) {
			r.fail(e.line, "%s: this is true even without a response, so the check is useless; check something that the response has", e.statement)
			continue
		}
		if e.statement.Keep != "" || e.tells() { // a statement that only keeps a value claims nothing
			continue
		}
		if e.holds {
			r.fail(e.line, "%s: this is true for every response, so the check is useless; check something that only the right response has", e.statement)
		} else {
			r.fail(e.line, "if %s: this is true for no response, so the choice would always be wrong; write what the response would have if the choice were right", e.statement)
		}
	}
}

func (e evidence) is(a lesson.Answer) bool { return e.statement.Judge(a, maps.Clone(e.vars)).OK }

// tells finds a response for which the check has the opposite result.
func (e evidence) tells() bool {
	for m := range e.statement.Mutations(e.answer, e.vars) {
		if e.is(m.Answer) != e.holds {
			return true
		}
	}
	return false
}

// idle proves that a step's checks fail if its requests are not sent. Checks of their responses do, because no statement is true without a
// response. If there are none, another check must fail before the requests are sent.
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
		a, err := r.checkedAnswer(ctx, *b.Check)
		if err != nil {
			return
		}
		if len(judge(b.Check.Statements, a, r.vars)) > 0 {
			return
		}
	}
	r.fail(checks[0].Line, "all checks of this step pass before its requests are sent, so they check nothing; check the responses, or what the requests change")
}
