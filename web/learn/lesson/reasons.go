package lesson

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/learn/lesson/response"
	"github.com/fieldmark/fieldmark/words"
)

// reason says in whole sentences why a step can't pass, and what to do.
type reason struct {
	words  string
	step   int   // the step that the words name, for a link; none: they name no step
	stream block // the stream that a button opens again; its step is none if there is no button
}

// none is the number of no step.
const none = -1

// plainly is a reason that names no step.
func plainly(words string) reason { return reason{words: words, step: none, stream: block{step: none}} }

// about is a reason that names a step.
func about(step int, words string) reason {
	r := plainly(words)
	r.step = step
	return r
}

// stepName names a step in a sentence.
func (m Model) stepName(step int) string {
	return "step " + strconv.Itoa(step+1) + ", “" + m.Lesson.Steps[step].Title + "”"
}

// reasons say why a check failed, as exactly as the page knows.
func (m Model) reasons(at block) []reason {
	c, state := m.block(at).Check, m.live.checks[at]
	of, named := m.of(c.Of, at)
	a := m.live.sent[of]
	switch {
	case m.live.phase == reading:
		return []reason{plainly("This lesson is written for its own namespace on the practice cluster. This cluster has other objects, so the check can fail here.")}
	case state.gone:
		return []reason{about(of.step, "The wire log no longer has the whole response of "+m.stepName(of.step)+". The page can’t check it. Send the request again.")}
	}
	all := m.skipped(at)
	if c.Get == "" && named && m.block(of).Request.Watch && (a == nil || a.Call.Done()) {
		r := about(of.step, "The stream of "+m.stepName(of.step)+", has ended, so it brings no more events. Open the stream again.")
		r.stream = of
		all = append(all, r)
	}
	if why := m.changed(at); why.words != "" {
		all = append(all, why)
	}
	if len(all) == 0 {
		all = append(all, m.unknown(at))
	}
	return all
}

// unfit tells why a response is not the one that the lesson is about: one of its checks failed, or none was made and the API server
// refused the request. It is nil if nothing is known against the response.
func (m Model) unfit(request block) *response.Unfit {
	checks := m.checksOf(request, request.step)
	for _, at := range checks {
		if state := m.live.checks[at]; state.settled() && !state.holds() {
			return &response.Unfit{Check: m.failedWords(at)}
		}
	}
	if s, failed := m.failing(request, request.step); failed {
		return &response.Unfit{Check: m.vars().Plain(s.String())}
	}
	if a := m.live.sent[request]; len(checks) == 0 && a.Known() && !a.Call.OK() {
		return &response.Unfit{}
	}
	return nil
}

// failedWords are the first statement of a check that is not true, as the lesson writes it; empty: the page doesn't know which.
func (m Model) failedWords(at block) string {
	state := m.live.checks[at]
	if state == nil {
		return ""
	}
	for _, v := range state.verdicts {
		if !v.OK {
			return m.vars().Plain(v.Statement.String())
		}
	}
	return ""
}

// assumes tells whether a text comes directly after a failed check: the lesson wrote the text for the expected result. The check is as
// failedWords has it.
func (m Model) assumes(at block) (check string, is bool) {
	if m.live == nil {
		return "", false
	}
	for n := at.n - 1; n >= 0; n-- {
		before := block{at.step, n}
		b := m.block(before)
		if b.HTML != "" || b.Predict != nil {
			return "", false
		}
		if state := m.live.checks[before]; b.Check != nil && state.settled() && !state.holds() && !state.gone {
			return m.failedWords(before), true
		}
	}
	return "", false
}

// resting tells which step before this one failed, if this one can depend on it. There is none on clusters where the lesson is only read.
func (m Model) resting(step int) reason {
	if m.live == nil || m.live.phase == reading {
		return plainly("")
	}
	for s := range step {
		if m.matters(s) && m.failed(s) {
			return about(s, "A check failed in "+m.stepName(s)+". The text of this step assumes that all checks passed.")
		}
	}
	return plainly("")
}

// skipped are reasons for the steps before a check that were not done or failed, if the check can depend on them.
func (m Model) skipped(at block) []reason {
	var all []reason
	for s := range at.step {
		switch {
		case !m.matters(s):
		case m.unsent(s):
			all = append(all, about(s, "You skipped "+m.stepName(s)+". Do that step first, then come back and send this request again."))
		case m.failed(s):
			all = append(all, about(s, "A check failed in "+m.stepName(s)+". Repeat that step first, then come back and send this request again."))
		}
	}
	return all
}

