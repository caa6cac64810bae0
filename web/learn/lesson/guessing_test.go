package lesson

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/record"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
	"github.com/fieldmark/fieldmark/web/learn/lesson/predict"
	"github.com/fieldmark/fieldmark/web/learn/lesson/sent"
	"github.com/fieldmark/fieldmark/web/learn/progress"
)

var shopThere = answer("lesson/0.2", 409, `{"kind":"Status","code":409}`)

// lacks fails where the page says something that it must not.
func (p *player) lacks(words ...string) {
	p.t.Helper()
	text := p.html()
	for _, w := range words {
		if strings.Contains(text, w) {
			p.t.Errorf("the page says %q", w)
		}
	}
}

// A response that isn't the one that the lesson is about makes no choice correct, not even the one that describes it.
func TestAFailedCheckLeavesThePredictionOpen(t *testing.T) {
	p := prepared(t)
	p.do("guess 0.1 1", "send-request 0.2", shopThere)
	p.says("Not judged.", "A check of this response failed, so your prediction can’t be judged.", "Failed check: <code>status = 201</code>", `data-outcome="unjudged"`)
	p.lacks("Correct.", "Not quite.", "Correct answer:", "Not yet there.", "It is made.")
	if right, judged, _, _ := p.m.tally(); right != 0 || judged != 0 {
		t.Errorf("%d of %d", right, judged)
	}
	if p.m.live.guesses[block{0, 1}].Choice != 1 {
		t.Error("the guess is lost")
	}
	p.do("guess 0.1 0")
	if p.focus != outcomeID(block{0, 1}) {
		t.Errorf("the focus is on %s", p.focus)
	}
	p.do("send-request 0.2", shopMade)
	p.says("Correct.")
	p.lacks("Not judged.")
}

// A value that the lesson doesn't expect is not explained with the lesson's words.
func TestAnotherValueLeavesThePredictionOpen(t *testing.T) {
	p := prepared(t)
	p.do("turn 1", page.Typed{Field: "value-1.0", Text: "3"}, "guess-value 1.0", "send-request 1.1", answer("lesson/1.1", 200, `{"kind":"List","items":[{},{},{}]}`))
	p.says("Not judged.", "The response differs from what this lesson explains")
	p.lacks("Correct.", "Both.", "There are two.")
}

func TestAVerdictStays(t *testing.T) {
	told := func(p *player) {
		t.Helper()
		p.says("Not quite.", "Not yet there.", "It is made.")
		p.lacks("Not judged.", "Correct.")
	}
	p := prepared(t)
	p.do("guess 0.1 1", "send-request 0.2", shopMade)
	told(p)
	p.do("send-request 0.2")
	told(p)
	p.do(shopThere)
	told(p)
	p.do("guess 0.1 0")
	told(p)
	p.do("turn 1", "turn 0")
	told(p)

	again := begin(t, practice(t), p.kept)
	again.do(answer(setupFind, 200, `{"status":{"phase":"Active"}}`), "turn 0")
	told(again)
	again.do("send-request 0.2", shopThere)
	told(again)
	if right, judged, _, _ := again.m.tally(); right != 0 || judged != 1 {
		t.Errorf("%d of %d", right, judged)
	}

	again.do(doReset, namespaceMade)
	again.lacks("Not quite.")
	if mine := progress.Read(again.kept).Lessons["conflicts"]; len(mine.Verdicts) != 0 {
		t.Errorf("another attempt has %v", mine.Verdicts)
	}
}

// What kubectl does later doesn't change a verdict.
func TestAVerdictStaysWithKubectl(t *testing.T) {
	p := prepared(t)
	p.do("guess 0.1 0", "send-request 0.2", shopMade, doKubectl)
	path := namespaces + "/" + p.m.namespace() + "/configmaps"
	line := record.Line{ID: 9, Origin: record.Client, Method: "POST", Path: path, Query: "fieldManager=ada", Status: 409, Done: true}
	heard := func(lines ...record.Line) page.Received {
		return page.Received{Message: wire.Message{Type: wire.Recorded, ID: p.m.live.kubectl.follow, Lines: lines}}
	}
	p.do(heard(), heard(line))
	entry := fmt.Sprintf(`{"id":9,"origin":"client","method":"POST","path":%q,"query":"fieldManager=ada","status":409,"done":true,"answer":{"body":"e30="}}`, path)
	p.do(page.Response{ID: "entry/0.2", Status: 200, Body: []byte(entry)})
	p.says("Correct.")
	p.lacks("Not judged.")
}

// A response that is no longer there tells nothing, whatever it was.
func TestWithoutTheResponseNothingIsJudged(t *testing.T) {
	p := prepared(t)
	p.m.live.sent[block{0, 2}] = &sent.Request{Before: true}
	p.do("guess 0.1 1")
	p.says("Not judged.", "The page no longer has the whole response")
	p.lacks("Correct.", "Not quite.")
}

