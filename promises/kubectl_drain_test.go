package promises

import (
	"context"
	"fmt"
	"testing"
)

// guests are pods on a node of their own: one without a controller, one with files that would be lost, and one that a budget protects.
const guests = `
{apiVersion: v1, kind: Pod, metadata: {name: lonely}, spec: {nodeName: "{ns}", terminationGracePeriodSeconds: 0, containers: [{name: app, image: "example.com/one:1"}]}}
---
apiVersion: v1
kind: Pod
metadata: {name: storing}
spec:
  nodeName: "{ns}"
  terminationGracePeriodSeconds: 0
  volumes: [{name: files, emptyDir: {}}]
  containers: [{name: app, image: "example.com/one:1", volumeMounts: [{name: files, mountPath: /files}]}]
---
{apiVersion: v1, kind: Pod, metadata: {name: kept, labels: {app: kept}}, spec: {nodeName: "{ns}", terminationGracePeriodSeconds: 0, containers: [{name: app, image: "example.com/one:1"}]}}
---
{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: kept}, spec: {minAvailable: 1, selector: {matchLabels: {app: kept}}}}
`

// node makes a node with the name of each namespace of the place. The scheduler leaves it alone, so that nothing but this test is disturbed.
func (pl place) node(t *testing.T) {
	t.Helper()
	pl.prepare(t, step{args: "create -f -", in: fmt.Sprintf("{apiVersion: v1, kind: Node, metadata: {name: %q, labels: {parity: %q}}, spec: {taints: [{key: example.com/parity, effect: NoSchedule}]}}", "{ns}", pl.run)})
	t.Cleanup(func() {
		for _, name := range []string{pl.direct, pl.through} {
			if a := pl.call(context.Background(), pl.parity.direct, "", step{args: "delete node " + name}); a.code != 0 {
				t.Errorf("node %s is left: %s", name, a.stderr)
			}
		}
	})
}

// testDrain empties a node: refused, blocked by a budget, and then done.
func testDrain(t *testing.T, p *parity) {
	pl := p.twins(t, "drain")
	pl.node(t)
	pl.prepare(t, step{args: "apply -f -", in: guests})
	pl.prepare(t, step{args: "wait --for=condition=Ready pod --all --timeout=60s"})
	pl.prepare(t, step{args: "wait --for=jsonpath={.status.expectedPods}=1 pdb/kept --timeout=60s"})
	pl.same(t, []step{
		{args: "cordon {ns}", says: "cordoned"},
		{args: "cordon {ns}", says: "already cordoned"},
		{args: "get node {ns}", says: "Ready,SchedulingDisabled", differ: []rule{ages}},
		{args: "uncordon {ns}", says: "uncordoned"},
		{args: "cordon none", code: 1, says: "(NotFound)"},
		{args: "cordon {ns}", viewer: true, code: 1, says: `cannot get resource "nodes"`},
		{args: "drain {ns} --delete-emptydir-data", code: 1, says: "cannot delete Pods that declare no controller"},
		{args: "drain {ns} --force", code: 1, says: "cannot delete Pods with local storage"},
		{args: "drain {ns} --force --delete-emptydir-data --timeout=2s", code: 1, says: "it would violate the pod's disruption budget", differ: []rule{anyOrder, repeated}},
		{args: "get pods -o name", says: "pod/kept\n"},
		{args: "delete pdb kept", says: "deleted"},
		{args: "drain {ns} --force --delete-emptydir-data --dry-run=server", says: "drained (server dry run)", differ: []rule{anyOrder}},
		{args: "drain {ns} --force --delete-emptydir-data --timeout=60s", says: "drained", differ: []rule{anyOrder}},
		{args: "get pods -o name"},
		{args: "drain {ns}", says: "drained"},
		{args: "uncordon {ns}", says: "uncordoned"},
	})
}
