package lesson

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/progress"
)

// gone is a namespace that was deleted.
var gone = answer("look/home", 404, `{"kind":"Status","code":404}`)

func TestAStepIsSetUpInANewNamespace(t *testing.T) {
	p := begin(t, practice(t), "")
	p.do("turn 2")
	p.took()
	p.says(setUpLabel)
	if p.do(doPropose); len(p.asked) > 0 {
		t.Errorf("it asked for %v before it may", p.asked)
	}
	p.says("The page makes a namespace, and sends the requests of the steps before this one: 3 requests.", "Send these 3 requests", "/api/v1/namespaces")
	if p.focus != replayID(2) {
		t.Errorf("the focus is at %s", p.focus)
	}
	p.do(doAgree)
	p.expect(setupNamespace + " POST " + namespaces)
	p.says("the namespace is being prepared")
	p.do(namespaceMade)
	p.expect(awaited + "\nlesson/0.2 POST /api/v1/namespaces/NS/configmaps?fieldManager=ada")
	p.says("1 of 3 requests", "The page is setting up step 3.")
	p.do("send-request 2.0") // the learner has to wait
	p.expect("")
	p.do(shopMade)
	p.expect("lesson/1.1 GET /api/v1/namespaces/NS/configmaps")
	p.do(twoListed)
	p.expect("check/1.2 GET /api/v1/namespaces/NS/pods")
	p.do(answer("check/1.2", 200, `{"items":[]}`), later(1))
	p.expect("check/1.2 GET /api/v1/namespaces/NS/pods")
	p.do(answer("check/1.2", 200, `{"items":[{}]}`))
	p.says("The page has set up this step with 3 requests.")
	p.silent("You skipped")
	if !p.m.passed(0) || !p.m.passed(1) || p.m.live.vars["made"] != "7" || p.m.live.at != 2 {
		t.Errorf("passed %v and %v, at %d: %v", p.m.passed(0), p.m.passed(1), p.m.live.at, p.m.live.vars)
	}
	p.do("turn 0")
	p.says("The page sent this request to set up step 3.", "Here is what happens.")
	p.do("turn 2", "send-request 2.0")
	p.expect("lesson/2.0 GET /api/v1/namespaces/NS/configmaps?watch=1&resourceVersion=7")
}

// What the learner has done well stays, and nothing is deleted.
func TestOnlyTheMissingRequestsAreSentIfNothingHasGoneWrong(t *testing.T) {
	p := prepared(t)
	p.do("guess 0.1 0", "send-request 0.2", shopMade, "turn 2")
	was := p.m.namespace()
	p.took()
	p.do(doPropose)
	p.says("The page sends the 1 request that the steps before this one lack. Nothing is deleted.", "Send this request")
	p.do(doAgree)
	p.expect("lesson/1.1 GET /api/v1/namespaces/NS/configmaps")
	p.do(twoListed, answer("check/1.2", 200, `{"items":[{}]}`))
	if p.m.namespace() != was || p.m.live.guesses[block{0, 1}].Choice != 0 {
		t.Errorf("%s was %s, %v", p.m.namespace(), was, p.m.live.guesses)
	}
}

func TestANamespaceThatCannotServeIsMadeAnew(t *testing.T) {
	refusal := answer("lesson/0.2", 409, `{"kind":"Status","code":409}`)
	for name, do := range map[string][]any{
		"a check failed before":            {"guess 0.1 0", "send-request 0.2", refusal, "turn 1"},
		"a later step has written already": {"turn 2", "turn 1"},
		"the namespace was deleted":        {"guess 0.1 0", "send-request 0.2", refusal, gone, "turn 1"},
	} {
		t.Run(name, func(t *testing.T) {
			m := practice(t)
			if strings.HasPrefix(name, "a later") { // step 3 writes what step 1 creates
				m.Lesson.Steps[2].Blocks = m.Lesson.Steps[0].Blocks[2:4:4]
				r := *m.Lesson.Steps[2].Blocks[0].Request
				r.Name = "later"
				m.Lesson.Steps[2].Blocks[0].Request = &r
				do = []any{"turn 2", "send-request 2.0", answer("lesson/2.0", 201, `{"kind":"ConfigMap","metadata":{"name":"shop","uid":"u","resourceVersion":"7"}}`), "turn 1"}
			}
			p := begin(t, m, "")
			p.do(doBegin, namespaceMade).do(do...)
			was := p.m.namespace()
			p.took()
			p.do(doPropose)
			p.says("The page deletes what you created, makes a new namespace,")
			p.do(doAgree)
			if asked := strings.Join(p.asked, "\n"); !strings.Contains(asked, "DELETE "+namespaces+"/"+was) || !strings.Contains(asked, setupNamespace) {
				t.Errorf("it asked for\n%s", asked)
			}
			p.do(namespaceMade)
			if p.m.namespace() == was || p.m.live.at != 1 {
				t.Errorf("%s at %d", p.m.namespace(), p.m.live.at)
			}
			p.took()
			p.do(shopMade)
			p.says("The page has set up this step")
		})
	}
}

