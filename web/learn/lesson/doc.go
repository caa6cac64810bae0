// Package lesson is the page of one lesson of the field guide: its steps, with requests to send, predictions and checks.
//
//	Begin ──▶ a namespace, a Scenario ──▶ ready                                                 (beginning.go)
//	request: what each part means                                                               (anatomy/)
//	   ├─ Send ──▶ call ────────────┬──▶ sent.Request ─┬──▶ the response with its notes         (asking.go; response/)
//	   └─ kubectl ──▶ wire log ─────┘                  ├──▶ widgets: the part that matters      (kubectl.go; shown/)
//	predict ───────────────────────────────────────────┤──▶ correct or not, by the response     (guessing.go; predict/)
//	check ── Statement.Judge, each second ─────────────┘──▶ passed, or what is missing          (checking.go)
//	Send again ──▶ a repeat, beside the first good response, which stays                        (repeating.go)
//	a check fails ──▶ what is missing: a step, a stream, an object that changed                 (reasons.go, inquiring.go)
//	reload ──▶ the wire log ──▶ the responses from before the reload                            (recalling.go)
//	End ──▶ everything that the attempt created is deleted                                      (ending.go)
//
// This package decides what comes next. Its subpackages show one thing each, and don't know steps; rooms.go gives them what they need. The
// blocks of a step are done in order: reach says which one is next, and the blocks after it are hidden. lessons/lesson judges responses; make
// test-lessons proves lessons with the same code. The learner's progress stays in the browser (web/learn/progress). On a cluster that isn't for
// practice, only requests that read can be sent. Without the program in the browser, the page is the whole lesson as text. The server fits the
// lesson to the version of the cluster, so this package knows versions only where it shows them (versions.go).
package lesson
