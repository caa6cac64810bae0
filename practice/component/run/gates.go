package run

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/sets"
	_ "k8s.io/apiserver/pkg/features" // registers the gates
	utilfeature "k8s.io/apiserver/pkg/util/feature"
)

const gatesFlag = "--feature-gates="

// knownGates removes the feature gates that this release doesn't know: an API server doesn't start with one.
func knownGates(args []string) []string {
	known := sets.New[string]()
	for name := range utilfeature.DefaultMutableFeatureGate.GetAll() {
		known.Insert(string(name))
	}
	var kept []string
	for _, arg := range args {
		gates, found := strings.CutPrefix(arg, gatesFlag)
		if !found {
			kept = append(kept, arg)
			continue
		}
		var some []string
		for _, gate := range strings.Split(gates, ",") {
			if name, _, _ := strings.Cut(gate, "="); known.Has(name) {
				some = append(some, gate)
			}
		}
		if len(some) > 0 {
			kept = append(kept, gatesFlag+strings.Join(some, ","))
		}
	}
	return kept
}
