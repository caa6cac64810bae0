package act

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components/golden"
	plans "github.com/fieldmark/fieldmark/kube/act"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/object/canary"
	"github.com/fieldmark/fieldmark/kube/patch"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

var deployments = discovery.Type{
	Group: "apps", Version: "v1", Resource: "deployments", Kind: "Deployment", Namespaced: true, Verbs: []string{"get", "list", "patch", "watch"},
	Subresources: []discovery.Subresource{{Name: "scale", Kind: "Scale", Verbs: []string{"get", "patch"}}},
}

// deployment is a Deployment as JSON.
func deployment(name, version string, wants, has int) string {
	return fmt.Sprintf(`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":%q,"namespace":"shop","uid":"u-%s","resourceVersion":%q,"generation":1,
		"managedFields":[{"manager":"ada","operation":"Apply","apiVersion":"apps/v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:replicas":{}}}}]},
		"spec":{"replicas":%d},"status":{"observedGeneration":1,"replicas":%d}}`, name, name, version, wants, has)
}

func parsed(t testing.TB, text string) object.Object {
	t.Helper()
	o, err := object.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func pathOf(name string) string { return "/apis/apps/v1/namespaces/shop/deployments/" + name }

// pageOf is the page of an act on Deployments with these names, as it comes from the server.
func pageOf(t testing.TB, query string, names ...string) Model {
	t.Helper()
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		values.Add("path", pathOf(name))
	}
	m := Model{Frame: page.Frame{Shell: shell.Model{Cluster: shell.Cluster{Slug: "practice", Name: "practice"}}}, Query: ParseQuery(values), Practice: true, Now: noon}
	for _, name := range names {
		p, err := apipath.Parse(pathOf(name))
		if err != nil {
			t.Fatal(err)
		}
		m.Targets = append(m.Targets, Target{Path: p, Type: deployments, Object: parsed(t, deployment(name, "7", 3, 3)), Found: plans.Found{"scalers": {}}, At: noon})
	}
	return m
}

// browser is a page that runs, with the requests that have no response yet.
type browser struct {
	t     testing.TB
	m     Model
	under []page.Call
	cmds  []page.Cmd // the last ones
	now   time.Time
}

func begun(t testing.TB, m Model) *browser {
	t.Helper()
	b := &browser{t: t, now: noon}
	next, commands := m.Awake(noon)
	b.take(next, commands)
	return b
}

func (b *browser) take(next page.Page, commands []page.Cmd) {
	b.m, b.cmds = next.(Model), commands
	for _, c := range commands {
		if call, is := c.(page.Call); is {
			b.under = append(b.under, call)
		}
	}
}

func (b *browser) send(msg page.Msg) { b.take(b.m.Update(msg)) }

func (b *browser) do(action string) { b.send(page.Acted{Action: action}) }

// pass lets time pass, second by second.
func (b *browser) pass(d time.Duration) {
	for range d / time.Second {
		b.now = b.now.Add(time.Second)
		b.send(page.Tick{Now: b.now})
	}
}

// answer responds to the first request that the function takes. Without such a request, the test fails.
func (b *browser) answer(what func(page.Call) bool, status int, body string, headers ...request.Header) page.Call {
	b.t.Helper()
	i := slices.IndexFunc(b.under, what)
	if i < 0 {
		b.t.Fatalf("no such request is under way: %s", b.open())
	}
	asked := b.under[i]
	b.under = slices.Delete(b.under, i, i+1)
	b.send(page.Response{ID: asked.ID, Status: status, Body: []byte(body), Header: headers})
	return asked
}

// open are the requests that have no response yet.
func (b *browser) open() string {
	var all []string
	for _, c := range b.under {
		all = append(all, c.Method+" "+c.Path)
	}
	return strings.Join(all, "\n")
}

func review(c page.Call) bool { return strings.Contains(c.Path, "selfsubjectaccessreviews") }
func dry(c page.Call) bool    { return strings.Contains(c.Path, "dryRun=All") && !review(c) }
func write(c page.Call) bool  { return c.Method != "GET" && !review(c) && !dry(c) }
func get(c page.Call) bool    { return c.Method == "GET" }

