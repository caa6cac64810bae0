// Package lesson is the page of one lesson of the field guide: its steps, with requests to send, predictions and checks.
//
//	Begin ──▶ a namespace, a Scenario ──▶ ready                                                 (beginning.go)
//	request: what each part means                                                               (anatomy/)
//	   ├─ Send ──▶ call ────────────┬──▶ sent.Request ─┬──▶ the response with its notes         (asking.go; response/)
//	   └─ kubectl ──▶ wire log ─────┘                  ├──▶ widgets: the part that matters      (kubectl.go; shown/)
//	predict ───────────────────────────────────────────┤──▶ right or not, from the response     (guessing.go; predict/)
//	check ── Statement.Judge, each second ─────────────┘──▶ passed, or what is missing          (checking.go)
//	Send again ──▶ a repeat, beside the first good response, which stays                        (repeating.go)
//	a check fails ──▶ what is missing: a step, a stream, an object that changed                 (reasons.go, inquiring.go)
//	reload ──▶ the wire log ──▶ the responses of before                                         (recalling.go)
//	End ──▶ what the attempt made is deleted                                                    (ending.go)
//
// This package says what comes next; its rooms show one thing each, and know nothing of steps (rooms.go tells them what they need). Blocks
// of a step are done in order: reach says which is next, and nothing after it can be done. What a response means is judged by
// lessons/lesson, the same code by which make test-lessons proves the lesson. How far the learner is stays in the browser
// (web/learn/progress). On a cluster that isn't for practice, only requests that read can be sent. Without the program for the browser,
// the page is the whole lesson as text.
package lesson
