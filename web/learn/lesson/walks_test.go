package lesson

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/record"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/call/scenario"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/frame/wire"
	"github.com/fieldmark/fieldmark/web/learn/progress"
)

// These tests walk through lessons as somebody who errs: they send again, skip a step, mistype a command, reload the page.

func (p *player) silent(words ...string) {
	p.t.Helper()
	text := p.html()
	for _, w := range words {
		if strings.Contains(text, w) {
			p.t.Errorf("the page says %q", w)
		}
	}
}

func TestSendingAgainBreaksNothing(t *testing.T) {
	const shop = `{"kind":"ConfigMap","metadata":{"name":"shop","uid":"u%s","resourceVersion":"%s"}}`
	refused := func(code int, reason, more string) []page.Msg {
		return answer("again/0.2", code, fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","status":"Failure","code":%d,"reason":%q%s}`, code, reason, more))
	}
	for want, msgs := range map[string][]page.Msg{
		"409: the object exists now.":                                           refused(409, "AlreadyExists", ""),
		"409: another manager owns a field that the request changes.":           refused(409, "Conflict", `,"details":{"causes":[{"reason":"FieldManagerConflict","field":".data.a"}]}`),
		"409: the object has changed since the version that the request names.": refused(409, "Conflict", ""),
		"404: the object doesn’t exist any more.":                               refused(404, "NotFound", ""),
		"403: you may not do this now.":                                         refused(403, "Forbidden", ""),
		"201: nothing changed, because the object was like that already.":       answer("again/0.2", 201, fmt.Sprintf(shop, "", "7")),
		"201: the object was written again and has a new resource version.":     answer("again/0.2", 201, fmt.Sprintf(shop, "", "8")),
		"201: this is a new object, because the first one was deleted.":         answer("again/0.2", 201, fmt.Sprintf(shop, "2", "8")),
		"No response came.": {page.Ended{ID: "again/0.2", How: page.CutOff}},
	} {
		t.Run(want, func(t *testing.T) {
			p := prepared(t)
			p.do("guess 0.1 0", "send-request 0.2", answer("lesson/0.2", 201, fmt.Sprintf(shop, "", "7")))
			p.took()
			p.do("send-request 0.2")
			p.expect("again/0.2 POST /api/v1/namespaces/NS/configmaps?fieldManager=ada")
			if p.focus != "send-0.2" || regexp.MustCompile(`<button[^>]*id="send-0.2"[^>]* disabled`).MatchString(p.html()) {
				t.Error("the button that was pressed loses the focus")
			}
			p.do(msgs)
			p.says(want, "Check passed", "Correct.", "The step uses the first response.")
			if !p.m.passed(0) || p.m.live.vars["made"] != "7" || p.m.live.sent[block{0, 2}].Call.Status != 201 {
				t.Errorf("passed: %v, %v", p.m.passed(0), p.m.live.vars)
			}
			if n := strings.Count(p.html(), `class="remark"`); n != 1 {
				t.Errorf("the remark is there %d times", n)
			}
		})
	}
}

func TestARemarkIsOnTheResponseThatItIsAbout(t *testing.T) {
	p := prepared(t)
	p.do("guess 0.1 0", "send-request 0.2", answer("lesson/0.2", 409, `{"kind":"Status","code":409,"metadata":{"resourceVersion":"1"}}`))
	p.says("Check failed")
	remarks := func() int { return strings.Count(p.html(), `class="remark"`) }
	if n := remarks(); n != 0 {
		t.Errorf("%d remarks on a refusal", n)
	}
	p.do("send-request 0.2", shopMade)
	if n := remarks(); n != 1 {
		t.Errorf("%d remarks on the response", n)
	}
	if len(p.m.live.again) != 0 {
		t.Error("a response that is not good is kept, and the next one stands beside it")
	}
}

func TestTextIsNotAssertedAfterAFailedCheck(t *testing.T) {
	const assumed = "A check above failed. The text below is about the expected result, so it can be wrong for your result."
	const unfit = "The lesson’s remarks are not shown, because this is not the expected response."
	m := practice(t)
	m.Lesson.Steps[0].Blocks = append(m.Lesson.Steps[0].Blocks, lesson.Block{HTML: "<p>Now it exists.</p>"}, lesson.Block{HTML: "<p>And more.</p>"})
	p := begin(t, m, "")
	p.do(doBegin, namespaceMade, "guess 0.1 0", "send-request 0.2", answer("lesson/0.2", 409, `{"kind":"Status","code":409,"metadata":{"resourceVersion":"1"}}`))
	p.says(assumed, unfit, "Failed check: <code>status = 201</code>")
	if n := strings.Count(p.html(), assumed); n != 1 {
		t.Errorf("it is said %d times", n)
	}
	p.silent("A check failed in step 1")
	p.do("turn 1")
	p.says("A check failed in step 1, “One”. The text of this step assumes that all checks passed.", "Go to step 1")

	after := begin(t, m, p.kept).do(answer(setupFind, 200, `{"status":{"phase":"Active"}}`), "turn 0")
	after.says("This check had failed before you left the page.", "A check above failed.")

	p.do("turn 0", "send-request 0.2", shopMade)
	p.says("Now it exists.", "the version")
	p.silent(assumed, unfit)
	p.do("turn 1")
	p.silent("A check failed in step 1")
}

// A response without any check is the expected one unless the API server refused the request.
func TestARefusalThatNothingChecksHasNoRemarks(t *testing.T) {
	m := practice(t)
	blocks := m.Lesson.Steps[0].Blocks
	m.Lesson.Steps[0].Blocks = append(slices.Clone(blocks[:3]), blocks[4])
	for code, want := range map[int]bool{201: false, 403: true} {
		p := begin(t, m, "")
		p.do(doBegin, namespaceMade, "guess 0.1 0", "send-request 0.2", answer("lesson/0.2", code, `{"metadata":{"resourceVersion":"1"}}`))
		if got := strings.Contains(p.html(), "The lesson’s remarks are not shown"); got != want {
			t.Errorf("%d: %v", code, got)
		}
	}
}

func TestARepeatMendsTheStateOfTheCluster(t *testing.T) {
	p := prepared(t)
	none := answer("check/1.2", 200, `{"items":[]}`)
	p.do("guess 0.1 0", "send-request 0.2", shopMade, "turn 1", "guess 1.0 ?", "send-request 1.1", twoListed, none, later(6), none)
	p.says("Check failed", "The cluster did not reach this state within 5 seconds.")
	p.took()
	p.do("send-request 1.1", answer("again/1.1", 200, `{"items":[]}`))
	p.expect("again/1.1 GET /api/v1/namespaces/NS/configmaps\ncheck/1.2 GET /api/v1/namespaces/NS/pods")
	p.says("200: the request only reads, so you can send it again.")
}

// twoSteps are steps about one object: it is made, and then applied to in vain.
func twoSteps(t *testing.T) Model {
	t.Helper()
	m := practice(t)
	settings := "/api/v1/namespaces/{{namespace}}/configmaps/settings?fieldManager="
	m.Lesson.Steps = []lesson.Step{
		{ID: "ada", Title: "Ada’s", Blocks: []lesson.Block{
			{Request: &lesson.Request{Name: "ada", Method: "PATCH", Target: settings + "ada", Body: "{}"}},
			{Check: &lesson.Check{Statements: []lesson.Statement{says(t, "status = 201")}}},
		}},
		{ID: "ben", Title: "Ben’s", Blocks: []lesson.Block{
			{Request: &lesson.Request{Name: "ben", Method: "PATCH", Target: settings + "ben", Body: "{}"}},
			{Check: &lesson.Check{Statements: []lesson.Statement{says(t, "status = 409")}}},
		}},
		{ID: "look", Title: "Look", Blocks: []lesson.Block{
			{Request: &lesson.Request{Name: "look", Method: "GET", Target: strings.TrimSuffix(settings, "?fieldManager=")}},
			{Check: &lesson.Check{Statements: []lesson.Statement{says(t, "json .data.a = 1")}}},
		}},
	}
	return m
}

func settings(uid, version, a string, managers ...string) string {
	var entries []string
	for _, name := range managers {
		entries = append(entries, fmt.Sprintf(`{"manager":%q,"operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:a":{}}}}`, name))
	}
	return fmt.Sprintf(`{"kind":"ConfigMap","metadata":{"name":"settings","uid":%q,"resourceVersion":%q,"managedFields":[%s]},"data":{"a":%q}}`, uid, version, strings.Join(entries, ","), a)
}

func TestAStepThatCannotPassSaysWhatIsMissing(t *testing.T) {
	made := []any{"send-request 0.0", answer("lesson/0.0", 201, settings("u", "1", "1", "ada"))}
	look := func(body string) []any {
		return append(made[:2:2], "turn 2", "send-request 2.0", answer("lesson/2.0", 200, body), answer("look/2.1", 200, body))
	}
	ben := func(body string) []any {
		return append(made[:2:2], "turn 1", "send-request 1.0", answer("lesson/1.0", 200, body), answer("look/1.1", 200, body))
	}
	for name, c := range map[string]struct {
		do   []any
		want []string
	}{
		"a step failed": {
			[]any{"send-request 0.0", answer("lesson/0.0", 403, `{"kind":"Status","code":403}`), "turn 1", "send-request 1.0", answer("lesson/1.0", 404, `{"kind":"Status","code":404}`)},
			[]string{"A check failed in step 1, “Ada’s”. The step says why. Do that step first, then come back and send this request again.", "Go to step 1"},
		},
		"the object was changed": {
			look(settings("u", "2", "2", "ada")),
			[]string{"The ConfigMap settings has changed since step 1, in .data.a."},
		},
		"the object was made anew": {
			look(settings("v", "2", "2", "caro")),
			[]string{"The ConfigMap settings was deleted after step 1, and created again."},
		},
		"the object was deleted": {
			append(made[:2:2], "turn 2", "send-request 2.0", answer("lesson/2.0", 404, `{"kind":"Status","code":404}`), answer("look/2.1", 404, `{"kind":"Status","code":404}`)),
			[]string{"The ConfigMap settings was deleted after step 1. Send step 1 again."},
		},
		"the object was deleted before it is written": {
			ben(settings("v", "2", "2", "ben")),
			[]string{"The ConfigMap settings was deleted after step 1, and created again."},
		},
		"somebody else wrote the object": {
			ben(settings("u", "3", "1", "ada", "ben", "caro")),
			[]string{"The ConfigMap settings has changed since step 1: caro wrote to it."},
		},
		"nobody knows": {
			ben(settings("u", "3", "1", "ada", "ben")),
			[]string{"The response differs from what this step expects."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := begin(t, twoSteps(t), "")
			p.do(doBegin, namespaceMade)
			p.do(c.do...)
			p.says(append(c.want, "Check failed")...)
		})
	}
}

// A compaction removes old versions. What is read after it can't have expired by it.
func TestAFaultCannotComeBeforeWhatItSpoils(t *testing.T) {
	for faults, want := range map[string]string{
		"\n  faults:\n  - name: forget\n": "Without that step, this step has created the Scenario forget. It is too late for that now.",
		"\n  actors: []\n":                "Do that step first.",
	} {
		m := practice(t)
		m.Lesson.Steps = []lesson.Step{
			{ID: "read", Title: "Read", Blocks: []lesson.Block{
				{Request: &lesson.Request{Name: "read", Method: "GET", Target: "/api/v1/namespaces/{{namespace}}/pods"}},
				{Check: &lesson.Check{Statements: []lesson.Statement{says(t, "keep json .metadata.continue as token")}}},
			}},
			{ID: "late", Title: "Late", Blocks: []lesson.Block{
				{Request: &lesson.Request{Name: "forget", Method: "POST", Target: scenario.Path().String(), Body: "kind: Scenario\nspec:" + faults}},
				{Request: &lesson.Request{Name: "late", Method: "GET", Target: "/api/v1/namespaces/{{namespace}}/pods?continue={{token}}"}},
			}},
		}
		p := begin(t, m, "")
		p.do(doBegin, namespaceMade, "turn 1", "send-request 1.0", answer("lesson/1.0", 201, `{"kind":"Scenario","metadata":{"name":"forget","uid":"u"}}`))
		p.says("This request needs the value “token” from step 1, “Read”. " + want)
	}
}

// The step with a value can need others that were skipped as well, so it can't be advised alone.
func TestAValueOfASkippedStepAdvisesAllSkippedSteps(t *testing.T) {
	m := practice(t)
	reads := func(name, query, keep string) lesson.Step {
		return lesson.Step{ID: name, Title: name, Blocks: []lesson.Block{
			{Request: &lesson.Request{Name: name, Method: "GET", Target: "/api/v1/namespaces/{{namespace}}/pods" + query}},
			{Check: &lesson.Check{Statements: []lesson.Statement{says(t, "keep json .metadata.continue as "+keep)}}},
		}}
	}
	m.Lesson.Steps = []lesson.Step{reads("Read", "", "one"), reads("Expire", "?continue={{one}}", "two"), reads("Recover", "?continue={{two}}", "three")}
	p := begin(t, m, "")
	p.do(doBegin, namespaceMade, "turn 2")
	p.says("You skipped steps 1 and 2. Do these steps first, in this order. This request needs the value “two” from step 2, “Expire”.", "Go to step 1")
	p.do("turn 0", "send-request 0.0", answer("lesson/0.0", 200, `{"kind":"PodList","metadata":{"continue":"a"}}`), "turn 2")
	p.says("This request needs the value “two” from step 2, “Expire”. Do that step first.", "Go to step 2")
}

func TestASkippedStepIsAdvisedOnlyIfItCanStillBeDone(t *testing.T) {
	for name, c := range map[string]struct {
		do   []any
		want []string
	}{
		"a step was skipped, and can still be done": {
			[]any{"turn 2", "send-request 2.0", answer("lesson/2.0", 404, `{"kind":"Status","code":404}`)},
			[]string{"You skipped steps 1 and 2. Do these steps first, in this order, then come back and send this request again.", "Go to step 1"},
		},
		"a step was skipped, and it is too late for it": {
			[]any{"turn 1", "send-request 1.0", answer("lesson/1.0", 201, settings("u", "1", "1", "ben"))},
			[]string{"You skipped step 1, “Ada’s”. Without that step, this step has created the ConfigMap settings. It is too late for that now."},
		},
		"it was too late already, by another step": {
			[]any{
				"turn 1", "send-request 1.0", answer("lesson/1.0", 201, settings("u", "1", "1", "ben")),
				"turn 2", "send-request 2.0", answer("lesson/2.0", 200, settings("u", "1", "2", "ben")),
			},
			[]string{"You skipped step 1, “Ada’s”. Without that step, step 2 has created the ConfigMap settings."},
		},
		"the namespace was deleted": {
			[]any{
				"turn 1", "send-request 1.0", answer("lesson/1.0", 404, `{"kind":"Status","code":404}`),
				answer("look/home", 200, `{"status":{"phase":"Terminating"}}`),
			},
			[]string{"The namespace of this attempt was deleted."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := begin(t, twoSteps(t), "")
			p.do(doBegin, namespaceMade)
			p.do(c.do...)
			p.says(append(c.want, "Check failed")...)
		})
	}
}

func TestAStreamThatEndedIsOpenedAgain(t *testing.T) {
	m := practice(t)
	m.Lesson.Steps = append(m.Lesson.Steps[2:], lesson.Step{ID: "news", Title: "News", Blocks: []lesson.Block{
		{Check: &lesson.Check{Of: "w", Statements: []lesson.Statement{says(t, "events MODIFIED = 1")}}},
	}})
	m.Lesson.Steps[0].Blocks = m.Lesson.Steps[0].Blocks[:2]
	p := begin(t, m, "")
	p.do(doBegin, namespaceMade)
	p.m.live.vars["made"] = "7"
	p.do("turn 1")
	p.says("This check needs the response of step 1, “Three”. Do that step first.", "Go to step 1")
	p.do("turn 0")
	added := []byte(`{"type":"ADDED","object":{"kind":"ConfigMap"}}` + "\n")
	p.do("send-request 0.0", page.Opened{ID: "lesson/0.0", Status: 200}, page.Arrived{ID: "lesson/0.0", Part: added}, later(1), "stop 0.0")
	p.do(page.Ended{ID: "lesson/0.0", How: page.Canceled}, "turn 1", later(2))
	p.says("The stream of step 1, “Three”, has ended, so it brings no more events. Open the stream again.", "Open the stream again</button>")
	p.took()
	p.do("send-request 0.0")
	p.expect("lesson/0.0 GET /api/v1/namespaces/NS/configmaps?watch=1&resourceVersion=7")
	p.do(page.Opened{ID: "lesson/0.0", Status: 200}, later(3))
	p.says("Not passed yet")
	p.do(page.Arrived{ID: "lesson/0.0", Part: []byte(`{"type":"MODIFIED","object":{"kind":"ConfigMap"}}` + "\n")}, later(4))
	if !p.m.passed(0) || !p.m.passed(1) {
		t.Errorf("passed: %v, %v", p.m.passed(0), p.m.passed(1))
	}
}

// entryOf is a recorded request as the wire log gives it.
func (p *player) entryOf(id int, query string, status int, body, answer string) []byte {
	path := namespaces + "/" + p.m.namespace() + "/configmaps"
	return fmt.Appendf(nil, `{"id":%d,"origin":"client","method":"POST","path":%q,"query":%q,"status":%d,"done":true,
		"request":{"header":[{"name":"User-Agent","value":"kubectl/v1.37"}]},
		"answer":{"header":[{"name":"Content-Type","value":"application/json"}],"body":%q%s}}`, id, path, query, status, body, answer)
}

// reloaded is a learner who reloads the page after a response.
func reloaded(t *testing.T, code int, body string) *player {
	t.Helper()
	p := prepared(t)
	msgs := answer("lesson/0.2", code, body)
	opened := msgs[0].(page.Opened)
	opened.Entry = "12"
	p.do("guess 0.1 0", "send-request 0.2", opened, msgs[1:])
	again := begin(t, practice(t), p.kept)
	again.expect("ask /c/practice/-/requests?entry=12\n" + setupFind + " GET /api/v1/namespaces/NS")
	again.says("Its response is being read from the wire log.")
	return again.do(answer(setupFind, 200, `{"status":{"phase":"Active"}}`))
}

func TestResponsesComeBackFromTheWireLog(t *testing.T) {
	const whole = "eyJtZXRhZGF0YSI6eyJyZXNvdXJjZVZlcnNpb24iOiI3In19" // {"metadata":{"resourceVersion":"7"}}
	entry := func(p *player, query string, code int, body, more string) page.Response {
		return page.Response{ID: "kept/0.2", Status: 200, Body: p.entryOf(12, query, code, body, more)}
	}
	for name, c := range map[string]struct {
		query, body, more string
		want, not         string
	}{
		"whole":           {"fieldManager=ada", whole, "", "You got this response before you left the page.", "no longer has"},
		"a part":          {"fieldManager=ada", whole[:12], `,"cut":true`, "The wire log kept only the beginning of this response", "You got this"},
		"secret":          {"fieldManager=ada", whole, `,"redacted":true`, "The wire log hides secret values in this response", "You got this"},
		"another request": {"fieldManager=ben", whole, "", "The wire log no longer has its response.", "You got this"},
	} {
		t.Run(name, func(t *testing.T) {
			p := reloaded(t, 201, `{"metadata":{"resourceVersion":"7"}}`)
			p.do(entry(p, c.query, 201, c.body, c.more))
			p.says(c.want, "Check passed", "Correct.")
			p.silent(c.not)
			if part := strings.Contains(p.html(), "These remarks are about the whole response. The page has only a part of it."); part != (name == "a part") {
				t.Errorf("that only a part is there is said: %v", part)
			}
			if strings.Contains(p.kept, "metadata") {
				t.Errorf("the browser keeps responses: %s", p.kept)
			}
		})
	}
	t.Run("a failed step stays failed", func(t *testing.T) {
		p := reloaded(t, 409, `{"kind":"Status","code":409}`)
		p.says("Check failed", "This check had failed before you left the page.", `data-state="failed"`)
		p.do(entry(p, "fieldManager=ada", 409, whole, ""))
		p.says("Check failed", "expected", "is 201")
		p.took()
		p.do("send-request 0.2", shopMade)
		p.says("Check passed")
	})
	t.Run("a check that can’t be made has not failed", func(t *testing.T) {
		p := reloaded(t, 409, `{"kind":"Status","code":409}`)
		delete(p.m.live.checks, block{0, 3})
		p.do(entry(p, "fieldManager=ada", 409, whole, `,"cut":true`))
		p.says("Not checked yet", "The wire log no longer has the whole response of step 1")
		p.silent("Check failed", "A check above failed")
	})
	t.Run("it is not there any more", func(t *testing.T) {
		p := reloaded(t, 201, `{"metadata":{"resourceVersion":"7"}}`)
		p.do(page.Response{ID: "kept/0.2", Status: 404}, "send-request 0.2", answer("again/0.2", 409, `{"kind":"Status","code":409,"reason":"AlreadyExists"}`))
		p.says("The wire log no longer has its response.", "409: the object exists now.", "Check passed")
	})
	if l := (progress.Lesson{Entries: map[string]string{"0.2": "1"}, Failed: []string{"0.3"}, Cluster: "c"}).Over(); l.Entries != nil || l.Failed != nil {
		t.Errorf("%+v", l)
	}
}

func TestTheRightCommandAfterAWrongOneCounts(t *testing.T) {
	p := prepared(t)
	p.do("guess 0.1 0", doKubectl)
	line := record.Line{ID: 9, Origin: record.Client, Method: "POST", Path: namespaces + "/" + p.m.namespace() + "/configmaps", Status: 201, Done: true}
	heard := func(id uint64, query string, code int) page.Received {
		l := line
		l.ID, l.Query, l.Status = id, query, code
		return page.Received{Message: wire.Message{Type: wire.Recorded, ID: following, Lines: []record.Line{l}}}
	}
	read := func(id int, query string, code int) page.Response {
		return page.Response{ID: "entry/0.2", Status: 200, Body: p.entryOf(id, query, code, "eyJtZXRhZGF0YSI6eyJyZXNvdXJjZVZlcnNpb24iOiI3In19", "")}
	}
	p.took()
	p.do(heard(7, "fieldManager=ada", 201))
	p.expect("")
	for i, c := range []struct{ query, want string }{
		{"", "kubectl did not send fieldManager=ada. Add --field-manager=ada to the command."},
		{"fieldManager=ben", "kubectl sent fieldManager=ben. This step needs fieldManager=ada: use --field-manager=ada."},
		{"fieldManager=ada&dryRun=All", "kubectl sent dryRun=All. Leave out --dry-run=server."},
		{"fieldManager=ada&force=true", "kubectl sent force=true. Leave out --force-conflicts."},
		{"fieldManager=ada&fieldValidation=Ignore", "kubectl sent fieldValidation=Ignore. Leave out --validate=ignore."},
	} {
		p.do(heard(uint64(10+i), c.query, 201), read(10+i, c.query, 201))
		p.says("The step does not count kubectl’s last request", c.want, "Waiting for kubectl")
	}
	p.took()
	p.do(heard(20, "fieldManager=ada", 409))
	p.expect("ask /c/practice/-/requests?entry=20")
	p.do(read(20, "fieldManager=ada", 409))
	p.says("Check failed", "The response to kubectl differs from what this step expects.", "Waiting for kubectl")
	p.silent("does not count")
	p.took()
	p.do(heard(21, "fieldManager=ada", 201))
	p.expect("ask /c/practice/-/requests?entry=21")
	p.do(read(21, "fieldManager=ada", 201))
	p.says("Check passed", "Correct.")
	p.silent("Waiting for kubectl")
	p.do(heard(22, "fieldManager=ada", 409))
	p.expect("")
}

func TestADeleteSaysInItsBodyThatItIsADryRun(t *testing.T) {
	const dry = `{"kind":"DeleteOptions","dryRun":["All"]}`
	for _, c := range []struct{ lessons, body, want string }{
		{"", "", "[]"}, {dry, dry, "[]"}, {"", dry, "[{dryRun  All}]"}, {dry, "", "[{dryRun All }]"}, {dry, "{}", "[{dryRun All }]"},
	} {
		m := Model{Lesson: lesson.Lesson{Steps: []lesson.Step{{Blocks: []lesson.Block{{Request: &lesson.Request{Method: "DELETE", Body: c.lessons}}}}}}}
		e := record.Entry{Line: record.Line{Method: "DELETE"}, Request: record.Side{Body: []byte(c.body)}}
		if got := fmt.Sprint(m.dryInBody(e, block{})); got != c.want {
			t.Errorf("%q for %q: %s, want %s", c.body, c.lessons, got, c.want)
		}
	}
}

// withViewer is a lesson whose first request is an apply, on a cluster with a viewer.
func withViewer(t *testing.T) Model {
	t.Helper()
	m := twoSteps(t)
	m.Viewer = "practice-viewer"
	r := m.Lesson.Steps[0].Blocks[0].Request
	r.Header, r.Target = []lesson.Header{{Name: "Content-Type", Value: "application/apply-patch+yaml"}}, r.Target+"&force=false"
	return m
}

func TestKubectlsUsualMistakesAreNamed(t *testing.T) {
	m := withViewer(t)
	const (
		object = `{"kind":"ConfigMap","metadata":{"name":"settings","uid":"u"}}`
		own    = "/api/v1/namespaces/NS/configmaps/settings"
		others = "/api/v1/namespaces/default/configmaps/settings"
		ada    = "fieldManager=ada&force=false"
		apply  = "application/apply-patch+yaml"
	)
	for name, c := range map[string]struct {
		method, path, query, media string
		code                       int
		want                       []string
	}{
		"another namespace":        {"PATCH", others, ada, apply, 201, []string{"kubectl used the namespace default. This step needs the namespace learn-", "Delete the object: kubectl delete configmaps settings -n default."}},
		"another namespace, twice": {"PATCH", others, ada, apply, 200, []string{"kubectl used the namespace default.", "It has changed the cluster."}},
		"another verb":             {"POST", "/api/v1/namespaces/NS/configmaps", "fieldManager=ada", "application/json", 201, []string{"kubectl sent a POST. This step needs a PATCH.", "kubectl delete configmaps settings -n learn-"}},
		"another name":             {"PATCH", "/api/v1/namespaces/NS/configmaps/sittings", ada, apply, 404, []string{"kubectl named the object sittings. This step needs settings."}},
		"no apply":                 {"PATCH", own, ada, "application/strategic-merge-patch+json", 404, []string{"Add --server-side to kubectl apply."}},
		"another manager":          {"PATCH", own, "fieldManager=kubectl&force=false", apply, 201, []string{"use --field-manager=ada", "Delete the object: kubectl delete configmaps settings -n learn-"}},
		"a dry run":                {"PATCH", own, ada + "&dryRun=All", apply, 201, []string{"Leave out --dry-run=server."}},
	} {
		t.Run(name, func(t *testing.T) {
			p := begin(t, m, "")
			p.do(doBegin, namespaceMade, doKubectl)
			if got := p.took(); !strings.HasSuffix(got, "follow practice\nfollow practice-viewer") {
				t.Errorf("it asked for %s", got)
			}
			line := record.Line{ID: 9, Origin: record.Client, Method: c.method, Path: strings.Replace(c.path, "NS", p.m.namespace(), 1), Query: c.query, Status: c.code, Done: true}
			p.do(page.Received{Message: wire.Message{Type: wire.Recorded, ID: following}}, page.Received{Message: wire.Message{Type: wire.Recorded, ID: following, Lines: []record.Line{line}}})
			entry := record.Entry{Line: line}
			entry.Request.Header = []record.Field{{Name: "User-Agent", Value: "kubectl/v1.37"}, {Name: "Content-Type", Value: c.media}}
			entry.Answer.Body = []byte(object)
			body, err := json.Marshal(entry)
			if err != nil {
				t.Fatal(err)
			}
			p.do(page.Response{ID: "entry/0.0", Status: 200, Body: body})
			p.says(append(c.want, "The step does not count kubectl’s last request", "Waiting for kubectl")...)
			if name == "a dry run" {
				p.silent("Delete the object", "It has changed")
			}
		})
	}
}

// A step whose second request is the viewer's: the page follows the viewer's wire log then. The same command as somebody else doesn't count.
func TestTheWireLogOfTheNextUserIsFollowed(t *testing.T) {
	m := withViewer(t)
	ben := *m.Lesson.Steps[1].Blocks[0].Request
	ben.As = "viewer"
	m.Lesson.Steps[0].Blocks = append(m.Lesson.Steps[0].Blocks, lesson.Block{Request: &ben})
	p := begin(t, m, "")
	p.do(doBegin, namespaceMade, doKubectl)
	line := record.Line{ID: 9, Origin: record.Client, Method: "PATCH", Path: namespaces + "/" + p.m.namespace() + "/configmaps/settings", Query: "fieldManager=ada&force=false", Status: 201, Done: true}
	heard := func(id uint32, lines ...record.Line) page.Received {
		return page.Received{Message: wire.Message{Type: wire.Recorded, ID: id, Lines: lines}}
	}
	p.took()
	p.do(heard(following), heard(following, line))
	p.expect("ask /c/practice/-/requests?entry=9")
	entry := record.Entry{Line: line}
	entry.Request.Header = []record.Field{{Name: "User-Agent", Value: "kubectl/v1.37"}, {Name: "Content-Type", Value: "application/apply-patch+yaml"}}
	entry.Answer.Body = []byte(settings("u", "1", "1", "ada"))
	body, err := json.Marshal(entry)
	if err != nil {
		t.Fatal(err)
	}
	p.do(page.Response{ID: "entry/0.0", Status: 200, Body: body})
	p.says("Check passed")
	if got := p.took(); !strings.HasSuffix(got, "follow practice-viewer\nfollow practice") {
		t.Errorf("it asked for %s", got)
	}
	line.ID, line.Query, line.Status = 10, "fieldManager=ben", 200
	p.do(heard(following+2), heard(following+3), heard(following+3, line))
	p.says("kubectl used the context practice. This step needs the context practice-viewer: add --context=practice-viewer.", "It has changed the cluster.")
	p.expect("")
	p.do(heard(following+2, line))
	p.expect("ask /c/practice-viewer/-/requests?entry=10")
}

func TestAnotherContextIsNamed(t *testing.T) {
	p := begin(t, withViewer(t), "")
	p.do(doBegin, namespaceMade, doKubectl)
	line := record.Line{ID: 9, Origin: record.Client, Method: "PATCH", Path: namespaces + "/" + p.m.namespace() + "/configmaps/settings", Query: "fieldManager=ada&force=false", Status: 403, Done: true}
	heard := func(lines ...record.Line) page.Received {
		return page.Received{Message: wire.Message{Type: wire.Recorded, ID: following + 1, Lines: lines}}
	}
	p.do(heard(line))
	p.silent("used the context")
	line.ID = 10
	p.do(heard(line))
	p.says("kubectl used the context practice-viewer. This step needs the context practice: add --context=practice.")
	p.silent("Delete the object", "It has changed")
	line.ID, line.Status = 11, 201
	p.do(heard(line))
	p.says("It created an object. Delete the object: kubectl delete configmaps settings -n learn-", " --context=practice-viewer.")
	line.ID, line.Method, line.Path, line.Status, line.Query = 13, "PATCH", namespaces+"/default/configmaps/settings", 200, "fieldManager=ada&force=false"
	p.do(heard(line))
	p.says("It has changed the cluster.")
	line.ID, line.Query, line.Status = 14, line.Query+"&dryRun=All", 201
	p.do(heard(line))
	p.silent("Delete the object", "It has changed")
}

// The context of an entirely different cluster is named too, and never called a change of the lesson's cluster.
func TestAContextOfAnotherClusterIsNamed(t *testing.T) {
	m := withViewer(t)
	for _, slug := range []string{"practice", "practice-viewer", "staging"} {
		m.Shell.Clusters = append(m.Shell.Clusters, shell.Cluster{Slug: slug, Name: slug})
	}
	p := begin(t, m, "")
	p.do(doBegin, namespaceMade, doKubectl)
	if got := p.took(); !strings.HasSuffix(got, "follow practice\nfollow practice-viewer\nfollow staging") {
		t.Errorf("it asked for %s", got)
	}
	line := record.Line{ID: 8, Origin: record.Client, Method: "PATCH", Path: namespaces + "/payments/configmaps/prices", Query: "fieldManager=ada&force=false", Status: 201, Done: true}
	heard := func(lines ...record.Line) page.Received {
		return page.Received{Message: wire.Message{Type: wire.Recorded, ID: following + 2, Lines: lines}}
	}
	p.do(heard(), heard(line))
	p.silent("used the context", "Delete the object") // somebody's work, and not this step
	line.ID, line.Path, line.Status = 9, namespaces+"/"+p.m.namespace()+"/configmaps/settings", 404
	p.do(heard(line))
	p.says("kubectl used the context staging. This step needs the context practice: add --context=practice.")
	p.silent("It has changed")
	line.ID, line.Status = 10, 200
	p.do(heard(line))
	p.says("It has changed the cluster of that context. If that is this lesson’s cluster, and a check of this step fails now, let the page set up the step.")
	line.ID, line.Status = 11, 201
	p.do(heard(line))
	p.says("It created an object. Delete the object: kubectl delete configmaps settings -n learn-", " --context=staging.")
	p.do(doKubectl)
	if got := p.took(); !strings.HasSuffix(got, "unfollow\nunfollow\nunfollow") {
		t.Errorf("it asked for %s", got)
	}
}

// A step with several failed checks shows one reason: the one that explains the others.
func TestAStepShowsOneReason(t *testing.T) {
	m := practice(t)
	m.Lesson.Steps = append(m.Lesson.Steps[2:], lesson.Step{ID: "news", Title: "News", Blocks: []lesson.Block{
		{Request: &lesson.Request{Name: "list", Method: "GET", Target: "/api/v1/namespaces/{{namespace}}/configmaps"}},
		{Check: &lesson.Check{Of: "list", Statements: []lesson.Statement{says(t, "count .items = 1")}}},
		{Check: &lesson.Check{Of: "w", Statements: []lesson.Statement{says(t, "events MODIFIED = 1")}}},
	}})
	m.Lesson.Steps[0].Blocks = m.Lesson.Steps[0].Blocks[:2]
	p := begin(t, m, "")
	p.do(doBegin, namespaceMade)
	p.m.live.vars["made"] = "7"
	added := []byte(`{"type":"ADDED","object":{"kind":"ConfigMap"}}` + "\n")
	p.do("turn 0", "send-request 0.0", page.Opened{ID: "lesson/0.0", Status: 200}, page.Arrived{ID: "lesson/0.0", Part: added}, later(1), "stop 0.0")
	p.do(page.Ended{ID: "lesson/0.0", How: page.Canceled})
	p.do("turn 1", "send-request 1.0", answer("lesson/1.0", 200, `{"kind":"ConfigMapList","items":[]}`), later(2), later(20))
	p.says("The stream of step 1, “Three”, has ended, so it brings no more events. Open the stream again.")
	p.silent("The response differs from what this step expects.")
	if html := p.html(); strings.Count(html, `class="reason"`) != 1 || strings.Count(html, "Check failed</p>") != 2 {
		t.Errorf("there are other reasons, or other failed checks: %s", html)
	}
}

// A stream that ends by itself is no reason for a failed check, and to open it again doesn't help.
func TestAStreamThatShouldEndIsNoReason(t *testing.T) {
	m := practice(t)
	m.Lesson.Steps = []lesson.Step{{ID: "news", Title: "News", Blocks: []lesson.Block{
		{Request: &lesson.Request{Name: "w", Watch: true, Method: "GET", Target: "/api/v1/namespaces/{{namespace}}/configmaps?watch=true&resourceVersion=7&timeoutSeconds=1"}},
		{Check: &lesson.Check{Of: "w", Statements: []lesson.Statement{says(t, "stream = ended"), says(t, "events BOOKMARK >= 1")}}},
	}}}
	p := begin(t, m, "")
	p.do(doBegin, namespaceMade, "turn 0", "send-request 0.0", page.Opened{ID: "lesson/0.0", Status: 200}, later(1), page.Ended{ID: "lesson/0.0", How: page.Whole}, later(20))
	p.says("The stream did not bring what this step expects")
	p.silent("has ended, so it brings no more events", "Open the stream again")
}

// A learner who waits for a Scenario must not be told to start over because its controller has added a finalizer.
func TestAFinalizerOfAControllerIsNoChange(t *testing.T) {
	with := func(finalizers ...any) map[string]any {
		return map[string]any{"metadata": map[string]any{"name": "forget", "finalizers": finalizers}}
	}
	without := map[string]any{"metadata": map[string]any{"name": "forget"}}
	for _, c := range []struct {
		was, is map[string]any
		want    []string
	}{
		{without, with("practice.fieldmark.dev/scenario"), nil},
		{with("hold"), without, []string{".metadata.finalizers"}},
		{with("hold"), with("hold", "too"), []string{".metadata.finalizers"}},
	} {
		if got := apart(c.was, c.is); !slices.Equal(got, c.want) {
			t.Errorf("%v, %v: %v", c.was, c.is, got)
		}
	}
}