const (
	allowed = `{"kind":"SelfSubjectAccessReview","apiVersion":"authorization.k8s.io/v1","status":{"allowed":true}}`
	denied  = `{"kind":"SelfSubjectAccessReview","apiVersion":"authorization.k8s.io/v1","status":{"allowed":false}}`
	scaled  = `{"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{"name":"web","namespace":"shop","resourceVersion":"9"},"spec":{"replicas":5}}`
)

func refusal(code int, reason string) string {
	return fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","status":"Failure","code":%d,"reason":%q,"message":"no"}`, code, reason)
}

// ready is a page whose dry runs have passed.
func ready(t testing.TB, query string, names ...string) *browser {
	t.Helper()
	b := begun(t, pageOf(t, query, names...))
	b.answer(review, 201, allowed)
	for range names {
		b.answer(dry, 200, scaled)
	}
	return b
}

func states(m Model) string {
	var all []string
	for _, j := range m.jobs() {
		all = append(all, string(j.state))
	}
	return strings.Join(all, " ")
}

func TestScaleIsTriedSentAndFollowed(t *testing.T) {
	b := begun(t, pageOf(t, "act=scale&replicas=5", "web"))
	if why := b.m.unready(); !strings.Contains(why, "waiting for the dry runs") {
		t.Errorf("before the dry run: %q", why)
	}
	b.answer(review, 201, allowed)
	tried := b.answer(dry, 200, scaled)
	if tried.Method != "PATCH" || !strings.HasPrefix(tried.Path, pathOf("web")+"/scale?") {
		t.Errorf("the dry run is %s %s", tried.Method, tried.Path)
	}
	if why := b.m.unready(); why != "" {
		t.Fatalf("after the dry run: %q", why)
	}
	b.do(doSend)
	sent := b.answer(write, 200, scaled)
	if !bytes.Equal(sent.Body, tried.Body) {
		t.Errorf("sent %s, tried %s", sent.Body, tried.Body)
	}
	for _, step := range []struct {
		body string
		want State
	}{
		{deployment("web", "10", 5, 3), Accepted}, {deployment("web", "11", 5, 4), Accepted}, {deployment("web", "12", 5, 5), Done},
	} {
		b.pass(4 * time.Second)
		b.answer(get, 200, step.body)
		if got := states(b.m); got != string(step.want) {
			t.Errorf("%s, want %s: %s", got, step.want, b.m.sum())
		}
	}
	if b.m.sum() != "Done." || len(b.under) > 0 {
		t.Errorf("%q, and under way: %s", b.m.sum(), b.open())
	}
	b.pass(10 * time.Second)
	if len(b.under) > 0 {
		t.Errorf("a finished act still asks: %s", b.open())
	}
}

// An event from before the request must not look as if somebody else had scaled.
func TestAnOldVersionSaysNothingOfTheGoal(t *testing.T) {
	for version, want := range map[string]State{"8": Accepted, "9": Failed, "10": Failed} {
		b := ready(t, "act=scale&replicas=5", "web")
		b.do(doSend)
		b.answer(write, 200, scaled)
		j := b.m.jobs()[0]
		j.handleObject(parsed(t, deployment("web", version, 3, 3)), false)
		if j.state != want {
			t.Errorf("version %s: %s, want %s", version, j.state, want)
		}
	}
}

// The event that reaches the goal may arrive before the response to the request.
func TestAnEventBeforeTheResponseCounts(t *testing.T) {
	b := ready(t, "act=scale&replicas=5", "web")
	event := func(kind wire.MessageType, text string) page.Msg {
		m := wire.Message{Type: kind, ID: 1, Gen: 1, ResourceVersion: "10"}
		if text != "" {
			m.Objects = []json.RawMessage{json.RawMessage(text)}
		}
		return page.Received{Message: m, At: noon}
	}
	b.send(page.Connection{State: page.Open})
	b.send(event(wire.Rows, deployment("web", "7", 3, 3)))
	b.send(event(wire.Synced, ""))
	b.do(doSend)
	b.send(page.Received{Message: wire.Message{Type: wire.Events, ID: 1, Gen: 1, ResourceVersion: "12", Events: []wire.Event{
		{Type: watch.Modified, Object: json.RawMessage(deployment("web", "12", 5, 5))},
	}}, At: noon})
	b.answer(write, 200, scaled)
	if got := states(b.m); got != "done" {
		t.Errorf("%s: %s", got, b.m.sum())
	}
}

