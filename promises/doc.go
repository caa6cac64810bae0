// Package promises holds Fieldmark as a whole to what it promises, against a real API server. It has only tests:
//
//	kubectl_*  a real kubectl directly, and through a real Fieldmark: the same output, errors and exit codes
//	proxy_*    what kubectl doesn't use of the way through, and its end
//	verbs_*    blame, check and explain, as somebody runs them
//	soak_*     check and blame with random writes
//
// Tests of one package on a cluster stay with their package.
//
// A story of soak_* is a list of random writes of one object by several managers. Each step of a story is judged twice:
//
//	manifest ──▶ check: findings ──▶ the apply itself ──▶ what changed, by structured-merge-diff v6 ──▶ do the findings say the same?
//	object   ──▶ blame: owners of each line ──▶ managedFields with the object's type, as the API server links them ──▶ the same owners?
//
// The second opinions are k8s.io/apimachinery/pkg/util/managedfields and structured-merge-diff v6, which API servers link. Fieldmark has a reader
// of its own and v4, so no code judges itself. A story that fails is made shorter until each of its steps is needed, and is printed with its seed.
package promises
