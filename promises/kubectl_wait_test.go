package promises

import (
	"strings"
	"testing"
)

// testFinalizer deletes what is held back, and lets go of it meanwhile.
func testFinalizer(t *testing.T, p *parity) {
	pl := p.twins(t, "finalizer")
	pl.prepare(t, step{args: "create -f -", in: strings.Replace(fruit, `"fruit"`, `"fruit", "finalizers": ["example.com/hold"]`, 1)})
	deletes := pl.begin(t, step{args: "delete configmap fruit --wait", says: "deleted"})
	pl.prepare(t, step{args: "wait --for=jsonpath={.metadata.deletionTimestamp} configmap/fruit --timeout=60s"})
	deletes.says(t, "deleted") // kubectl tells at once, and then waits
	deletes.stillRuns(t)
	pl.same(t, []step{
		{args: "get configmap fruit -o jsonpath={.metadata.finalizers}", says: "example.com/hold"},
		{args: "wait --for=delete configmap/fruit --timeout=0", code: 1, says: "condition not met"},
	})
	deletes.stillRuns(t)
	pl.prepare(t, step{args: `patch configmap fruit --type=json -p [{"op":"remove","path":"/metadata/finalizers"}]`})
	deletes.end(t)
	pl.same(t, []step{{args: "get configmap fruit", code: 1, says: "(NotFound)"}})
}

// testCascade deletes an owner after what it owns, and one that leaves what it owns behind.
func testCascade(t *testing.T, p *parity) {
	pl := p.twins(t, "cascade")
	one := strings.Replace(idle, `"replicas": 0`, `"replicas": 1`, 1)
	pl.prepare(t, step{args: "create -f -", in: one})
	pl.prepare(t, step{args: "rollout status deployment/idle --timeout=60s"})
	pl.same(t, []step{
		{args: "delete deployment idle --cascade=foreground --wait", says: "deleted"},
		{args: "get replicasets,pods -l app=idle -o name"},
		{args: "create -f -", in: idle, says: "created"},
		{args: "wait --for=jsonpath={.status.observedGeneration}=1 deployment/idle --timeout=60s", says: "condition met"},
		{args: "wait --for=create replicaset -l app=idle --timeout=60s", says: "condition met"},
		{args: "delete deployment idle --cascade=orphan", says: "deleted"},
		{args: "get replicasets -l app=idle -o name", says: "replicaset.apps/idle-"},
	})
}

// testRollout waits for a rollout that can't go on until its pods are let go.
func testRollout(t *testing.T, p *parity) {
	pl := p.namespace(t, "rollout")
	gated := strings.NewReplacer(`"replicas": 0`, `"replicas": 1`, `"containers"`, `"schedulingGates": [{"name": "example.com/gate"}], "containers"`).Replace(idle)
	pl.prepare(t, step{args: "create -f -", in: gated})
	pl.prepare(t, step{args: "wait --for=jsonpath={.status.updatedReplicas}=1 deployment/idle --timeout=60s"})
	pl.prepare(t, step{args: "wait --for=create pod -l app=idle --timeout=60s"})
	pl.same(t, []step{
		{args: "rollout status deployment/idle --watch=false", says: "0 of 1 updated replicas are available"},
		{args: "rollout status deployment/idle --timeout=2s", code: 1, says: "timed out", differ: []rule{repeated}},
	})
	rollout := pl.begin(t, step{args: "rollout status deployment/idle --timeout=60s", says: "successfully rolled out", differ: []rule{repeated}})
	available := pl.begin(t, step{args: "wait --for=condition=Available deployment/idle --timeout=60s", says: "condition met"})
	pods := pl.begin(t, step{args: "get pods -l app=idle -w -o jsonpath={.status.phase};", code: 1, says: "Running;", differ: []rule{repeated}})
	rollout.says(t, "0 of 1 updated replicas are available")
	pods.says(t, "Pending;")
	rollout.stillRuns(t)
	pl.prepare(t, step{args: `patch ` + strings.TrimSpace(p.must(t, p.direct, pl.direct, step{args: "get pods -l app=idle -o name"})) +
		` --type=json -p [{"op":"remove","path":"/spec/schedulingGates"}]`})
	pods.says(t, "Running;")
	pods.stop(t)
	available.end(t)
	rollout.end(t)
	pl.same(t, []step{
		{args: "rollout status deployment/idle", says: "successfully rolled out"},
		{args: "rollout history deployment/idle", says: "REVISION"},
	})
}

func testWait(t *testing.T, p *parity) {
	p.shared.same(t, []step{
		{args: "wait --for=condition=Available deployment/web --timeout=60s", says: "condition met"},
		{args: "wait --for=jsonpath={.data.colour}=green configmap/apple --timeout=60s", says: "condition met"},
		{args: "wait --for=condition=Ready pod -l app=web --timeout=60s", says: "condition met"},
		{args: "wait --for=condition=Ready pod/nowhere --timeout=0", code: 1, says: "condition not met"},
		{args: "wait --for=condition=Ready pod/nowhere --timeout=2s", code: 1, says: "timed out waiting for the condition"},
		{args: "wait --for=condition=Ready pod/none --timeout=60s", code: 1, says: "(NotFound)"},
		{args: "wait --for=delete pod/none --timeout=60s"},
	})
	pl := p.namespace(t, "wait")
	appears := pl.begin(t, step{args: "wait --for=create configmap/fruit --timeout=60s", says: "condition met"})
	pl.prepare(t, step{args: "create -f -", in: fruit})
	appears.end(t)
	reddens := pl.begin(t, step{args: "wait --for=jsonpath={.data.colour}=red configmap/fruit --timeout=60s -o name", says: "configmap/fruit"})
	pl.prepare(t, step{args: "replace -f -", in: redFruit})
	reddens.end(t)
}
