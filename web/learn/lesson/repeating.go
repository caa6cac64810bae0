package lesson

import (
	"strconv"

	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/lesson/response"
	"github.com/fieldmark/fieldmark/web/learn/lesson/sent"
)

// sendFilled sends a request with values for its variables. Checks, predictions and variables use the first good response. So if there is a good
// response, the request is a repeat, and its response is shown below the first one. Else it replaces the response.
func (m Model) sendFilled(b block, filled lesson.Request) page.Cmd {
	l := m.live
	if m.good(b) && !m.wanting(b) {
		x, call := m.call("again/"+b.String(), filled).Begin()
		l.again[b] = &sent.Request{Call: x, Watch: filled.Watch, Lines: sent.LinesAtOnce}
		return call
	}
	m.undo(b)
	delete(l.again, b)
	x, call := m.lasting(b, filled).Begin()
	l.sent[b] = &sent.Request{Call: x, Watch: filled.Watch, Lines: sent.LinesAtOnce}
	return call
}

// nextOrder is the place of a new response, after all others.
func (m Model) nextOrder() int {
	m.live.order++
	return m.live.order
}

// good tells whether the response to a request is the expected one: its checks in the same step have passed, or will pass as far as the page can
// tell now.
func (m Model) good(b block) bool {
	a := m.live.sent[b]
	if !a.Answered() {
		return false
	}
	all := m.checksOf(b, b.step)
	for _, at := range all {
		state := m.live.checks[at]
		switch {
		case state.holds():
		case a.Before || state.settled():
			return false
		case state == nil && !a.Watch && !m.wouldHold(m.block(at).Check, a):
			return false
		}
	}
	return len(all) > 0 || a.Before || a.Call.OK()
}

// checksOf are the checks of a step that are about the response to a request.
func (m Model) checksOf(b block, step int) []block {
	var all []block
	for n, other := range m.Lesson.Steps[step].Blocks {
		at := block{step, n}
		if other.Check == nil || other.Check.Get != "" {
			continue
		}
		if of, ok := m.of(other.Check.Of, at); ok && of == b {
			all = append(all, at)
		}
	}
	return all
}

// wanting tells whether a request is a stream that has ended before all checks about it held.
func (m Model) wanting(b block) bool {
	if a := m.live.sent[b]; !m.block(b).Request.Watch || a == nil || a.Call.Under() {
		return false
	}
	for step := range m.Lesson.Steps {
		for _, at := range m.checksOf(b, step) {
			if !m.live.checks[at].holds() {
				return true
			}
		}
	}
	return false
}

// heardRepeat takes in a part of the response to a repeat.
func (m Model) heardRepeat(b block, a *sent.Request, x call.Call) []page.Cmd {
	first := a.Call.Status == 0
	a.Call = x
	if first && x.Status != 0 {
		a.Order = m.nextOrder()
	}
	if !(x.Done() && !a.Watch || a.Watch && first && x.Status != 0) {
		return nil
	}
	if m.takeOver(b) {
		return []page.Cmd{page.Announce{Words: x.Outcome()}, page.Reveal{ID: lineID(b)}, m.keep()}
	}
	m.lookAgain(b)
	return []page.Cmd{page.Announce{Words: m.repeatWords(b)}, page.Reveal{ID: repeatID(b)}}
}

// lookAgain makes failed checks of the cluster's state after a request again, because the repeat may have corrected the state.
func (m Model) lookAgain(b block) {
	for at, state := range m.live.checks {
		if c := m.block(at).Check; c != nil && c.Get != "" && at.step == b.step && at.n > b.n && state.settled() && !state.holds() {
			m.forgetCheck(at)
		}
	}
}

// forgetCheck forgets a check, so that the page makes it again.
func (m Model) forgetCheck(at block) {
	delete(m.live.checks, at)
	delete(m.live.looks, at)
}