func TestASetUpThatDoesNotComeOutSaysWhereAndCanBeRepeated(t *testing.T) {
	for name, c := range map[string]struct {
		came []page.Msg
		want string
	}{
		"a check failed":   {answer("lesson/0.2", 403, `{"kind":"Status","code":403}`), "The response differs from what this step expects."},
		"no response came": {[]page.Msg{page.Ended{ID: "lesson/0.2", How: page.CutOff}}, "No response came in step 1, “One”."},
	} {
		t.Run(name, func(t *testing.T) {
			p := begin(t, practice(t), "")
			p.do("turn 1", doPropose, doAgree, namespaceMade, c.came)
			p.says("The step could not be set up.", c.want, "Try again")
			p.took()
			p.do(doAgree, doAgree)
			if asked := strings.Join(p.asked, "\n"); !strings.Contains(asked, setupNamespace) && !strings.Contains(asked, "lesson/0.2") {
				t.Errorf("it asked for\n%s", asked)
			}
		})
	}
	p := begin(t, practice(t), "")
	p.do("turn 1", doPropose, doAgree, answer(setupNamespace, 403, `{"kind":"Status","code":403}`))
	p.says("The lesson’s namespace could not be prepared.")
}

// The browser was closed in the middle: what came before counts, and the rest is offered again.
func TestAnInterruptedSetUpIsRepeated(t *testing.T) {
	p := begin(t, practice(t), "")
	p.do("turn 2", doPropose, doAgree, namespaceMade, shopMade)
	after := begin(t, practice(t), p.kept).do(answer(setupFind, 200, `{"status":{"phase":"Active"}}`))
	if after.m.live.replay != nil || after.m.live.phase != ready {
		t.Fatalf("%+v, %s", after.m.live.replay, after.m.live.phase)
	}
	after.do("turn 2")
	after.says(setUpLabel)
	after.do(doPropose)
	after.says("Send these ")
}

func TestASetUpIsStoppedAndDeclined(t *testing.T) {
	p := begin(t, practice(t), "")
	p.do("turn 1", doPropose, doDecline)
	p.silent("Send these")
	p.do(doPropose, doAgree, namespaceMade, doDecline)
	p.took()
	p.do(shopMade, later(1))
	p.expect("")
	if p.focus != headingID(1) {
		t.Errorf("the focus is at %s", p.focus)
	}
}

// A real cluster is only read.
func TestNothingIsSetUpOnAnotherCluster(t *testing.T) {
	m := practice(t)
	m.Shell.Catalog.Groups, m.Shell.Cluster.Practice = nil, false
	p := begin(t, m, "")
	p.do("turn 2", doPropose, doAgree)
	p.expect("")
	p.silent(setUpLabel)
}

// One button is enough, wherever the reason stands.
func TestOneReasonHasTheButton(t *testing.T) {
	p := begin(t, twoSteps(t), "")
	p.do(doBegin, namespaceMade, "turn 2", "send-request 2.0", answer("lesson/2.0", 404, `{"kind":"Status","code":404}`))
	if n := strings.Count(p.html(), setUpLabel) - 1; n != 1 { // one more stands beside the steps
		t.Errorf("%d buttons", n)
	}
	p.says("What was expected, and what came")
}

// Two tabs must not write over what the other has done.
func TestAnotherTabIsTold(t *testing.T) {
	p := prepared(t)
	p.do("guess 0.1 0", "send-request 0.2", shopMade)
	other := begin(t, practice(t), p.kept).do(answer(setupFind, 200, `{"status":{"phase":"Active"}}`))
	p.do("turn 1")
	other.do(page.Kept{Values: map[string]string{"learn": p.kept}})
	other.silent("goes on in another tab") // it only turned the page

	p.do("turn 2", doPropose, doAgree)
	p.do(namespaceMade, shopMade)
	other.do(page.Kept{Values: map[string]string{"learn": p.kept}})
	other.says("This lesson goes on in another tab.", "Go on here")
	other.took()
	other.do("turn 1", "guess 1.0 ?", "send-request 1.1", later(1))
	other.expect("")
	if got := progress.Read(other.kept).Lessons["conflicts"].Attempt; got != p.m.mine().Attempt {
		t.Errorf("it has written over the progress of the other tab: attempt %d", got)
	}
	other.do(doHere)
	other.silent("goes on in another tab")
	if other.m.namespace() != p.m.namespace() {
		t.Errorf("%s, and the other tab has %s", other.m.namespace(), p.m.namespace())
	}
}

