package lesson

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/record"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/frame/wire"
	"github.com/fieldmark/fieldmark/web/learn/progress"
)

var began = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func says(t *testing.T, line string) lesson.Statement {
	t.Helper()
	s, err := lesson.ParseStatement(line)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// fixture is a lesson with one of everything: a choice, a value, the state of the cluster, a stream.
func fixture(t *testing.T) lesson.Lesson {
	t.Helper()
	conflict, created := says(t, "status = 409"), says(t, "status = 201")
	count, err := lesson.ParseSubject("count .items")
	if err != nil {
		t.Fatal(err)
	}
	maps := "/api/v1/namespaces/{{namespace}}/configmaps"
	return lesson.Lesson{
		ID: "conflicts", Title: "Conflicts", Summary: "You know.", Minutes: 5, Intro: "<p>Why?</p>",
		Cleanup: []lesson.Request{{Method: "DELETE", Target: "/api/v1/nodes/{{unique}}"}, {Method: "DELETE", Target: "/api/v1/nodes/{{never}}"}},
		Steps: []lesson.Step{
			{ID: "one", Title: "One", Blocks: []lesson.Block{
				{HTML: "<p>In " + lesson.Placeholder("namespace") + "</p>"},
				{Predict: &lesson.Predict{Question: "What?", Choices: []lesson.Choice{
					{Text: "201", Right: true, If: &created, Because: "It is made."}, {Text: "409", If: &conflict, Because: "Not yet there."},
				}}},
				{Request: &lesson.Request{Name: "ada", Method: "POST", Target: maps + "?fieldManager=ada", Body: `{"metadata":{"name":"shop"}}`}},
				{Check: &lesson.Check{Statements: []lesson.Statement{created, says(t, "keep json .metadata.resourceVersion as made")}}},
				{Notes: &lesson.Notes{Notes: []lesson.Note{{At: lesson.Subject{Kind: lesson.JSON, Path: ".metadata.resourceVersion"}, Text: "the version"}}}},
				{Show: &lesson.Show{Widget: lesson.ShowFields, Of: []string{"ada"}}},
			}},
			{ID: "two", Title: "Two", Blocks: []lesson.Block{
				{Predict: &lesson.Predict{Question: "How many?", Value: &count, Choices: []lesson.Choice{{Text: "2", Right: true, Because: "Both."}, {Text: "*", Because: "There are two."}}}},
				{Request: &lesson.Request{Name: "list", Method: "GET", Target: maps}},
				{Check: &lesson.Check{Get: "/api/v1/namespaces/{{namespace}}/pods", Within: 5, Statements: []lesson.Statement{says(t, "count .items = 1")}}},
			}},
			{ID: "three", Title: "Three", Blocks: []lesson.Block{
				{Request: &lesson.Request{Name: "w", Method: "GET", Target: maps + "?watch=1&resourceVersion={{made}}", Watch: true}},
				{Check: &lesson.Check{Of: "w", Statements: []lesson.Statement{says(t, "events ADDED = 1")}}},
				{Stop: &lesson.Stop{Of: "w"}},
			}},
		},
	}
}

// practice is the page on a cluster that knows Scenarios.
func practice(t *testing.T) Model {
	t.Helper()
	types := discovery.Catalog{Groups: []discovery.Group{{Name: "practice.fieldmark.dev", Versions: []discovery.Version{{Name: "v1alpha1", Types: []discovery.Type{
		{Group: "practice.fieldmark.dev", Version: "v1alpha1", Resource: "scenarios", Kind: "Scenario", Verbs: []string{"create"}},
	}}}}}}
	return Model{Lesson: fixture(t), Frame: page.Frame{Shell: shell.Model{Cluster: shell.Cluster{Slug: "practice", Name: "practice", Practice: true}, Catalog: types}}}
}

// player goes through a lesson, and notes what the page asks for.
type player struct {
	t     *testing.T
	m     Model
	asked []string
	focus string // where it went last
	kept  string
}

func begin(t *testing.T, m Model, kept string) *player {
	t.Helper()
	p := &player{t: t, kept: kept}
	next, cmds := m.Awake(began)
	p.m = next.(Model)
	p.note(cmds)
	values := map[string]string{}
	if kept != "" {
		values[progress.Key] = kept
	}
	p.do(page.Kept{Values: values})
	return p
}

func (p *player) note(cmds []page.Cmd) {
	for _, c := range cmds {
		switch c := c.(type) {
		case page.Call:
			p.asked = append(p.asked, strings.TrimSpace(c.ID+" "+c.Method+" "+c.Path))
			if c.Reread != strings.HasPrefix(c.ID, "lesson/") {
				p.t.Errorf("%s is read again: %v", c.ID, c.Reread)
			}
		case page.Cancel:
			p.asked = append(p.asked, "cancel "+c.ID)
		case page.Navigate:
			p.asked = append(p.asked, "go "+c.Address)
		case page.Subscribe:
			p.asked = append(p.asked, "follow "+c.Cluster)
		case page.Unsubscribe:
			p.asked = append(p.asked, "unfollow")
		case page.Ask:
			p.asked = append(p.asked, "ask "+c.Address)
		case page.Keep:
			p.kept = c.Value
		case page.Focus:
			p.focus = c.ID
		}
	}
}

func (p *player) do(events ...any) *player {
	for _, e := range events {
		switch e := e.(type) {
		case string:
			p.do(page.Acted{Action: e})
		case []page.Msg:
			for _, m := range e {
				p.do(m)
			}
		case page.Msg:
			next, cmds := p.m.Update(e)
			p.m = next.(Model)
			p.note(cmds)
		}
	}
	return p
}

func answer(id string, code int, body string) []page.Msg {
	head := []request.Header{{Name: "content-type", Value: "application/json"}}
	return []page.Msg{page.Opened{ID: id, Status: code, Header: head}, page.Arrived{ID: id, Part: []byte(body), Bytes: int64(len(body))}, page.Ended{ID: id, How: page.Whole, Bytes: int64(len(body))}}
}

// took gives what was asked for since.
func (p *player) took() string {
	all := strings.Join(p.asked, "\n")
	p.asked = nil
	return strings.ReplaceAll(all, p.m.namespace(), "NS")
}

func (p *player) says(words ...string) {
	p.t.Helper()
	text := p.html()
	for _, w := range words {
		if !strings.Contains(text, w) {
			p.t.Errorf("the page doesn’t say %q", w)
		}
	}
}

func (p *player) html() string {
	p.t.Helper()
	var b bytes.Buffer
	if err := page.Main(p.m).Render(p.t.Context(), &b); err != nil {
		p.t.Fatal(err)
	}
	return b.String()
}

func (p *player) expect(what string) {
	p.t.Helper()
	if got := p.took(); got != what {
		p.t.Errorf("it asked for\n%s\nwanted\n%s", got, what)
	}
}

func later(seconds int) page.Tick {
	return page.Tick{Now: began.Add(time.Duration(seconds) * time.Second)}
}

var (
	namespaceMade = slices.Concat(answer(setupNamespace, 201, "{}"), exists(0), exists(1))
	shopMade      = answer("lesson/0.2", 201, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"shop","resourceVersion":"7"}}`)
	twoListed     = answer("lesson/1.1", 200, `{"kind":"List","items":[{},{}]}`)
)

// exists is the watch of an object that controllers create in a new namespace, with its first event.
func exists(n int) []page.Msg {
	id := setupFurnish + strconv.Itoa(n)
	return []page.Msg{
		page.Opened{ID: id, Status: 200}, page.Arrived{ID: id, Part: []byte(`{"type":"ADDED","object":{"metadata":{}}}` + "\n")}, page.Ended{ID: id, How: page.Canceled},
	}
}

const namespaces = "/api/v1/namespaces"

// awaited is what the page asks for after a namespace was made.
const awaited = "setup/furnish/0 GET /api/v1/namespaces/NS/serviceaccounts?fieldSelector=metadata.name%3Ddefault&watch=true\n" +
	"cancel setup/furnish/0\nsetup/furnish/1 GET /api/v1/namespaces/NS/configmaps?fieldSelector=metadata.name%3Dkube-root-ca.crt&watch=true\ncancel setup/furnish/1"

// ready is a learner whose namespace is there.
func prepared(t *testing.T) *player {
	t.Helper()
	p := begin(t, practice(t), "")
	p.do(doBegin)
	p.expect(setupNamespace + " POST " + namespaces)
	p.do(namespaceMade)
	p.expect(awaited)
	if p.m.live.phase != ready || p.m.live.at != 0 {
		t.Fatalf("%s at %d", p.m.live.phase, p.m.live.at)
	}
	return p
}

func TestAnswersComeAfterPredictions(t *testing.T) {
	p := prepared(t)
	p.do("send-request 0.2")
	p.expect("")
	p.says("Make your prediction first.")
	p.do("guess 0.1 1", "send-request 0.2")
	p.expect("lesson/0.2 POST /api/v1/namespaces/NS/configmaps?fieldManager=ada")
	if strings.Contains(p.html(), "Not yet there.") {
		t.Error("the explanation is there before the answer")
	}
	p.do(shopMade)
	p.says("Not quite.", "Not yet there.", "Correct answer:", "It is made.", "Check passed", "kept as <var>made</var>", "the version", `id="document-0.5"`)
	if p.m.live.vars["made"] != "7" || !p.m.passed(0) {
		t.Errorf("%v, passed: %v", p.m.live.vars, p.m.passed(0))
	}
	p.do("guess 0.1 0")
	if p.m.live.guesses[block{0, 1}].Choice != 1 {
		t.Error("a prediction was changed after the answer")
	}
}

func TestAValueIsPredicted(t *testing.T) {
	for name, c := range map[string]struct {
		say  []any
		want []string
	}{
		"right":   {[]any{page.Typed{Field: "value-1.0", Text: " 2 "}, "guess-value 1.0"}, []string{"Correct.", "Both."}},
		"wrong":   {[]any{page.Typed{Field: "value-1.0", Text: "3"}, "guess-value 1.0"}, []string{"Not quite.", "Correct answer:</b> <code>2</code>", "There are two.", "Both."}},
		"almost":  {[]any{page.Typed{Field: "value-1.0", Text: "two"}, "guess-value 1.0"}, []string{"Almost.", "Correct answer:</b> <code>2</code>", "Both."}},
		"unknown": {[]any{"guess 1.0 ?"}, []string{"Here is what happens.", "Both."}},
	} {
		t.Run(name, func(t *testing.T) {
			p := prepared(t)
			p.do("turn 1").do(c.say...).do("send-request 1.1", twoListed)
			p.says(c.want...)
		})
	}
}

func TestTheClusterIsAskedUntilItIsSo(t *testing.T) {
	p := prepared(t)
	p.do("turn 1", "guess 1.0 ?", "send-request 1.1")
	p.took()
	p.do(twoListed)
	p.expect("check/1.2 GET /api/v1/namespaces/NS/pods")
	p.do(answer("check/1.2", 200, `{"items":[]}`))
	p.says("Not passed yet")
	p.do(later(1))
	p.expect("check/1.2 GET /api/v1/namespaces/NS/pods")
	p.do(answer("check/1.2", 200, `{"items":[{}]}`))
	p.says("Check passed")

	p = prepared(t)
	p.do("turn 1", "guess 1.0 ?", "send-request 1.1", twoListed, answer("check/1.2", 200, `{"items":[]}`), later(6), answer("check/1.2", 200, `{"items":[]}`))
	p.says("Check failed", "expected", "is 1", "Check again", "Start over")
	p.took()
	p.do("check-again 1.2")
	p.expect("check/1.2 GET /api/v1/namespaces/NS/pods")
}

func TestAStreamStaysOpen(t *testing.T) {
	p := prepared(t)
	p.m.live.vars["made"] = "7"
	p.do("turn 2", "send-request 2.0", page.Opened{ID: "lesson/2.0", Status: 200})
	p.expect("lesson/2.0 GET /api/v1/namespaces/NS/configmaps?watch=1&resourceVersion=7")
	p.says("0 events", "The stream is open.", "Not passed yet")
	p.do("turn 1", "turn 2", page.Arrived{ID: "lesson/2.0", Part: []byte(`{"type":"ADDED","object":{"kind":"ConfigMap","metadata":{"name":"new"}}}` + "\n")}, later(1))
	p.says("Check passed", "ConfigMap new")
	p.expect("cancel lesson/2.0")

	p = prepared(t)
	p.m.live.vars["made"] = "7"
	p.do("turn 2", "send-request 2.0", page.Opened{ID: "lesson/2.0", Status: 200}, later(11))
	p.says("Check failed")
}

func TestWhatIsMissingIsSaid(t *testing.T) {
	p := prepared(t)
	p.do("turn 2")
	p.says("This request needs the value “made” from step 1, “One”. Do that step first.", "Go to step 1")
	p.do("send-request 2.0")
	p.expect("")
}

func TestAFailedCheckCanBeMended(t *testing.T) {
	p := prepared(t)
	p.do("guess 0.1 0", "send-request 0.2", answer("lesson/0.2", 409, `{"kind":"Status","code":409}`))
	p.says("Not judged.", "Check failed", "expected", "is 201", "409", "Send the request again")
	p.took()
	p.do("send-request 0.2")
	p.expect("lesson/0.2 POST /api/v1/namespaces/NS/configmaps?fieldManager=ada")
	p.do(shopMade)
	p.says("Check passed", "Correct.")
}

func TestResetBeginsAnewAtOnce(t *testing.T) {
	p := prepared(t)
	old := p.m.namespace()
	p.do("guess 0.1 0", "send-request 0.2", shopMade)
	p.took()
	p.do(doReset)
	got := strings.Join(p.asked, "\n")
	unique := strings.TrimPrefix(old, "learn-conflicts-")
	for _, want := range []string{"DELETE /api/v1/nodes/" + unique, "DELETE " + namespaces + "/" + old, setupNamespace + " POST"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if strings.Contains(got, "never") || p.m.namespace() == old || len(p.m.live.guesses) != 0 {
		t.Errorf("it goes on in %s:\n%s", p.m.namespace(), got)
	}
}

func TestANamespaceThatIsThereAlready(t *testing.T) {
	p := begin(t, practice(t), "")
	p.do(doBegin)
	first := p.m.namespace()
	p.do(answer(setupNamespace, 409, "{}"))
	if p.m.namespace() == first || p.m.live.phase != making {
		t.Errorf("%s, %s", p.m.namespace(), p.m.live.phase)
	}
	p.do(answer(setupNamespace, 403, `{"kind":"Status","code":403,"message":"namespaces is forbidden"}`))
	p.says("The lesson can’t begin", "namespaces is forbidden", "Try again")
}

func TestAScenarioIsAwaited(t *testing.T) {
	m := practice(t)
	m.Lesson.Scenario = `{"actors":[{"namespace":"{{namespace}}"}]}`
	p := begin(t, m, "")
	p.do(doBegin, namespaceMade)
	p.took()
	p.do(answer(setupScenario, 201, "{}"), later(1))
	if got := p.took(); got != setupLook+" GET /apis/practice.fieldmark.dev/v1alpha1/scenarios/NS" {
		t.Error(got)
	}
	p.do(answer(setupLook, 200, `{"status":{"conditions":[{"type":"Holds","status":"False","message":"waits for pods"}]}}`))
	p.says("Waits for pods.")
	p.do(later(2), answer(setupLook, 200, `{"status":{"conditions":[{"type":"Holds","status":"True"}]}}`))
	if p.m.live.phase != ready {
		t.Error(p.m.live.phase)
	}
}

func TestProgressIsKeptAndTakenUp(t *testing.T) {
	p := prepared(t)
	p.do("guess 0.1 1", "send-request 0.2", shopMade, "turn 1", "guess 1.0 ?")
	again := begin(t, practice(t), p.kept)
	if got := again.took(); got != setupFind+" GET /api/v1/namespaces/NS" {
		t.Errorf("it asked for %s", got)
	}
	again.do(answer(setupFind, 200, `{"status":{"phase":"Active"}}`))
	l := again.m.live
	if l.at != 1 || l.phase != ready || l.vars["made"] != "7" || l.guesses[block{0, 1}].Choice != 1 || !again.m.passed(0) {
		t.Errorf("at %d, %s, %v, %v", l.at, l.phase, l.vars, l.guesses)
	}
	again.do("turn 0")
	again.says("The wire log no longer has its response.", "This check had passed before you left the page.")

	gone := begin(t, practice(t), p.kept)
	gone.do(answer(setupFind, 404, "{}"))
	gone.says("The namespace of your last attempt was deleted.", setUpLabel)
	if gone.m.live.phase != unbegun || gone.m.live.at != 1 || progress.Read(gone.kept).Lessons["conflicts"].Under() {
		t.Errorf("%s at %d, %s", gone.m.live.phase, gone.m.live.at, gone.kept)
	}

	other := practice(t)
	other.Shell.Cluster.Slug = "elsewhere"
	if p := begin(t, other, p.kept); p.m.live.phase != unbegun || p.m.live.at != opening {
		t.Error("an attempt on another cluster is taken up")
	}
}

func TestTheEndTidiesUp(t *testing.T) {
	p := prepared(t)
	p.do("guess 0.1 0", "send-request 0.2", shopMade, "turn 3")
	p.says("Tidy up and finish", "Not done yet: 2 steps. Go back, or finish now.")
	p.took()
	p.do(doTidy)
	got := p.took()
	if !strings.Contains(got, "DELETE /api/v1/namespaces/NS") {
		t.Error(got)
	}
	for i := range p.m.live.tidied {
		p.do(answer(p.m.live.tidied[i].ID, 200, "{}"))
	}
	mine := progress.Read(p.kept).Lessons["conflicts"]
	if p.m.live.phase != over || !mine.Done || mine.Under() {
		t.Errorf("%s, %+v", p.m.live.phase, mine)
	}
	p.says("Predictions: 1 of 1 correct.")
}

func TestKeysTurnThePages(t *testing.T) {
	p := prepared(t)
	for _, c := range []struct {
		key string
		at  int
	}{{"j", 1}, {"j", 2}, {"j", 2}, {"k", 1}, {"g", opening}, {"k", opening}, {"G", 2}} {
		p.do(page.Pressed{Key: c.key})
		if p.m.live.at != c.at {
			t.Errorf("after %s it is at %d, wanted %d", c.key, p.m.live.at, c.at)
		}
	}
	p.do("turn 0", page.Pressed{Key: "2"}, page.Pressed{Key: "s"})
	if shown := p.m.order(block{0, 1}); p.m.live.guesses[block{0, 1}].Choice != shown[1] {
		t.Errorf("2 chooses %d of %v", p.m.live.guesses[block{0, 1}].Choice, shown)
	}
	p.expect("lesson/0.2 POST /api/v1/namespaces/NS/configmaps?fieldManager=ada")
}

func TestAnotherClusterIsRead(t *testing.T) {
	m := practice(t)
	m.Shell.Catalog = discovery.Catalog{}
	m.Shell.Clusters = []shell.Cluster{{Slug: "practice", Name: "practice", Practice: true}, {Slug: "work", Name: "work"}}
	m.Shell.Cluster = m.Shell.Clusters[1]
	p := begin(t, m, "")
	p.do("turn 0")
	p.says("This is not the practice cluster", "Do the lesson on the practice cluster", "This request writes, and work is not the practice cluster")
	p.do("guess 0.1 1", "send-request 0.2")
	p.expect("")
	p.says("Not quite.", "It is made.")
	p.do("turn 1", "guess 1.0 ?", "send-request 1.1")
	p.expect("lesson/1.1 GET /api/v1/namespaces/NS/configmaps")
	if p.m.namespace() != "default" {
		t.Error(p.m.namespace())
	}
	m.Shell.ReadOnly = true
	p = begin(t, m, "")
	p.do("turn 0")
	p.says("started with --read-only")
	p.do(page.Addressed{Query: map[string][]string{"cluster": {"practice"}, "step": {"two"}}})
	p.expect("go /learn/conflicts?cluster=practice&step=two")
}

func TestKubectlsAnswerIsFoundInTheRecord(t *testing.T) {
	p := prepared(t)
	p.do("guess 0.1 0", doKubectl)
	p.expect("follow practice")
	p.says("Waiting for kubectl")
	path := namespaces + "/" + p.m.namespace() + "/configmaps"
	made := record.Line{ID: 9, Origin: record.Client, Method: "POST", Path: path, Query: "fieldManager=ada&fieldValidation=Strict", Status: 201, Done: true}
	before, other, pages := made, made, made
	before.ID, other.ID, other.Path, pages.ID, pages.Origin = 7, 8, strings.Replace(path, "configmaps", "secrets", 1), 10, record.Page
	heard := func(lines ...record.Line) page.Received {
		return page.Received{Message: wire.Message{Type: wire.Recorded, ID: following, Lines: lines}}
	}
	p.do(heard(before), heard(other, pages))
	p.expect("")
	p.do(heard(made))
	p.expect("ask /c/practice/-/requests?entry=9")
	entry := fmt.Sprintf(`{"id":9,"origin":"client","method":"POST","path":%q,"query":"fieldManager=ada&fieldValidation=Strict","status":201,"done":true,"got":20,
		"request":{"header":[{"name":"User-Agent","value":"kubectl/v1.37"}]},
		"answer":{"header":[{"name":"Content-Type","value":"application/json"}],"body":"eyJtZXRhZGF0YSI6eyJyZXNvdXJjZVZlcnNpb24iOiI3In19"}}`, path)
	p.do(page.Response{ID: "entry/0.2", Status: 200, Body: []byte(entry)})
	p.says("to kubectl, from the wire log", "Check passed", "Correct.")
	p.do("turn 1")
	p.expect("unfollow")
}

func TestThingsThatGoWrong(t *testing.T) {
	for name, c := range map[string]struct {
		msgs []page.Msg
		want string
	}{
		"no answer":  {[]page.Msg{page.Ended{ID: "lesson/0.2", How: page.CutOff}}, "No response"},
		"signed out": {answer("lesson/0.2", 401, `{}`), "You are signed out"},
		"a timeout":  {append([]page.Msg{page.Opened{ID: "lesson/0.2", Status: 504, Header: []request.Header{{Name: "audit-id", Value: "a"}}}}, answer("lesson/0.2", 504, `{"kind":"Status","code":504,"message":"Timeout"}`)[1:]...), "Timeout"},
		"away":       {answer("lesson/0.2", 502, `{"kind":"Status","code":502,"message":"connection refused"}`), "The API server can’t be reached"},
	} {
		t.Run(name, func(t *testing.T) {
			p := prepared(t)
			p.do("guess 0.1 0", "send-request 0.2", c.msgs)
			p.says(c.want)
			if name == "a timeout" {
				p.silent("The API server can’t be reached")
			}
		})
	}
	m := practice(t)
	m.Problem = &components.Notice{Title: "The API server does not answer"}
	p := begin(t, m, "")
	p.do("turn 0")
	p.says("The API server does not answer", "Fieldmark can’t send requests to this cluster now.")
}

func TestBeginningSaysWhatGoes(t *testing.T) {
	m := practice(t)
	begin(t, m, "").says("and deletes it at the end.")
	m.Lesson.Scenario = "{}"
	begin(t, m, "").says("and a Scenario that fills it. It deletes both at the end.")
}

func TestWithoutTheProgramAllIsThere(t *testing.T) {
	m := practice(t)
	var b bytes.Buffer
	if err := page.Main(m).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{"What you know now", "events ADDED = 1", "It is made.", "Not yet there.", `data-var="namespace"`, "fieldManager=ada"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
	if strings.Contains(text, "{{") {
		t.Error("a variable without a value is not called by its name")
	}
	if strings.Contains(text, " hidden") && strings.Contains(text, `class="place" hidden`) {
		t.Error("a step is hidden")
	}
}

// Whoever works without a mouse must not lose the focus when the button that has it goes.
func TestTheFocusStays(t *testing.T) {
	p := begin(t, practice(t), "")
	focused := func(want string) {
		t.Helper()
		if p.focus != want || !strings.Contains(p.html(), `id="`+want+`"`) {
			t.Errorf("the focus is on %q, wanted %q", p.focus, want)
		}
	}
	p.do(doBegin)
	focused("heading-0")
	p.do(namespaceMade)
	focused("heading-1")
	p.do("guess 0.1 0", "send-request 0.2")
	focused("send-0.2")
	disabled := regexp.MustCompile(`<button[^>]*(id="send-0.2"|data-do="guess 0.1 0")[^>]* disabled`)
	if text := p.html(); disabled.MatchString(text) || !strings.Contains(text, `aria-disabled="true"`) {
		t.Error("the button that was pressed is disabled")
	}
	p.took()
	p.do("send-request 0.2")
	p.expect("")
	p.do(shopMade)
	if disabled.MatchString(p.html()) {
		t.Error("a choice that was made is disabled")
	}
	p.do("turn 1", "guess 1.0 ?", page.Pressed{Key: "s"})
	focused("send-1.1")
	p.do(twoListed, answer("check/1.2", 200, `{"items":[]}`), later(6), answer("check/1.2", 200, `{"items":[]}`), "check-again 1.2")
	focused("check-1.2")
	p.do("turn 2", "send-request 2.0", page.Opened{ID: "lesson/2.0", Status: 200}, "stop 2.0")
	p.do("turn 3", doTidy)
	focused("heading-4")
}

// The page is drawn every second, so that drawing it must not depend on how large an answer is.
func TestALargeAnswerIsReadOnce(t *testing.T) {
	allocations := func(items int) float64 {
		p := prepared(t)
		body := `{"kind":"List","items":[` + strings.TrimSuffix(strings.Repeat(`{"metadata":{"name":"a","labels":{"a":"b"}}},`, items), ",") + "]}"
		p.do("turn 1", page.Typed{Field: "value-1.0", Text: "2"}, "guess-value 1.0", "send-request 1.1", answer("lesson/1.1", 200, body))
		p.html()
		return testing.AllocsPerRun(3, func() { p.html() })
	}
	if small, large := allocations(500), allocations(20000); large > 1.5*small {
		t.Errorf("%.0f allocations for a large answer, %.0f for a small one", large, small)
	}
}
