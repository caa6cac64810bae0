package assist

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

const (
	gitopsKey = "gitops|Apply||apps/v1"
	scalerKey = "autoscaler|Update|scale|apps/v1"
)

// The two versions of a fight: each manager's entry is gone from the record, or smaller, while the other holds the field.
func fight(t testing.TB, version string, gitops bool) object.Object {
	t.Helper()
	if gitops {
		return deployment(t, version, entry("gitops/Apply", `{"f:spec":{"f:replicas":{},"f:paused":{}}}`))
	}
	return deployment(t, version, entry("gitops/Apply", `{"f:spec":{"f:paused":{}}}`), entry("autoscaler/Update/scale", `{"f:spec":{"f:replicas":{}}}`))
}

func marshal(t testing.TB, o object.Object) []byte {
	t.Helper()
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// hears tells the page of a version, and answers what it asks for until it asks no more. It returns the dry runs that were asked for.
func hears(t testing.TB, m Model, o object.Object) (Model, []page.Call) {
	t.Helper()
	m, commands := after(t, m, page.Received{Message: wire.Message{ID: subscription, Type: wire.Events, Events: []wire.Event{{Type: watch.Modified, Object: marshal(t, o)}}}})
	var tried []page.Call
	for i := 0; len(commands) > 0 && i < 20; i++ {
		c := commands[0]
		commands = commands[1:]
		call, ok := c.(page.Call)
		switch {
		case !ok:
		case call.Method == "GET":
			next, more := after(t, m, fetched(t, call.ID, o))
			m, commands = next, append(commands, more...)
		default:
			tried = append(tried, call)
			m, _ = after(t, m, fetched(t, call.ID, o))
		}
	}
	return m, tried
}

func shown(t testing.TB, m Model) string {
	t.Helper()
	var b strings.Builder
	if err := page.Main(m).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestAPlanStaysWhileTheFieldChangesHands(t *testing.T) {
	m, commands := begun(t, fight(t, "1", true), url.Values{QueryFrom: {gitopsKey}, QueryField: {".spec.replicas"}, QueryTo: {scalerKey}})
	title := m.live.run.plan.Title
	if len(m.live.run.steps) != 2 || len(sends(commands)) != 1 {
		t.Fatalf("%q, %+v", m.sum(), commands)
	}
	for i, version := range []string{"2", "3", "4", "5"} {
		gitops := i%2 == 1
		m, _ = hears(t, m, fight(t, version, gitops))
		r := m.live.run
		if r.err != nil || len(r.steps) != 2 || r.plan.Title != title || r.stateOf(0) != "ready" {
			t.Fatalf("version %s: %q, %+v", version, m.sum(), r)
		}
		if r.state.Meta("resourceVersion") != version {
			t.Errorf("version %s: the plan is for %s", version, r.state.Meta("resourceVersion"))
		}
		if c := strings.Join(r.shown.Consequences, " "); !strings.Contains(c, ".spec.replicas has changing owners") {
			t.Errorf("version %s: %q", version, c)
		}
		if to := m.takers(); len(to) != 1 || to[0].Name != "autoscaler" || (to[0].wrote == "not a manager in this version") != gitops {
			t.Errorf("version %s: %+v", version, to)
		}
		html := shown(t, m)
		if strings.Contains(html, "not owned in this version") == gitops || !strings.Contains(html, `data-field=".spec.replicas"`) {
			t.Errorf("version %s: %s", version, html)
		}
		if !strings.Contains(html, "autoscaler updates scale, like an autoscaler.") || !strings.Contains(html, "A HorizontalPodAutoscaler writes as kube-controller-manager (Update, scale).") {
			t.Errorf("version %s does not tell the autoscalers apart: %s", version, html)
		}
	}
	if m.Choice.From != gitopsKey || !slices.Equal(m.Choice.Fields, []string{".spec.replicas"}) || m.Choice.To != scalerKey {
		t.Errorf("the choice becomes %+v", m.Choice)
	}
}

// TestAReadIsOvertakenTwice: what the page reads a second time may have changed again before the answer arrives.
func TestAReadIsOvertakenTwice(t *testing.T) {
	m, _ := begun(t, fight(t, "1", true), url.Values{QueryFrom: {gitopsKey}, QueryField: {".spec.replicas"}, QueryTo: {scalerKey}})
	event := func(version string, gitops bool) page.Received {
		return page.Received{Message: wire.Message{ID: subscription, Type: wire.Events, Events: []wire.Event{{Type: watch.Modified, Object: marshal(t, fight(t, version, gitops))}}}}
	}
	read := func(commands []page.Cmd) string {
		t.Helper()
		for _, c := range commands {
			if call, ok := c.(page.Call); ok && call.Method == "GET" {
				return call.ID
			}
		}
		t.Fatalf("nothing is read: %+v", commands)
		return ""
	}
	m, commands := after(t, m, page.Connection{State: page.Open}, page.Received{Message: wire.Message{ID: subscription, Type: wire.Synced}}, event("2", false))
	m, commands = after(t, m, fetched(t, read(commands), fight(t, "1", true)))
	id := read(commands)
	m, _ = after(t, m, event("3", true), event("4", false))
	m, commands = after(t, m, fetched(t, id, fight(t, "3", true)))
	m, commands = after(t, m, fetched(t, read(commands), fight(t, "4", false)))
	if got := m.live.raw.Object.Meta("resourceVersion"); got != "4" {
		t.Errorf("the page stays at version %s", got)
	}
	for _, c := range commands {
		if call, ok := c.(page.Call); ok && call.Method == "GET" {
			t.Errorf("it is read again: %+v", call)
		}
	}
}

func TestALookInTheWrongMomentSaysWhoOwnsTheField(t *testing.T) {
	m, _ := begun(t, fight(t, "1", false), url.Values{QueryFrom: {gitopsKey}, QueryField: {".spec.replicas"}, QueryTo: {scalerKey}})
	if want := "gitops (Apply) owns none of these fields in this version of the object. .spec.replicas is owned by autoscaler (Update, scale)."; m.sum() != want {
		t.Errorf("%q", m.sum())
	}
	m, tried := hears(t, m, fight(t, "2", true))
	if len(tried) == 0 || len(m.live.run.steps) != 2 {
		t.Fatalf("%q", m.sum())
	}
	if m, _ = hears(t, m, fight(t, "3", false)); len(m.live.run.steps) != 2 {
		t.Errorf("%q", m.sum())
	}
}

func TestAHalfRunSequenceGoesOnAsItWasPlanned(t *testing.T) {
	m, commands := begun(t, two(t), handing())
	m, _ = after(t, m, fetched(t, sends(commands)[0].ID, two(t)))
	m, commands = after(t, m, page.Acted{Action: doSend})
	shared := deployment(t, "8", entry("ada/Apply", adas), entry("bob/Apply", `{"f:metadata":{"f:labels":{"f:app":{}}},"f:spec":{"f:replicas":{}}}`))
	// The write is heard of before it is answered: nothing is planned or tried meanwhile.
	m, tried := hears(t, m, shared)
	if len(tried) > 0 || !m.sending() {
		t.Fatalf("%+v", tried)
	}
	m, commands = after(t, m, fetched(t, sends(commands)[0].ID, shared))
	second := m.live.run.plan.Steps[1]
	m, _ = after(t, m, fetched(t, sends(commands)[0].ID, shared))
	if m.live.run.moved {
		t.Error("the page's own write is taken for another's")
	}
	others := deployment(t, "9", entry("ada/Apply", adas), entry("bob/Apply", `{"f:spec":{"f:replicas":{}}}`), entry("eve/Update", `{"f:metadata":{"f:labels":{"f:team":{}}}}`))
	m, tried = hears(t, m, others)
	if len(tried) != 1 || m.live.run.at != 1 || !bytes.Equal(tried[0].Body, second.Request.Body) || !m.live.run.moved || m.unready() != "" {
		t.Fatalf("at %d: %+v, %q", m.live.run.at, tried, m.unready())
	}
	if !strings.Contains(shown(t, m), "The object has changed") {
		t.Error("it is not said that others changed the object")
	}
	m, commands = after(t, m, page.Acted{Action: doSend})
	left := deployment(t, "10", entry("ada/Apply", `{"f:spec":{"f:paused":{}}}`), entry("bob/Apply", noLabel))
	m, _ = after(t, m, fetched(t, sends(commands)[0].ID, left))
	if m, tried = hears(t, m, left); !m.live.run.over() || len(tried) > 0 {
		t.Errorf("%q: %+v", m.sum(), tried)
	}
	// What the sequence itself took is no fight.
	m, commands = after(t, m, page.Acted{Action: doPlan})
	m, _ = after(t, m, fetched(t, commands[0].(page.Call).ID, left))
	if !strings.HasPrefix(m.sum(), "ada (Apply) owns none of these fields in this version") {
		t.Errorf("%q", m.sum())
	}
}

func TestADeletedObjectIsSentNothing(t *testing.T) {
	m, commands := begun(t, two(t), handing())
	m, _ = after(t, m, fetched(t, sends(commands)[0].ID, two(t)))
	text, err := json.Marshal(two(t))
	if err != nil {
		t.Fatal(err)
	}
	m, commands = after(t, m, page.Received{Message: wire.Message{ID: subscription, Type: wire.Events, Events: []wire.Event{{Type: watch.Deleted, Object: text}}}})
	if len(commands) > 0 || m.unready() != "The object has been deleted." || !strings.Contains(shown(t, m), "The object has been deleted") {
		t.Errorf("%+v, %q", commands, m.unready())
	}
}

func TestKeysNameManagers(t *testing.T) {
	for text, want := range map[string]string{gitopsKey: "gitops", scalerKey: "autoscaler", "a|b|Apply||v1": "a|b", "a|b": "", "": "", "a|Eat||v1": ""} {
		m, ok := manager.ParseKey(text)
		if m.Name != want || ok != (want != "") || ok && m.Key() != text {
			t.Errorf("%q names %+v", text, m)
		}
	}
}
