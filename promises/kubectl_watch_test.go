package promises

import (
	"strings"
	"testing"
)

// interrupted is what kubectl get -w ends with when it is interrupted.
const interrupted = 1

// testWatch looks at the same namespace from both sides while it changes: the same events in the same order.
func testWatch(t *testing.T, p *parity) {
	pl := p.namespace(t, "watch")
	sweet := func(name string) step {
		return step{args: "create -f -", in: strings.Replace(fruit, `"fruit"`, `"`+name+`", "labels": {"taste": "sweet"}`, 1)}
	}
	pl.prepare(t, sweet("first"))
	watches := []both{
		pl.begin(t, step{args: "get configmaps -w --output-watch-events -o yaml", code: interrupted, says: "type: DELETED"}),
		pl.begin(t, step{args: "get configmaps -w --output-watch-events", code: interrupted, says: "DELETED", differ: []rule{ages}}),
		pl.begin(t, step{args: "get configmaps -w --output-watch-events -l taste=sweet -o name", code: interrupted, says: "configmap/last"}),
		pl.begin(t, step{args: "get configmaps -w -o jsonpath={.metadata.name}:{.data.colour};", code: interrupted, says: "fruit:blue;"}),
	}
	for _, w := range watches {
		w.says(t, "first") // from here on nothing is missed: what is watched begins where the list ended
	}
	for _, s := range []step{
		sweet("fruit"),
		{args: `patch configmap fruit --type=merge -p {"data":{"colour":"blue"}}`},
		{args: "label configmap fruit taste=sour --overwrite"},
		{args: "delete configmap fruit"},
		sweet("last"),
	} {
		pl.prepare(t, s)
	}
	for _, w := range watches {
		w.says(t, "last")
	}
	for _, w := range watches {
		t.Run(w.step.title(), func(t *testing.T) { w.stop(t) })
	}
}