// takeOver replaces a response that a reload has lost by a repeat, if the checks of the step pass for the repeat.
func (m Model) takeOver(b block) bool {
	l := m.live
	again := l.again[b]
	if !l.sent[b].Answered() || !l.sent[b].Before || again.Watch {
		return false
	}
	for _, at := range m.checksOf(b, b.step) {
		if !m.wouldHold(m.block(at).Check, again) {
			return false
		}
	}
	l.sent[b] = again
	delete(l.again, b)
	for step := range m.Lesson.Steps {
		for _, at := range m.checksOf(b, step) {
			if state := l.checks[at]; state.settled() && !state.holds() {
				m.forgetCheck(at)
			}
		}
	}
	return true
}

// repeatID is the element that says what a repeat shows.
func repeatID(b block) string { return "repeat-" + b.String() }

// repeatView is how the response to a repeat is shown: without remarks, because these are about the first response.
func (m Model) repeatView(at block, a *sent.Request) response.View {
	unfold := "managedFields-again-" + at.String()
	return response.View{
		Line: "line-again-" + at.String(), Body: "body-again-" + at.String(), Vars: m.vars(), Flipped: m.live.open[unfold],
		More: doMore + " " + at.String() + " " + ofRepeat, Unfold: doUnfold + " " + unfold, Opens: m.opens(a),
	}
}

// repeatWords say in one sentence what a repeat shows.
func (m Model) repeatWords(b block) string {
	first, again := m.live.sent[b], m.live.again[b]
	x := again.Call
	code := strconv.Itoa(x.Status) + ": "
	switch {
	case x.Status == 0 && x.Done():
		return "No response came."
	case x.Status == 0:
		return "Waiting for the response."
	case again.Watch && x.OK():
		return code + "this is another stream, beside the first one."
	case !x.Done():
		return code + "the response is coming."
	case !x.OK() && x.Status == first.Call.Status:
		return code + "the API server refused the request again."
	case !x.OK():
		return code + refusedWords(*x.No())
	case first.Call.Status != 0 && !first.Call.OK():
		return code + "the API server accepts the request now."
	case m.block(b).Request.Reads():
		return code + "the request only reads, so you can send it again."
	case dry(x):
		return code + "the request is a dry run, so nothing was stored."
	}
	was, is := stateOf(first), stateOf(again)
	switch {
	case was.uid == "" || is.uid == "":
		return code + "the API server accepted the request again."
	case was.uid != is.uid:
		return code + "this is a new object, because the first one was deleted."
	case was.version == is.version:
		return code + "nothing changed, because the object was like that already."
	}
	return code + "the object was written again and has a new resource version."
}

// refusedWords say why a repeat was refused.
func refusedWords(no status.Status) string {
	switch {
	case no.Is(status.AlreadyExists):
		return "the object exists now."
	case no.ManagerConflict():
		return "another manager owns a field that the request changes."
	case no.Code == status.CodeConflict:
		return "the object has changed since the version that the request names."
	case no.Code == status.CodeNotFound:
		return "the object doesn’t exist any more."
	case no.Code == status.CodeUnauthorized:
		return "you are signed out."
	case no.Code == status.CodeForbidden:
		return "you may not do this now."
	case no.Code == status.CodeGone:
		return "the resource version or continue token has expired."
	case no.Code == status.CodeUnprocessableEntity:
		return "the API server refused the content of the request."
	case no.Code == 429:
		return "the API server has too many requests now."
	case no.Code >= 500:
		return "the API server could not process the request."
	}
	return "the API server refused the request."
}

// dry tells whether a request is a dry run.
func dry(x call.Call) bool { return request.New(x.Method, x.Path).Query.Has("dryRun") }

// version identifies the state of an object in a response.
type version struct{ uid, version string }

func stateOf(a *sent.Request) version {
	if !a.Known() {
		return version{}
	}
	o, _ := a.Object()
	rv, _ := meta(o.Fields)["resourceVersion"].(string)
	return version{uidOf(o.Fields), rv}
}
