package act

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components/golden"
	plans "github.com/fieldmark/fieldmark/kube/act"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

func podOf(name, controller string) string {
	owners := ""
	if controller != "" {
		owners = fmt.Sprintf(`,"ownerReferences":[{"kind":%q,"name":"c","uid":"c1","controller":true}]`, controller)
	}
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":%q,"namespace":"shop","uid":"u-%s"%s}}`, name, name, owners)
}

// cordoned is the page of a drain of a node with one Pod, after the cordon was accepted.
func cordoned(t *testing.T) *browser {
	t.Helper()
	node := `{"apiVersion":"v1","kind":"Node","metadata":{"name":"n","uid":"n1","resourceVersion":%q},"spec":{%s}}`
	m := Model{
		Frame: page.Frame{Shell: shell.Model{Cluster: shell.Cluster{Slug: "practice", Name: "practice"}}}, Practice: true, Now: noon,
		Query: ParseQuery(url.Values{"act": {"drain"}, "path": {"/api/v1/nodes/n"}}),
	}
	m.Targets = []Target{{
		Path: apipath.Object("", "v1", "", "nodes", "n"), Type: discovery.Type{Version: "v1", Resource: "nodes", Kind: "Node", Verbs: []string{"get", "patch"}},
		Object: parsed(t, fmt.Sprintf(node, "7", "")), At: noon,
		Found: plans.Found{"pods": {Objects: []object.Object{parsed(t, podOf("one", "ReplicaSet"))}}, "budgets": {}},
	}}
	b := begun(t, m)
	b.answer(dry, 200, fmt.Sprintf(node, "7", `"unschedulable":true`))
	b.answer(dry, 201, success)
	b.answer(review, 201, allowed)
	b.answer(review, 201, allowed)
	b.do(doSend)
	b.answer(write, 200, fmt.Sprintf(node, "8", `"unschedulable":true`))
	if got := states(b.m); got != "done planned" || !b.m.busy() {
		t.Fatalf("before the Pods are read again: %s", got)
	}
	return b
}

func lists(word string) func(page.Call) bool {
	return func(c page.Call) bool { return get(c) && strings.Contains(c.Path, word) }
}

func listed(items ...string) string {
	return `{"kind":"List","items":[` + strings.Join(items, ",") + `]}`
}

// A Pod may come between the plan and the cordon.
func TestADrainEvictsWhatCameBeforeTheCordon(t *testing.T) {
	b := cordoned(t)
	b.answer(lists("/api/v1/pods"), 200, listed(podOf("one", "ReplicaSet"), podOf("late", "Job")))
	b.answer(lists("poddisruptionbudgets"), 200, listed())
	if got := states(b.m); got != "done sending sending" || !strings.Contains(b.open(), "pods/late/eviction") {
		t.Errorf("%s: %s", got, b.open())
	}
}

func TestADrainStopsIfWhatCameNeedsAChoice(t *testing.T) {
	b := cordoned(t)
	b.answer(lists("/api/v1/pods"), 200, listed(podOf("one", "ReplicaSet"), podOf("alone", "")))
	b.answer(lists("poddisruptionbudgets"), 200, listed())
	if got := states(b.m); got != "done stopped" || len(b.under) > 0 {
		t.Fatalf("%s: %s", got, b.open())
	}
	html := golden.Render(t, page.Main(b.m))
	for _, want := range []string{"data-halted", "shop/alone", "1 of 2 steps done. 1 request was stopped.", ">Uncordon the node</button>"} {
		if !strings.Contains(html, want) {
			t.Errorf("%q is missing", want)
		}
	}
}

func TestADrainStopsIfThePodsCanNoLongerBeListed(t *testing.T) {
	b := cordoned(t)
	b.answer(lists("/api/v1/pods"), 403, refusal(403, "Forbidden"))
	b.answer(lists("poddisruptionbudgets"), 200, listed())
	if got := states(b.m); got != "done stopped" || !strings.Contains(golden.Render(t, page.Main(b.m)), "refused to list the Pods of the node again") {
		t.Error(got)
	}
}