// The same choice has the same key in the book, wherever it is shown.
func TestChoicesAreShownInTheOrderOfTheAttempt(t *testing.T) {
	p := prepared(t)
	at := block{0, 1}
	shown := regexp.MustCompile(`data-do="guess 0\.1 (\d)"`)
	places := func() string {
		var all []string
		for _, found := range shown.FindAllStringSubmatch(p.html(), -1) {
			all = append(all, found[1])
		}
		return strings.Join(all, " ")
	}
	first := places()
	if want := strings.Trim(fmt.Sprint(p.m.order(at)), "[]"); first != want {
		t.Errorf("shown as %s, wanted %s", first, want)
	}
	other := false
	for range 20 {
		if places() != first {
			other = true
		}
		p.do(doReset, namespaceMade)
	}
	if !other {
		t.Errorf("each attempt shows %s", first)
	}
	for i, key := range []string{"1", "2", "1"} { // a prediction can be changed until it is judged
		p.do(page.Pressed{Key: key})
		if kept, want := progress.Read(p.kept).Lessons["conflicts"].Guesses["0.1"], fmt.Sprint(p.m.order(at)[i%2]); kept != want {
			t.Errorf("the key %s is kept as %s of %v", key, kept, p.m.order(at))
		}
	}
}

// The order that is shown before an attempt is the one that the attempt has.
func TestBeginningDoesNotShuffle(t *testing.T) {
	p := begin(t, practice(t), "")
	at := block{0, 1}
	before := p.m.order(at)
	p.do(doBegin, namespaceMade)
	if now := p.m.order(at); !slices.Equal(now, before) {
		t.Errorf("%v, then %v", before, now)
	}
}

// The words for verdicts are of one vocabulary.
func TestEachOutcomeHasWords(t *testing.T) {
	for outcome, want := range map[predict.Outcome]string{
		predict.Right: "Correct.", predict.Almost: "Almost.", predict.Wrong: "Not quite.", predict.NotKnown: "Here is what happens.",
	} {
		if got := (predict.Verdict{Outcome: outcome}).Words(); got != want {
			t.Errorf("%s is %q, wanted %q", outcome, got, want)
		}
	}
}

// The response to a watch shows its events. A block that shows the same in the same step adds nothing; in another step it does.
func TestEventsAreShownOnce(t *testing.T) {
	m := practice(t)
	events := lesson.Block{Show: &lesson.Show{Widget: lesson.ShowEvents, Of: []string{"w"}}}
	third := &m.Lesson.Steps[2]
	third.Blocks = append(third.Blocks[:2], events, third.Blocks[2])
	m.Lesson.Steps = append(m.Lesson.Steps, lesson.Step{ID: "four", Title: "Four", Blocks: []lesson.Block{events}})
	p := begin(t, m, "")
	p.do(doBegin, namespaceMade)
	p.m.live.vars["made"] = "7"
	event := page.Arrived{ID: "lesson/2.0", Part: []byte(`{"type":"ADDED","object":{"kind":"ConfigMap","metadata":{"name":"new"}}}` + "\n")}
	p.do("turn 2", "send-request 2.0", page.Opened{ID: "lesson/2.0", Status: 200}, event, later(1))
	if n := strings.Count(p.html(), "ConfigMap new"); n != 1 {
		t.Errorf("in the step of the stream, an event is there %d times", n)
	}
	p.do("turn 3")
	if n := strings.Count(p.html(), "ConfigMap new"); n != 1 {
		t.Errorf("in another step, an event is there %d times", n)
	}
}

// What a prediction is about is in sight, and a fold that is opened keeps the focus.
func TestTheLinesOfAPredictionAreInSight(t *testing.T) {
	p := prepared(t)
	count, err := lesson.ParseSubject("json .items[-1].metadata.name")
	if err != nil {
		t.Fatal(err)
	}
	p.m.Lesson.Steps[1].Blocks[0].Predict.Value = &count
	p.m.Lesson.Steps[1].Blocks[0].Predict.Choices[0].Text = "the-last"
	body := `{"kind":"List","items":[` + strings.Repeat(`{"metadata":{"name":"one"}},`, 300) + `{"metadata":{"name":"the-last"}}]}`
	p.do("turn 1", "guess 1.0 ?", "send-request 1.1", answer("lesson/1.1", 200, body))
	p.says("the-last&#34;", `class="asked"`, "Here is what happens.")
	opens := regexp.MustCompile(`data-do="(gap 1\.1 (\d+))"`)
	found := opens.FindStringSubmatch(p.html())
	if found == nil {
		t.Fatal("nothing is folded away")
	}
	p.do(found[1])
	if want := bodyID(block{1, 1}) + "-" + found[2]; p.focus != want || !strings.Contains(p.html(), `id="`+want+`"`) {
		t.Errorf("the focus is on %q, wanted %q", p.focus, want)
	}
	if next := opens.FindStringSubmatch(p.html()); next == nil || next[1] == found[1] {
		t.Errorf("after %s, the fold is %v", found[1], next)
	}
}