func TestWhatStopsSending(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Model)
		answer func(*browser)
		want   string
	}{
		"read only": {func(m *Model) { m.Shell.ReadOnly = true }, nil, "--read-only"},
		"no right": {nil, func(b *browser) {
			b.answer(review, 201, denied)
			b.answer(dry, 403, refusal(403, "Forbidden"))
		}, "You don’t have permission to patch deployments/scale here."},
		"a refused dry run": {nil, func(b *browser) {
			b.answer(review, 201, allowed)
			b.answer(dry, 422, refusal(422, "Invalid"))
		}, "The API server refuses the requests."},
		"no change":     {func(m *Model) { m.Query.Chosen["replicas"] = "3" }, nil, "There is nothing to send."},
		"a wrong value": {func(m *Model) { m.Query.Chosen["replicas"] = "many" }, nil, "There is nothing to send."},
	} {
		m := pageOf(t, "act=scale&replicas=5", "web")
		if c.change != nil {
			c.change(&m)
		}
		b := begun(t, m)
		if c.answer != nil {
			c.answer(b)
		}
		if why := b.m.unready(); !strings.Contains(why, c.want) {
			t.Errorf("%s: %q", name, why)
		}
		b.do(doSend)
		if slices.ContainsFunc(b.under, write) {
			t.Errorf("%s: it was sent: %s", name, b.open())
		}
	}
}

func TestOutsideOfThePracticeClusterItAsksFirst(t *testing.T) {
	m := pageOf(t, "act=scale&replicas=5", "web")
	m.Practice = false
	b := begun(t, m)
	b.answer(review, 201, allowed)
	b.answer(dry, 200, scaled)
	b.do(doConfirm) // nobody was asked yet
	b.do(doSend)
	b.do(doLeave)
	b.do(doConfirm)
	if slices.ContainsFunc(b.under, write) {
		t.Fatalf("sent without a yes: %s", b.open())
	}
	b.do(doSend)
	if html := golden.Render(t, page.Main(b.m)); !strings.Contains(html, "This writes to practice") {
		t.Error("the page doesn’t say where it writes")
	}
	if p, _ := b.m.Update(page.Pressed{Key: "Escape"}); strings.Contains(golden.Render(t, page.Main(p)), "This writes to practice") {
		t.Error("Escape doesn’t close the question")
	}
	b.do(doSend)
	b.do(doConfirm)
	b.answer(write, 200, scaled)
}

// Two people scale the same Deployment: the second is told, sees the change, and gets a plan for how it is now.
func TestAChangedObjectIsToldAndPlannedAgain(t *testing.T) {
	b := ready(t, "act=scale&replicas=5", "web")
	b.do(doSend)
	b.answer(write, 409, refusal(409, "Conflict"))
	b.answer(func(c page.Call) bool { return get(c) && c.Path == pathOf("web") }, 200, deployment("web", "8", 4, 4))
	b.answer(get, 200, `{"kind":"List","items":[]}`)
	it := b.m.items()[0]
	if it.raced == nil || !it.raced.read || len(it.raced.effect.Values) == 0 {
		t.Fatalf("the change isn’t told: %+v", it.raced)
	}
	if got := states(b.m); got != "planned" || !strings.Contains(it.jobs[0].step.Title, "from 4") {
		t.Errorf("%s: %q", got, it.jobs[0].step.Title)
	}
	b.answer(dry, 200, scaled)
	b.do(doSend)
	if sent := b.answer(write, 200, scaled); !strings.Contains(string(sent.Body), `"resourceVersion":"8"`) {
		t.Errorf("sent %s", sent.Body)
	}
}

func TestSeveralObjectsHaveOneResultEach(t *testing.T) {
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}
	b := begun(t, pageOf(t, "act=scale&replicas=5", names...))
	if len(b.under) != mostUnder {
		t.Errorf("%d requests at once", len(b.under))
	}
	for range names {
		b.answer(dry, 200, scaled)
	}
	b.answer(review, 201, allowed)
	b.do(doSend)
	for i := range names {
		switch i {
		case 1:
			b.answer(write, 403, refusal(403, "Forbidden"))
		case 2:
			b.answer(write, 0, "")
		default:
			b.answer(write, 200, scaled)
		}
	}
	if got, want := states(b.m), "accepted refused lost"+strings.Repeat(" accepted", 7); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// eviction is a step that a budget may refuse, in a stage.
