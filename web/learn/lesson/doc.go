// Package lesson is the page of one lesson of the field guide: its steps, with requests to send, predictions and checks.
//
//	Begin ──▶ a namespace, a Scenario ──▶ ready                                         (beginning.go)
//	request ── Send ──▶ call ──▶ answer ──┬──▶ show: the part of the answer that matters (show.go, laid.go)
//	   or kubectl ──▶ wire log ──▶ entry ─┤    (asking.go, kubectl.go)
//	predict ──────────────────────────────┤──▶ right or not, from the answer             (guessing.go)
//	check ── Statement.Judge, each second ┘──▶ passed, or what is missing                (checking.go)
//	End ──▶ what the attempt made is deleted                                            (ending.go)
//
// Blocks of a step are done in order: reach says which is next, and nothing after it can be done. What an answer means is judged by
// lessons/lesson, the same code by which make test-lessons proves the lesson. How far the learner is stays in the browser
// (web/learn/progress). On a cluster that isn't for practice, only requests that read can be sent. Without the program for the browser,
// the page is the whole lesson as text.
package lesson