func TestADrainCanBeStoppedWhileItReads(t *testing.T) {
	b := cordoned(t)
	b.do(doStop)
	b.answer(lists("/api/v1/pods"), 200, listed(podOf("one", "ReplicaSet"), podOf("late", "Job")))
	if got := states(b.m); got != "done stopped" || b.m.busy() {
		t.Errorf("%s: %s", got, b.open())
	}
}

// What exists already hasn't changed: the request is refused.
func TestAnObjectThatExistsIsARefusal(t *testing.T) {
	b := ready(t, "act=scale&replicas=5", "web")
	b.do(doSend)
	b.answer(write, 409, refusal(409, "AlreadyExists"))
	if got := states(b.m); got != "refused" || len(b.under) > 0 {
		t.Errorf("%s: %s", got, b.open())
	}
}

// A 404 means success only to what deletes the object.
func TestAnObjectThatIsGoneIsARefusal(t *testing.T) {
	for _, query := range []string{"act=pause", "act=scale&replicas=5"} {
		b := ready(t, query, "web")
		b.do(doSend)
		b.answer(write, 404, refusal(404, "NotFound"))
		if got := states(b.m); got != "refused" || strings.Contains(golden.Render(t, page.Main(b.m)), "has accepted the request") {
			t.Errorf("%s: %s", query, got)
		}
	}
}

// Who takes an act back while the objects are read again waits for no read.
func TestTakingBackEndsTheReads(t *testing.T) {
	b := drained(t, time.Minute)
	b.do(doSend)
	for range 3 {
		b.answer(write, 201, success)
	}
	b.do(doTry)
	if !b.m.reading() {
		t.Fatal("nothing is read again")
	}
	b.do(doUndo)
	if b.m.reading() {
		t.Errorf("the page still reads: %s", b.open())
	}
}

func TestSeveralChangedObjectsAreSummedUp(t *testing.T) {
	b := ready(t, "act=scale&replicas=5", "a", "b")
	b.do(doSend)
	b.answer(write, 409, refusal(409, "Conflict"))
	b.answer(write, 200, scaled)
	b.answer(func(c page.Call) bool { return get(c) && c.Path == pathOf("a") }, 200, deployment("a", "8", 4, 4))
	b.answer(lists("horizontalpodautoscalers"), 200, listed())
	b.pass(4 * time.Second)
	b.answer(func(c page.Call) bool { return get(c) && c.Path == pathOf("b") }, 200, deployment("b", "10", 5, 5))
	if got := b.m.sum(); !strings.Contains(got, "refused 1 request, because the objects had changed") {
		t.Errorf("%q", got)
	}
}

// An autoscaler writes its number after the scale is done.
func TestAScaleThatSomebodyChangesLaterIsNotDone(t *testing.T) {
	b := ready(t, "act=scale&replicas=5", "web")
	now := func(kind wire.MessageType, text string) {
		m := wire.Message{Type: kind, ID: 1, Gen: 1, ResourceVersion: "7"}
		if text != "" {
			m.Objects = []json.RawMessage{json.RawMessage(text)}
		}
		b.send(page.Received{Message: m, At: noon})
	}
	changed := func(version string, wants int) {
		b.send(page.Received{Message: wire.Message{Type: wire.Events, ID: 1, Gen: 1, ResourceVersion: version, Events: []wire.Event{
			{Type: watch.Modified, Object: json.RawMessage(deployment("web", version, wants, wants))},
		}}, At: noon})
	}
	b.send(page.Connection{State: page.Open})
	now(wire.Rows, deployment("web", "7", 3, 3))
	now(wire.Synced, "")
	b.do(doSend)
	b.answer(write, 200, scaled)
	changed("12", 5)
	if got := states(b.m); got != "done" {
		t.Fatal(got)
	}
	changed("13", 4)
	if got := b.m.jobs()[0]; got.state != Failed || !strings.Contains(got.progress.Words, "Somebody has changed the number of replicas to 4") {
		t.Errorf("%s: %s", got.state, got.progress.Words)
	}
}
