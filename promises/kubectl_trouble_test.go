package promises

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// troubles are pods that crash, have ended, wait, have no shell, or write what hurts its readers.
const troubles = `
{apiVersion: v1, kind: Pod, metadata: {name: crashing, annotations: {practice.fieldmark.dev/crash: Error, practice.fieldmark.dev/crash-after: 1s}},
  spec: {containers: [{name: app, image: "example.com/mailer:1"}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: ended, annotations: {practice.fieldmark.dev/crash: Error, practice.fieldmark.dev/crash-after: 1s}},
  spec: {restartPolicy: Never, containers: [{name: app, image: "example.com/mailer:1"}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: waiting, annotations: {practice.fieldmark.dev/waiting.app: ImagePullBackOff}},
  spec: {containers: [{name: side, image: "example.com/two:1"}, {name: app, image: "example.com/mailer:1"}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: bare, annotations: {practice.fieldmark.dev/log-style: hostile, practice.fieldmark.dev/log-lines-per-second: "500"}},
  spec: {containers: [{name: app, image: gcr.io/distroless/static}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: odd, annotations: {practice.fieldmark.dev/log-style: binary, practice.fieldmark.dev/log-style.endless: endless,
  practice.fieldmark.dev/log-lines-per-second: "500"}}, spec: {containers: [{name: binary, image: "example.com/a:1"}, {name: endless, image: "example.com/b:1"}]}}
`

// testTrouble reads logs of pods that aren't well, and tries to run commands in them.
func testTrouble(t *testing.T, p *parity) {
	pl := p.namespace(t, "trouble")
	pl.prepare(t, step{args: "apply -f -", in: troubles})
	pl.until(t, "get pod ended -o jsonpath={.status.phase}", "Failed")
	pl.until(t, "get pod waiting -o jsonpath={.status.containerStatuses[1].state.waiting.reason}", "ImagePullBackOff")
	pl.until(t, "get pod crashing -o jsonpath={.status.containerStatuses[0].state.waiting.reason}", "CrashLoopBackOff")
	pl.until(t, "logs odd -c binary --tail=1", "\n") // each style begins after two seconds
	pl.until(t, "logs bare --tail=50", "\x1b")
	steps := []step{
		{args: "logs crashing --previous", says: `"msg":"exiting","code":1`},
		{args: "logs ended -f --timestamps", says: `"msg":"exiting","code":1`},
		{args: "logs waiting -c app", code: 1, says: "is waiting to start: trying and failing to pull image"},
		{args: "logs waiting -c side --limit-bytes=100", says: `"msg":"starting"`},
		{args: "logs bare --limit-bytes=1000000", says: "\x1b"},
		{args: "logs odd -c binary --limit-bytes=20000", says: "\x00"},
		{args: "logs odd -c endless --timestamps --limit-bytes=40000", says: "Z "},
		{args: "logs odd -c binary --tail=0"},
		{args: "logs -l app=none", says: "No resources found"},
		{args: "cp ended:/etc/hostname /tmp/hostname", code: 1, says: "cannot exec into a container in a completed pod"},
		{args: "port-forward pod/ended :80", code: 1, says: "Current status=Failed"},
	}
	for _, proto := range protocols {
		steps = append(steps,
			step{args: "exec waiting -c app -- true", env: proto.exec, code: 1, says: `container not found ("app")`},
			step{args: "exec ended -- true", env: proto.exec, code: 1, says: "cannot exec into a container in a completed pod"},
			step{args: "attach waiting -c app", env: proto.exec, code: 1, says: `container not found ("app")`},
			step{args: "exec bare -- sh", env: proto.exec, code: 1, says: `exec: "sh": executable file not found in $PATH`},
			step{args: "exec -i waiting -c side -- sh", in: "nothing\nexit 42\n", env: proto.exec, code: 42, says: "sh: nothing: not found\ncommand terminated with exit code 42"},
		)
	}
	pl.same(t, steps)
}

// lines of a log differ from pod to pod.
var lines = pattern(`(?m)^\{.*\}\n`, "")

// testEnd deletes pods while commands run in them and their logs are followed.
func testEnd(t *testing.T, p *parity) {
	for _, proto := range protocols {
		t.Run(proto.name, func(t *testing.T) {
			t.Parallel()
			pl := p.twins(t, "end-"+strings.ToLower(proto.name))
			pl.prepare(t, step{args: "create -f -", in: `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "one"}, "spec": {"containers": [
				{"name": "main", "image": "example.com/one:1", "command": ["cat"], "stdin": true}, {"name": "side", "image": "example.com/two:1"}]}}`})
			pl.prepare(t, step{args: "wait --for=condition=Ready pod/one --timeout=60s"})
			runs := []both{
				pl.begin(t, step{args: "exec -i one -c main -- cat", env: proto.exec, code: 137, says: "command terminated with exit code 137"}),
				pl.begin(t, step{args: "exec one -c main -- tail -f /etc/hostname", env: proto.exec, code: 137, says: "command terminated with exit code 137"}),
				pl.begin(t, step{args: "logs -f one -c side", says: `"msg":"exiting","code":143`, differ: []rule{lines}}),
			}
			for _, r := range []*running{runs[0].direct, runs[0].through} {
				if _, err := r.stdin.Write([]byte("begun\n")); err != nil {
					t.Fatal(err)
				}
			}
			for i, text := range []string{"begun\n", "one\n", `"msg":"starting"`} {
				runs[i].says(t, text)
			}
			for _, r := range runs {
				r.stillRuns(t)
			}
			pl.prepare(t, step{args: "delete pod one --wait=false"})
			for _, r := range runs {
				r.end(t)
			}
		})
	}
}