// What somebody does in another lesson stays, whichever tab keeps last.
func TestAnotherLessonOfAnotherTabStays(t *testing.T) {
	p := prepared(t)
	theirs := progress.Read(p.kept).With("paths", progress.Lesson{Done: true})
	p.do(page.Kept{Values: map[string]string{"learn": theirs.String()}}, "guess 0.1 0", "send-request 0.2", shopMade)
	p.silent("goes on in another tab")
	if !progress.Read(p.kept).Lessons["paths"].Done {
		t.Error("it has written over the other lesson")
	}
}

// Who forgets the progress on the map leaves a lesson that is open alone.
func TestForgettingInAnotherTabLeavesTheLesson(t *testing.T) {
	p := prepared(t)
	was := p.m.namespace()
	p.do(page.Kept{}, "guess 0.1 0", "send-request 0.2", shopMade)
	p.silent("goes on in another tab")
	if kept := progress.Read(p.kept); kept.Learner == "" || !kept.Lessons["conflicts"].Under() || p.m.namespace() != was {
		t.Errorf("%s in %s: %s", p.m.namespace(), was, p.kept)
	}
}

func TestAVariantIsAboutAnotherObject(t *testing.T) {
	p := prepared(t)
	p.silent("Try a variant")
	p.do("guess 0.1 0", "send-request 0.2", shopMade)
	p.says("Try a variant", "shop-variant", "contentType=application%2Fjson")
}

// Some lessons compact the store, and the API server restarts.
func TestALessonBeginsAlthoughTheServerRestarts(t *testing.T) {
	p := begin(t, practice(t), "")
	p.do(doBegin, answer(setupNamespace, 503, `{"kind":"Status","code":503}`))
	p.says("The API server can’t respond at the moment. Trying again…")
	p.took()
	p.do(later(1))
	p.expect(setupNamespace + " POST " + namespaces)
	p.do([]page.Msg{page.Ended{ID: setupNamespace, How: page.CutOff}}, later(2), namespaceMade)
	if p.m.live.phase != ready {
		t.Errorf("the lesson is %s", p.m.live.phase)
	}

	p = begin(t, practice(t), "")
	p.do(doBegin, later(61), answer(setupNamespace, 503, `{"kind":"Status","code":503}`))
	if p.m.live.phase != refused {
		t.Errorf("it tries for more than a minute: %s", p.m.live.phase)
	}
}

// A lesson counts what is in its namespace, so it waits for what controllers put there. After a restart they are late.
func TestALessonBeginsWhenItsNamespaceIsFurnished(t *testing.T) {
	p := begin(t, practice(t), "")
	p.do(doBegin, answer(setupNamespace, 201, "{}"), page.Opened{ID: setupFurnish + "0", Status: 200})
	p.says("Waiting for the ServiceAccount default")
	p.took()
	p.do(page.Ended{ID: setupFurnish + "0", How: page.Whole})
	p.expect("")
	p.do(later(1)) // the watch has ended without an event
	p.expect("setup/furnish/0 GET /api/v1/namespaces/NS/serviceaccounts?fieldSelector=metadata.name%3Ddefault&watch=true")
	p.do(answer(setupFurnish+"0", 503, `{"kind":"Status","code":503}`), later(2))
	p.do(page.Opened{ID: setupFurnish + "0", Status: 200}, page.Arrived{ID: setupFurnish + "0", Part: []byte(`{"type":"ADDED",`)})
	if p.m.live.phase != making {
		t.Errorf("half an event is taken for one: %s", p.m.live.phase)
	}
	p.do(page.Arrived{ID: setupFurnish + "0", Part: []byte(`"object":{}}` + "\n")})
	p.says("Waiting for the ConfigMap kube-root-ca.crt")
	p.do(exists(1), page.Ended{ID: setupFurnish + "0", How: page.Canceled})
	if p.m.live.phase != ready || p.m.live.at != 0 {
		t.Errorf("%s at %d", p.m.live.phase, p.m.live.at)
	}

	p = begin(t, practice(t), "")
	p.do(doBegin, answer(setupNamespace, 201, "{}"), page.Opened{ID: setupFurnish + "0", Status: 200}, later(180))
	p.says("Waiting for the ServiceAccount default")
	p.do(later(181))
	p.says("The lesson can’t begin", "but not in this one within three minutes", "Try again")
	p.took()
	p.do(page.Ended{ID: setupFurnish + "0", How: page.Canceled})
	p.says("within three minutes")

	p = begin(t, practice(t), "")
	p.do(doBegin, answer(setupNamespace, 201, "{}"), answer(setupFurnish+"0", 403, `{"kind":"Status","code":403}`), exists(1))
	if p.m.live.phase != ready {
		t.Errorf("somebody who may not watch ServiceAccounts can't begin: %s", p.m.live.phase)
	}
}
