package assist

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/assist"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// stopQuery is the query of the address that every mark of a fight leads to.
func stopQuery(t testing.TB, more url.Values, keys ...string) url.Values {
	t.Helper()
	var managers []ownership.Manager
	for _, key := range keys {
		m, ok := ownership.ParseKey(key)
		if !ok {
			t.Fatal(key)
		}
		managers = append(managers, m)
	}
	address, err := url.Parse(web.Stop("practice", path, ".spec.replicas", managers...))
	if err != nil {
		t.Fatal(err)
	}
	query := address.Query()
	for name, values := range more {
		query[name] = values
	}
	return query
}

// scaled is a version of a fight with a number of replicas.
func scaled(t testing.TB, version string, gitops bool, replicas string) object.Object {
	t.Helper()
	text, err := json.Marshal(fight(t, version, gitops))
	if err != nil {
		t.Fatal(err)
	}
	o, err := object.Parse([]byte(strings.Replace(string(text), `"replicas":3`, `"replicas":`+replicas, 1)))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// comes tells the page of a version at a time, and answers nothing.
func comes(t testing.TB, m Model, o object.Object, at time.Time) Model {
	t.Helper()
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	m, _ = after(t, m, page.Tick{Now: at}, page.Received{At: at, Message: wire.Message{ID: subscription, Type: wire.Events, Events: []wire.Event{{Type: watch.Modified, Object: text}}}})
	return m
}

// connected is a page that receives changes.
func connected(t testing.TB, m Model) Model {
	t.Helper()
	text, err := json.Marshal(m.Object)
	if err != nil {
		t.Fatal(err)
	}
	m, _ = after(t, m, page.Connection{State: page.Open},
		page.Received{At: m.Now, Message: wire.Message{ID: subscription, Type: wire.Rows, Gen: 1, Objects: []json.RawMessage{text}}},
		page.Received{At: m.Now, Message: wire.Message{ID: subscription, Type: wire.Synced, Gen: 1}})
	return m
}

func TestWhoWantsWhat(t *testing.T) {
	m, _ := begun(t, scaled(t, "1", true, "3"), stopQuery(t, nil, gitopsKey, "kube-controller-manager|Update|scale|apps/v1"))
	if m.Choice.Do != StopFight || m.Choice.contested() != ".spec.replicas" || len(m.Choice.Managers) != 2 {
		t.Fatalf("%+v", m.Choice)
	}
	m = comes(t, m, scaled(t, "2", false, "5"), m.Now.Add(4*time.Second))
	var got []string
	for _, p := range m.parties() {
		got = append(got, p.Name+" "+p.wants())
	}
	if want := []string{"gitops 3", "kube-controller-manager not seen yet", "autoscaler 5"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	html := shown(t, m)
	for _, want := range []string{"is now <b>5</b>", "its value has changed 1 time, and its owners 1 time", "not an owner since this page was opened", "Choose one of the ways."} {
		if !strings.Contains(html, want) {
			t.Errorf("no %q in %s", want, html)
		}
	}
}

func TestTheWaysAreTriedOnceForEachOwner(t *testing.T) {
	m, commands := begun(t, scaled(t, "1", true, "3"), stopQuery(t, nil, gitopsKey, scalerKey))
	var tries []page.Call
	for _, c := range sends(commands) {
		if strings.HasPrefix(c.ID, askTry) {
			tries = append(tries, c)
			if !strings.Contains(c.Path, "dryRun=All") {
				t.Errorf("%s is no dry run", c.Path)
			}
		}
	}
	if len(tries) != 3 {
		t.Fatalf("%d ways were tried: %+v", len(tries), tries)
	}
	for _, c := range tries {
		m, _ = after(t, m, fetched(t, c.ID, scaled(t, "1", false, "1")))
	}
	html := shown(t, m)
	for _, want := range []string{
		"gitops gives the field up", "replicas: 3  # delete this field", "while gitops (Apply) owned the field", "The value changes from 3 to 1.",
		"is no longer an owner", "Hand over from gitops to autoscaler", "Hand over from autoscaler to gitops",
	} {
		if !strings.Contains(html, want) {
			t.Errorf("no %q in %s", want, html)
		}
	}
	if strings.Contains(html, "autoscaler gives the field up") {
		t.Error("an autoscaler has no manifest")
	}
	if m, tried := hears(t, m, scaled(t, "2", true, "4")); len(tried) > 0 {
		t.Errorf("the same owners again, and still %d dry runs of %d ways", len(tried), len(m.live.trials))
	}
	if m, tried := hears(t, m, scaled(t, "3", false, "5")); len(tried) != 3 || len(m.live.trials) != 3 {
		t.Errorf("other owners, and %d dry runs", len(tried))
	}
}

func TestARefusedTryIsShown(t *testing.T) {
	m, commands := begun(t, scaled(t, "1", true, "3"), stopQuery(t, nil, gitopsKey, scalerKey))
	for _, c := range sends(commands) {
		m, _ = after(t, m, page.Response{ID: c.ID, Status: 403, Body: []byte(`{"kind":"Status","reason":"Forbidden","code":403,"message":"you may not"}`)})
	}
	if html := shown(t, m); !strings.Contains(html, "Tried: the API server refuses it.") || !strings.Contains(html, "you may not") || !strings.Contains(html, "# delete this field") {
		t.Errorf("%s", html)
	}
	if _, tried := hears(t, m, scaled(t, "3", false, "5")); len(tried) > 0 {
		t.Errorf("a refused way is tried again: %+v", tried)
	}
}

// given is the query of the way in which gitops gives the field up.
func given(t testing.TB) url.Values {
	return stopQuery(t, url.Values{QueryWay: {string(WayGiveUp)}, QueryFrom: {gitopsKey}}, gitopsKey, scalerKey)
}

func stepCall(t testing.TB, commands []page.Cmd, what string) page.Call {
	t.Helper()
	for _, c := range sends(commands) {
		if strings.HasPrefix(c.ID, what+" ") {
			return c
		}
	}
	t.Fatalf("no %s in %+v", what, commands)
	return page.Call{}
}

func TestToGiveUpIsSentOnlyIfTheValueStays(t *testing.T) {
	m, commands := begun(t, scaled(t, "1", true, "3"), given(t))
	m, _ = after(t, m, fetched(t, stepCall(t, commands, askDry).ID, deployment(t, "1", entry("gitops/Apply", `{"f:spec":{"f:paused":{}}}`))))
	if m.unready() == "" && len(m.live.run.steps[0].would.Values) > 0 {
		t.Error("an apply that changes the value can be sent")
	}
	m, commands = begun(t, scaled(t, "1", true, "3"), given(t))
	m, _ = after(t, m, fetched(t, stepCall(t, commands, askDry).ID, scaled(t, "1", true, "1")))
	if !strings.HasPrefix(m.unready(), "In this version, nobody else owns the field") {
		t.Errorf("%q", m.unready())
	}
	m, tried := hears(t, m, scaled(t, "2", false, "5"))
	if len(tried) == 0 || m.unready() != "" || !strings.Contains(string(m.live.run.plan.Steps[0].Request.Body), `resourceVersion: "2"`) {
		t.Fatalf("%q, %s", m.unready(), m.live.run.plan.Steps[0].Request.Body)
	}
	// Another version: what was tried for the former one doesn't count.
	m = comes(t, m, scaled(t, "3", false, "6"), m.Now)
	for _, id := range []int{m.live.looking} {
		m, _ = after(t, m, fetched(t, askLook+" "+strconv.Itoa(id), scaled(t, "3", false, "6")))
	}
	if m.unready() != "Fieldmark is waiting for the dry run." {
		t.Errorf("%q", m.unready())
	}
}

func TestAfterTheLastStepItIsWatched(t *testing.T) {
	query := stopQuery(t, url.Values{QueryWay: {string(WayHandOver)}, QueryFrom: {gitopsKey}, QueryTo: {scalerKey}}, gitopsKey, scalerKey)
	m, commands := begun(t, scaled(t, "1", true, "3"), query)
	m = connected(t, m)
	kept := deployment(t, "2", entry("gitops/Apply", `{"f:spec":{"f:replicas":{},"f:paused":{}}}`), entry("handover-to-autoscaler/Apply", `{"f:spec":{"f:replicas":{}}}`))
	left := deployment(t, "3", entry("gitops/Apply", `{"f:spec":{"f:paused":{}}}`), entry("handover-to-autoscaler/Apply", `{"f:spec":{"f:replicas":{}}}`))
	m, _ = after(t, m, fetched(t, stepCall(t, commands, askDry).ID, kept))
	for _, stored := range []object.Object{kept, left} {
		m, commands = after(t, m, page.Acted{Action: doSend})
		m, commands = after(t, m, fetched(t, stepCall(t, commands, askReal).ID, stored))
		for _, c := range sends(commands) {
			m, _ = after(t, m, fetched(t, c.ID, left))
		}
	}
	if !m.live.run.over() || m.live.vigil == nil {
		t.Fatalf("%q", m.sum())
	}
	start := m.Now
	m = comes(t, comes(t, m, kept, start), left, start) // the page's own writes are no fight
	m = comes(t, m, scaled(t, "4", false, "5"), start.Add(3*time.Second))
	if got := m.sum(); got != "Sent. Watching .spec.replicas." {
		t.Fatalf("%q", got)
	}
	m = comes(t, m, scaled(t, "5", true, "3"), start.Add(5*time.Second))
	html := shown(t, m)
	const again = "Sent, but gitops (Apply) wrote .spec.replicas again: its manifest still has the field."
	if m.sum() != again || strings.Count(html, "<b>"+again+"</b>") != 2 || strings.Contains(html, "Done.") || strings.Contains(html, "Quiet for") ||
		!strings.Contains(html, "Written again by gitops (Apply) (3) after 5s. Delete the field in the manifest of gitops.") {
		t.Errorf("%q: %s", m.sum(), html)
	}
	m = comes(t, m, scaled(t, "6", false, "5"), start.Add(7*time.Second))
	m, commands = after(t, m, page.Tick{Now: start.Add(60 * time.Second)})
	html = shown(t, m)
	if m.sum() != ".spec.replicas is quiet." || !strings.Contains(html, "only autoscaler (Update, scale) has changed .spec.replicas since") || len(commands) != 1 {
		t.Errorf("%q, %+v: %s", m.sum(), commands, html)
	}
	m, _ = after(t, m, page.Connection{State: page.Broken})
	if m.sum() != "Changes of the object don’t arrive." {
		t.Errorf("%q", m.sum())
	}
}

// TestARaceIsNoFailure: the server refuses a step, because a manager wrote before it. The step is tried again, for the newest version.
func TestARaceIsNoFailure(t *testing.T) {
	query := stopQuery(t, url.Values{QueryWay: {string(WayHandOver)}, QueryFrom: {gitopsKey}, QueryTo: {scalerKey}}, gitopsKey, scalerKey)
	m, commands := begun(t, scaled(t, "1", true, "3"), query)
	kept := deployment(t, "2", entry("gitops/Apply", `{"f:spec":{"f:replicas":{},"f:paused":{}}}`), entry("handover-to-autoscaler/Apply", `{"f:spec":{"f:replicas":{}}}`))
	m, _ = after(t, m, fetched(t, stepCall(t, commands, askDry).ID, kept))
	m, commands = after(t, m, page.Acted{Action: doSend})
	m, commands = after(t, m, fetched(t, stepCall(t, commands, askReal).ID, kept))
	dry := stepCall(t, commands, askDry)
	if !strings.Contains(string(dry.Body), `resourceVersion: "2"`) {
		t.Errorf("%s", dry.Body)
	}
	m, _ = after(t, m, fetched(t, dry.ID, kept))
	m, commands = after(t, m, page.Acted{Action: doSend})
	m, commands = after(t, m, page.Response{ID: stepCall(t, commands, askReal).ID, Status: 409, Body: []byte(`{"kind":"Status","reason":"Conflict","code":409,"message":"modified"}`)})
	m, commands = after(t, m, fetched(t, commands[0].(page.Call).ID, scaled(t, "3", true, "3")))
	dry = stepCall(t, commands, askDry)
	if m.failed() || m.live.run.at != 1 || !strings.Contains(string(dry.Body), `resourceVersion: "3"`) {
		t.Fatalf("%q: %s", m.sum(), dry.Body)
	}
	m, _ = after(t, m, fetched(t, dry.ID, scaled(t, "3", true, "1")))
	const waiting = "Fieldmark sends the step when the object is in the state of the preview again."
	if html := shown(t, m); m.unready() != waiting || !strings.Contains(html, "the server wrote nothing") || strings.Contains(html, "Send the step again") || !strings.Contains(html, "Don’t send") {
		t.Errorf("%q: %s", m.unready(), html)
	}
	// The object is in the state of the preview again, so the step is sent, without the reader.
	keptAgain := deployment(t, "4", entry("gitops/Apply", `{"f:spec":{"f:replicas":{},"f:paused":{}}}`), entry("handover-to-autoscaler/Apply", `{"f:spec":{"f:replicas":{}}}`))
	m = comes(t, m, keptAgain, m.Now)
	m, commands = after(t, m, fetched(t, askLook+" "+strconv.Itoa(m.live.looking), keptAgain))
	again, commands := after(t, m, fetched(t, stepCall(t, commands, askDry).ID, keptAgain))
	if sent := stepCall(t, commands, askReal); !strings.Contains(string(sent.Body), `resourceVersion: "4"`) || !again.sending() {
		t.Errorf("%+v", commands)
	}
}

// A reader can send a step whose preview is of an earlier version, and take that back.
func TestSendWaitsForTheStateOfThePreview(t *testing.T) {
	query := stopQuery(t, url.Values{QueryWay: {string(WayGiveUp)}, QueryFrom: {gitopsKey}}, gitopsKey, scalerKey)
	m, commands := begun(t, scaled(t, "1", false, "5"), query)
	m = connected(t, m)
	dry := scaled(t, "1", false, "5")
	m, _ = after(t, m, fetched(t, stepCall(t, commands, askDry).ID, dry))
	look := func(version string, gitops bool) (asked []page.Cmd) {
		o := scaled(t, version, gitops, "6")
		m = comes(t, m, o, m.Now)
		m, asked = after(t, m, fetched(t, askLook+" "+strconv.Itoa(m.live.looking), o))
		return asked
	}
	asked := look("2", true)
	if m.unready() != "Fieldmark is waiting for the dry run." || !m.sendsLater() {
		t.Fatalf("%q", m.unready())
	}
	m, commands = after(t, m, page.Acted{Action: doSend})
	if len(sends(commands)) > 0 || m.sendsLater() {
		t.Fatalf("%+v", commands)
	}
	m, commands = after(t, m, fetched(t, stepCall(t, asked, askDry).ID, scaled(t, "2", true, "1"))) // another state than that of the preview
	if len(sends(commands)) > 0 || !strings.HasPrefix(m.unready(), "Fieldmark sends the step when") {
		t.Fatalf("%q, %+v", m.unready(), commands)
	}
	kept, _ := after(t, m, page.Acted{Action: doKeep})
	if !strings.HasPrefix(kept.unready(), "In this version, nobody else owns the field") {
		t.Errorf("%q", kept.unready())
	}
	m.live.run.steps[0].waits = true // kept shares it
	asked = look("3", false)
	m, commands = after(t, m, fetched(t, stepCall(t, asked, askDry).ID, scaled(t, "3", false, "6")))
	if sent := stepCall(t, commands, askReal); !strings.Contains(string(sent.Body), `resourceVersion: "3"`) || !m.sending() {
		t.Errorf("%+v", commands)
	}
}

func TestWatchingByItself(t *testing.T) {
	m, _ := begun(t, scaled(t, "1", true, "3"), stopQuery(t, nil, gitopsKey, scalerKey))
	m = connected(t, m)
	m, _ = after(t, m, page.Acted{Action: doWatch})
	if m.sum() != "Watching .spec.replicas." {
		t.Errorf("%q", m.sum())
	}
	start := m.Now
	m, _ = after(t, m, page.Tick{Now: start.Add(assist.LeastQuiet)})
	if html := shown(t, m); m.sum() != ".spec.replicas is quiet." || !strings.Contains(html, "nobody has changed .spec.replicas since") || !strings.Contains(html, "hasn’t seen the fight itself") {
		t.Errorf("%q: %s", m.sum(), html)
	}
	m, _ = after(t, m, page.Acted{Action: doUnwatch})
	if m.live.vigil != nil {
		t.Error("it watches still")
	}
}

const autoscalers = `{"kind":"HorizontalPodAutoscalerList","apiVersion":"autoscaling/v2","metadata":{},"items":[{"metadata":{"name":"web","namespace":"shop","resourceVersion":"9"},"spec":{"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"},"minReplicas":2,"maxReplicas":6}}]}`

func TestTheLimitOfAnAutoscaler(t *testing.T) {
	hpa := "kube-controller-manager|Update|scale|apps/v1"
	query := stopQuery(t, url.Values{QueryWay: {string(WayLimit)}, QueryName: {"web"}, QueryLimit: {"9"}}, gitopsKey, hpa)
	m, _ := begun(t, scaled(t, "1", true, "9"), query)
	if m.live.scalers.seq == 0 || !strings.HasPrefix(m.live.run.err.Error(), "Fieldmark hasn’t found this autoscaler") {
		t.Fatalf("%+v, %v", m.live.scalers, m.live.run.err)
	}
	m, commands := after(t, m, page.Response{ID: askScalers + " " + strconv.Itoa(m.live.scalers.seq), Status: 200, Body: []byte(autoscalers)})
	call := stepCall(t, commands, askDry)
	if call.Path != "/apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers/web?dryRun=All&fieldManager=fieldmark" || !strings.Contains(string(call.Body), `{"op":"replace","path":"/spec/maxReplicas","value":9}`) {
		t.Errorf("%+v", call)
	}
	html := shown(t, m)
	for _, want := range []string{"HorizontalPodAutoscaler web (min 2, max 6)", "Set maxReplicas of HorizontalPodAutoscaler web to 9", "gitops wants 9 replicas, but the limit maxReplicas is 6"} {
		if !strings.Contains(html, want) {
			t.Errorf("no %q in %s", want, html)
		}
	}
	moved := `{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"web","namespace":"shop","resourceVersion":"10"},"spec":{"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"},"minReplicas":2,"maxReplicas":9}}`
	m, _ = after(t, m, page.Response{ID: call.ID, Status: 200, Body: []byte(moved)})
	if m.unready() != "" {
		t.Fatalf("%q", m.unready())
	}
	m, commands = after(t, m, page.Acted{Action: doSend})
	m, _ = after(t, m, page.Response{ID: stepCall(t, commands, askReal).ID, Status: 200, Body: []byte(moved)})
	if !m.live.run.over() || m.live.vigil == nil || len(m.live.past.managers) == 0 {
		t.Errorf("%q, %+v", m.sum(), m.live.past)
	}
}

func TestToolsRulesAreShownAndNotTried(t *testing.T) {
	o := deployment(t, "1", entry("argocd-controller/Apply", `{"f:spec":{"f:replicas":{}}}`), entry("kubectl-client-side-apply/Update", `{"f:spec":{"f:replicas":{}}}`))
	m, commands := begun(t, o, stopQuery(t, nil))
	html := shown(t, m)
	for _, want := range []string{"ignoreDifferences:", "Fieldmark can’t try the rule, because Argo CD reads it", "Fieldmark can’t try client-side apply", "data-copy="} {
		if !strings.Contains(html, want) {
			t.Errorf("no %q in %s", want, html)
		}
	}
	if n := len(sends(commands)); n != 3 {
		t.Errorf("%d dry runs", n)
	}
}

func TestWithoutTheProgramWaysAreShown(t *testing.T) {
	m, _ := begun(t, scaled(t, "1", true, "3"), stopQuery(t, url.Values{QueryWay: {string(WayHandOver)}, QueryFrom: {gitopsKey}, QueryTo: {scalerKey}}, gitopsKey, scalerKey))
	m.live = nil
	html := shown(t, m)
	for _, want := range []string{"Who wants what", "# delete this field", "Not tried yet.", "Without the program, send the requests with curl", "watches whether the fight goes on", "id=\"step-1\""} {
		if !strings.Contains(html, want) {
			t.Errorf("no %q in %s", want, html)
		}
	}
}

func TestAFieldIsAskedFor(t *testing.T) {
	m, _ := begun(t, scaled(t, "1", true, "3"), url.Values{QueryDo: {string(StopFight)}})
	if html := shown(t, m); !strings.Contains(html, "Which field?") || !strings.Contains(html, "No field of this object has lost an owner") {
		t.Errorf("%s", html)
	}
	m = comes(t, m, scaled(t, "2", false, "5"), m.Now)
	if html := shown(t, m); !strings.Contains(html, "do=stop-fight&amp;field=.spec.replicas") {
		t.Errorf("%s", html)
	}
}

func TestADryRunThatComesTooLateIsRepeated(t *testing.T) {
	m, commands := begun(t, scaled(t, "1", true, "3"), given(t))
	modified := []byte(`{"kind":"Status","reason":"Conflict","code":409,"message":"modified"}`)
	dry := stepCall(t, commands, askDry)
	for i := range mostOutrun {
		m, commands = after(t, m, page.Response{ID: dry.ID, Status: 409, Body: modified})
		if len(commands) == 0 || m.live.run.steps[0].dry != nil {
			t.Fatalf("after %d times: %+v", i, commands)
		}
		m, commands = after(t, m, fetched(t, commands[0].(page.Call).ID, scaled(t, strconv.Itoa(i+2), false, "5")))
		dry = stepCall(t, commands, askDry)
	}
	m, _ = after(t, m, page.Response{ID: dry.ID, Status: 409, Body: modified})
	if m.unready() != "The API server refuses the step." {
		t.Errorf("%q", m.unready())
	}
}