// matters tells whether later steps can depend on a step: the step changes the cluster, or keeps a value.
func (m Model) matters(step int) bool {
	return slices.ContainsFunc(m.Lesson.Steps[step].Blocks, func(b lesson.Block) bool {
		switch {
		case b.Request != nil:
			return !b.Request.Reads() && !request.New(b.Request.Method, b.Request.Target).Query.Has("dryRun")
		case b.Check != nil:
			return slices.ContainsFunc(b.Check.Statements, func(s lesson.Statement) bool { return s.Keep != "" })
		}
		return false
	})
}

// unsent tells whether a request of a step has no response.
func (m Model) unsent(step int) bool {
	for n, b := range m.Lesson.Steps[step].Blocks {
		if b.Request != nil && !m.live.sent[block{step, n}].Answered() {
			return true
		}
	}
	return false
}

// unknown is the reason if the page knows no other.
func (m Model) unknown(at block) reason {
	c := m.block(at).Check
	of, _ := m.of(c.Of, at)
	a := m.live.sent[of]
	seconds := words.Count(int64(c.Within), "second", "seconds")
	switch {
	case c.Get != "" && c.Within > 0:
		return plainly("The cluster did not reach this state within " + seconds + ". Look again, or start over.")
	case c.Get != "":
		return plainly("The cluster has another state than this step expects. Look again, or start over.")
	case m.block(of).Request != nil && m.block(of).Request.Watch:
		within := words.Count(int64(cmp.Or(c.Within, streamPatience)), "second", "seconds")
		return plainly("The stream did not bring what this step expects within " + within + ". Look again, or start over.")
	case a.Known() && a.By != "":
		return plainly("The response to kubectl differs from what this step expects. Compare your command with the one above, and run it again.")
	case a.Known() && !a.Call.OK() && a.Call.No().Is(status.AlreadyExists):
		return plainly("The object exists already, so the API server did not create it. Delete the object, or start over.")
	}
	return plainly("The response differs from what this step expects. Compare what was expected with what came. Then send the request again, or start over.")
}

// blocked says that a check waits for another step. It has no words if the check doesn't.
func (m Model) blocked(at block) reason {
	c := m.block(at).Check
	for _, name := range lesson.Used(c.Get) {
		if _, has := m.live.vars[name]; !has && m.keeper(name) != none {
			return about(m.keeper(name), "This check needs the value “"+name+"” from "+m.stepName(m.keeper(name))+". Do that step first.")
		}
	}
	if of, ok := m.of(c.Of, at); ok && c.Get == "" && of.step != at.step && !m.live.sent[of].Answered() {
		return about(of.step, "This check needs the response of "+m.stepName(of.step)+". Do that step first.")
	}
	return plainly("")
}

// lacks says which value a request needs that no response has had yet; empty: none.
func (m Model) lacks(r *lesson.Request) string {
	name, ok := m.lacking(r)
	if !ok {
		return ""
	}
	if step := m.keeper(name); step != none {
		return "This request needs the value “" + name + "” from " + m.stepName(step) + ". Do that step first."
	}
	return "This request needs the value “" + name + "”, and no response has it yet."
}

// lacking is the first variable of a request without a value; false: all have one.
func (m Model) lacking(r *lesson.Request) (string, bool) {
	for _, name := range r.Uses() {
		if _, has := m.live.vars[name]; !has {
			return name, true
		}
	}
	return "", false
}

// keeper is the step whose check keeps a variable; none: there is no such step.
func (m Model) keeper(name string) int {
	return slices.IndexFunc(m.Lesson.Steps, func(s lesson.Step) bool {
		return slices.ContainsFunc(s.Blocks, func(b lesson.Block) bool {
			return b.Check != nil && slices.ContainsFunc(b.Check.Statements, func(s lesson.Statement) bool { return s.Keep == name })
		})
	})
}

// needed is the step that must be done before a request can be sent; none: there is no such step.
func (m Model) needed(at block) int {
	r := m.block(at).Request
	name, ok := m.lacking(r)
	if !ok || strings.TrimSpace(m.mayNot(at)) != m.lacks(r) {
		return none
	}
	return m.keeper(name)
}