// lastWords are what tar in the container says beside the archive. kubectl cp ends at the end of the archive, whether it has read them by then or not.
var lastWords = pattern(`(?m)^tar: removing leading .*\n`, "")

// testCopy copies a folder into a container and out of it again.
func testCopy(t *testing.T, p *parity) {
	pl := p.twins(t, "copy")
	pl.prepare(t, step{args: "run one --image=example.com/one:1"})
	pl.prepare(t, step{args: "wait --for=condition=Ready pod/one --timeout=60s"})
	here, there := t.TempDir(), t.TempDir()
	content := random(t, 200_000)
	if err := os.WriteFile(filepath.Join(here, "large ½"), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	pl.same(t, []step{
		{args: "cp " + here + " one:/tmp/folder"},
		{args: "exec one -- ls /tmp/folder", says: "large ½\n"},
		{args: "cp one:/tmp/folder " + there + "/{ns}", differ: []rule{lastWords}},
		{args: "cp " + here + "/none one:/tmp/none", code: 1, says: "doesn't exist in local filesystem"},
		{args: "cp " + here + " none:/tmp/folder", code: 1, says: "(NotFound)"},
	})
	for _, namespace := range []string{pl.direct, pl.through} {
		if got, err := os.ReadFile(filepath.Join(there, namespace, "large ½")); err != nil || string(got) != content {
			t.Errorf("%s: %d bytes of %d came back, %v", namespace, len(got), len(content), err)
		}
	}
}

// debuggers are the names of pods that kubectl debug makes on a node.
var debuggers = pattern(`(node-debugger-node-1-)\w{5}\b`, "${1}RANDOM")

// testDebug debugs a pod, a copy of it, and a node.
func testDebug(t *testing.T, p *parity) {
	pl := p.twins(t, "debug")
	pl.prepare(t, step{args: "run one --image=example.com/one:1"})
	pl.prepare(t, step{args: "wait --for=condition=Ready pod/one --timeout=60s"})
	shop := strings.TrimPrefix(strings.Fields(p.must(t, p.direct, "shop", step{args: "get pods -o name"}))[0], "pod/")
	pl.same(t, []step{
		{args: "debug -i one --image=busybox --container=look", in: "echo on $HOSTNAME\nexit 3\n", says: "on one\n"},
		{args: "debug -i one --image=busybox --container=look", code: 1, says: "Forbidden: existing ephemeral containers"},
		{args: "get pod one -o jsonpath={.spec.ephemeralContainers[*].name}", says: "look"},
		{args: "debug -i one --copy-to=two --image=busybox --container=look", in: "echo on $HOSTNAME\n", says: "on two\n"},
		{args: "debug one --copy-to=three --set-image=*=example.com/new:2"},
		{args: "get pod three -o jsonpath={.spec.containers[*].image}", says: "example.com/new:2"},
		{args: "debug -i node/node-1 --image=busybox", in: "echo on $HOSTNAME\n", says: "Creating debugging pod", differ: []rule{debuggers}},
		{args: "debug -i none --image=busybox", code: 1, says: "(NotFound)"},
		{args: "debug -n shop -i " + shop + " --image=busybox --container=look", viewer: true, code: 1, says: `cannot patch resource "pods/ephemeralcontainers"`},
	})
}

// testUndo rolls back, and is refused where that isn't possible.
func testUndo(t *testing.T, p *parity) {
	pl := p.twins(t, "undo")
	observed := func(generation string) step {
		return step{args: "wait --for=jsonpath={.status.observedGeneration}=" + generation + " deployment/idle --timeout=60s", says: "condition met"}
	}
	pl.same(t, []step{
		{args: "create -f -", in: idle, says: "created"},
		observed("1"),
		{args: "rollout undo deployment/idle", code: 1, says: "no rollout history found"},
		{args: "set image deployment/idle none=example.com/one:2", code: 1, says: `unable to find container named "none"`},
		{args: "set image deployment/idle one=example.com/one:2", says: "image updated"},
		observed("2"),
		{args: "wait --for=jsonpath={.metadata.annotations.deployment\\.kubernetes\\.io/revision}=2 deployment/idle --timeout=60s", says: "condition met"},
		{args: "rollout history deployment/idle", says: "2         <none>"},
		{args: "rollout history deployment/idle --revision=1", says: "example.com/one:1"},
		{args: "rollout history deployment/idle --revision=9", code: 1, says: "unable to find the specified revision"},
		{args: "rollout undo deployment/idle --dry-run=server", says: "rolled back (server dry run)"},
		{args: "rollout undo deployment/idle --to-revision=9", code: 1, says: "unable to find specified revision 9"},
		{args: "rollout undo deployment/idle", says: "rolled back"},
		{args: "get deployment idle -o jsonpath={.spec.template.spec.containers[*].image}", says: "example.com/one:1 example.com/two:1"},
		{args: "rollout pause deployment/idle", says: "paused"},
		{args: "rollout undo deployment/idle", code: 1, says: "cannot rollback a paused deployment"},
		{args: "rollout restart deployment/idle", code: 1, says: "can't restart paused deployment"},
		{args: "rollout status configmap/kube-root-ca.crt", code: 1, says: "no status viewer has been implemented"},
		{args: "scale deployment none --replicas=1", code: 1, says: "not found"},
		{args: "scale deployment idle --replicas=3 --timeout=60s --current-replicas=0", says: "scaled"},
	})
}
