package promises

import (
	"testing"
	"time"
)

// testTop waits for the first figures of the pods: they are measured over a window.
func testTop(t *testing.T, p *parity) {
	for end := time.Now().Add(patience); p.call(t.Context(), p.direct, p.shared.direct, step{args: "top pod one"}).code != 0; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the pod has no figures in time")
		}
	}
	p.shared.same(t, []step{
		{args: "top pod one", says: "one", differ: []rule{figures}},
		{args: "top pod one --containers", says: "POD", differ: []rule{figures}},
		{args: "top pods -l app=none", says: "No resources found"},
		{args: "top pod none", code: 1, says: "NotFound"},
		{args: "top nodes --sort-by=cpu --no-headers -l kubernetes.io/hostname=node-1", says: "node-1", differ: []rule{figures}},
		{args: "get nodes.metrics.k8s.io -o name", says: "nodemetrics.metrics.k8s.io/node-1"},
	})
}