func eviction(t testing.TB, stage int, name string) plans.Step {
	t.Helper()
	p, err := apipath.Parse("/api/v1/namespaces/shop/pods/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return plans.Step{
		Stage: stage, Title: "Evict " + name, Path: p, Answer: plans.TheStatus, Retry: true,
		Request: patch.Request{Method: "POST", Subresource: "eviction", ContentType: "application/json", Body: []byte(`{}`)},
	}
}

// drained is a page with two stages: one request that can be taken back, and two evictions.
func drained(t testing.TB, patience time.Duration) *browser {
	t.Helper()
	b := ready(t, "act=scale&replicas=5", "web")
	it := b.m.items()[0]
	cordon := eviction(t, 1, "first")
	back := eviction(t, 1, "back")
	back.Title, cordon.Retry, cordon.Undo = "Uncordon", false, &back
	it.plan.Patience, it.jobs = patience, nil
	for _, s := range []plans.Step{cordon, eviction(t, 2, "one"), eviction(t, 2, "two")} {
		j := &job{step: s, state: Planned}
		it.jobs = append(it.jobs, j)
		b.m.try(it, j)
	}
	b.send(page.Connection{})
	for range 3 {
		b.answer(dry, 200, `{"kind":"Status","apiVersion":"v1","status":"Success"}`)
	}
	return b
}

const success = `{"kind":"Status","apiVersion":"v1","status":"Success"}`

func TestStagesWaitForEachOther(t *testing.T) {
	b := drained(t, time.Minute)
	b.do(doSend)
	if !strings.HasSuffix(b.open(), "first/eviction") {
		t.Fatalf("the first stage is %s", b.open())
	}
	b.answer(write, 403, refusal(403, "Forbidden"))
	if got := states(b.m); got != "refused planned planned" || len(b.under) > 0 {
		t.Errorf("after a refusal: %s, %s", got, b.open())
	}
	b = drained(t, time.Minute)
	b.do(doSend)
	b.answer(write, 201, success)
	if got := states(b.m); got != "done sending sending" {
		t.Errorf("after the first stage: %s", got)
	}
}

func TestABudgetIsTriedAgain(t *testing.T) {
	for name, c := range map[string]struct {
		header []request.Header
		pause  time.Duration
	}{
		"as the server says": {[]request.Header{{Name: "Retry-After", Value: "10"}}, 10 * time.Second},
		"without a time":     {nil, retryAfter}, "nonsense": {[]request.Header{{Name: "retry-after", Value: "soon"}}, retryAfter},
	} {
		b := drained(t, time.Minute)
		b.do(doSend)
		b.answer(write, 201, success)
		b.answer(write, 201, success)
		b.answer(write, 429, refusal(429, "TooManyRequests"), c.header...)
		if got := states(b.m); got != "done done waiting" {
			t.Fatalf("%s: %s", name, got)
		}
		b.pass(c.pause - time.Second)
		if len(b.under) > 0 {
			t.Errorf("%s: too early: %s", name, b.open())
		}
		b.pass(time.Second)
		b.answer(write, 201, success)
		if got := states(b.m); got != "done done done" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestABudgetThatNeverAllowsIsGivenUp(t *testing.T) {
	b := drained(t, 12*time.Second)
	b.do(doSend)
	b.answer(write, 201, success)
	b.answer(write, 201, success)
	tries := 0
	for ; tries < 10 && slices.ContainsFunc(b.under, write); tries++ {
		b.answer(write, 429, refusal(429, "TooManyRequests"))
		b.pass(retryAfter)
	}
	if got := states(b.m); got != "done done refused" || tries != 3 {
		t.Errorf("after %d tries: %s", tries, got)
	}
}

// A drain that is stopped in the middle says what is done, and how to take it back.
func TestStopAndTakeBack(t *testing.T) {
	b := drained(t, time.Minute)
	b.do(doSend)
	b.answer(write, 201, success)
	b.answer(write, 201, success)
	b.answer(write, 429, refusal(429, "TooManyRequests"))
	b.do(doStop)
	if got := states(b.m); got != "done done stopped" {
		t.Fatalf("%s", got)
	}
	b.pass(time.Minute)
	if slices.ContainsFunc(b.under, write) {
		t.Fatalf("a stopped request was sent: %s", b.open())
	}
	if html := golden.Render(t, page.Main(b.m)); !strings.Contains(html, "2 of 3 steps done. 1 request was stopped.") || !strings.Contains(html, ">Uncordon</button>") {
		t.Errorf("the page doesn’t say what is done: %s", b.m.sum())
	}
	b.do(doUndo)
	if sent := b.answer(write, 201, success); !strings.HasSuffix(sent.Path, "back/eviction") {
		t.Errorf("sent %s", sent.Path)
	}
	if len(b.m.undoes()) > 0 || b.m.sum() != "Done." {
		t.Errorf("afterwards: %q", b.m.sum())
	}
}

// What the server embeds, what the page reads again, and what a request brings back is masked.
func TestSecretValuesStayHidden(t *testing.T) {
	for _, d := range canary.Documents() {
		if d.Vague {
			continue // only its path tells, and Fieldmark refuses an object that isn’t a Secret there
		}
		o := parsed(t, d.JSON)
		b := begun(t, pageOf(t, "act=label&pairs=a%3Db", "web"))
		it := b.m.items()[0]
		it.Object = o.Masked()
		b.m.plan(it)
		b.send(page.Connection{})
		b.answer(dry, 200, d.JSON)
		b.do(doTry)
		b.answer(get, 200, d.JSON)
		b.answer(dry, 200, d.JSON)
		html := golden.Render(t, page.Main(b.m))
		found, err := ReadResult([]byte(d.JSON))
		if canary.Escapes(html) || canary.Escapes(fmt.Sprint(it.Object)) || err == nil && canary.Escapes(fmt.Sprint(found)) {
			t.Errorf("%s escapes", d.Name)
		}
	}
}

func TestParseQuery(t *testing.T) {
	values := url.Values{"act": {"drain"}, "force": {"", "yes"}, "grace": {"5"}}
	for i := range 510 {
		values.Add("path", fmt.Sprintf("/api/v1/nodes/n%d", i%505))
	}
	q := ParseQuery(values)
	if q.Act != "drain" || q.Chosen["force"] != "yes" || q.Chosen["grace"] != "5" || len(q.Paths) != 500 || q.More != 5 {
		t.Errorf("%+v", q)
	}
}

// Acts that do nothing to any of the objects aren't offered, except the chosen one.
func TestOnlyActsWithAnEffectAreOffered(t *testing.T) {
	paused := strings.Replace(deployment("one", "7", 3, 3), `"spec":{`, `"spec":{"paused":true,`, 1)
	for name, c := range map[string]struct {
		query  string
		change func(m *Model)
		want   string
	}{
		"one":                     {"act=scale", func(*Model) {}, "Scale Restart Roll back Set image Pause Label Annotate Set a field"},
		"one, paused":             {"act=scale", func(m *Model) { m.Targets[0].Object = parsed(t, paused) }, "Scale Set image Resume Label Annotate Set a field"},
		"one, paused, and chosen": {"act=pause", func(m *Model) { m.Targets[0].Object = parsed(t, paused) }, "Scale Set image Pause Resume Label Annotate Set a field"},
	} {
		m := pageOf(t, c.query, "one")
		c.change(&m)
		var got []string
		for _, l := range m.links() {
			got = append(got, l.Text)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
	both := pageOf(t, "act=scale", "one", "two")
	both.Targets[0].Object = parsed(t, paused)
	if all := both.links(); len(all) != 9 {
		t.Errorf("one of two is paused, and %d acts are offered", len(all))
	}
}

// Each act is there once: in the list that explains them, or as a tab.
func TestActsAreOfferedOnce(t *testing.T) {
	for query, tabs := range map[string]bool{"": false, "act=scale": true, "act=unknown": false} {
		var b strings.Builder
		if err := page.Main(pageOf(t, query, "one")).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(b.String(), ">Restart<") + strings.Count(b.String(), "> Restart<") + strings.Count(b.String(), ">Restart <"); n != 1 || strings.Contains(b.String(), `class="tabs"`) != tabs {
			t.Errorf("%q: the act is there %d times, in tabs: %v", query, n, strings.Contains(b.String(), `class="tabs"`))
		}
	}
}
