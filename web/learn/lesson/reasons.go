package lesson

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/learn/lesson/response"
	"github.com/fieldmark/fieldmark/web/learn/lesson/sent"
	"github.com/fieldmark/fieldmark/words"
)

// reason says in whole sentences why a step can't pass, and what to do.
type reason struct {
	words  string
	step   int   // the step that the words name, for a link; none: they name no step
	stream block // the stream that a button opens again; its step is none if there is no button
	rank   rank
}

// rank is the order of reasons: the first one explains the others.
type rank int

const (
	ofPlace  rank = iota // the cluster, or the lesson's namespace
	ofRecord             // the page has no response
	ofStream
	ofObject
	ofStep // a step before
	ofNothing
)

func (r reason) ranked(n rank) reason {
	r.rank = n
	return r
}

// none is the number of no step, and head the place before the blocks of a step.
const (
	none = -1
	head = -1
)

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

// reason says why a check failed, as exactly as the page knows. It names a step only if doing that step now helps.
func (m Model) reason(at block) reason {
	c, state := m.block(at).Check, m.live.checks[at]
	of, named := m.of(c.Of, at)
	a := m.live.sent[of]
	switch {
	case m.live.phase == reading:
		return plainly("This lesson is written for its own namespace on the practice cluster. This cluster has other objects, so the check can fail here.")
	case m.homeless() != "":
		return plainly(m.homeless())
	case state.gone:
		return about(of.step, "The wire log no longer has the whole response of "+m.stepName(of.step)+". The page can’t check it. Send the request again.").ranked(ofRecord)
	case c.Get == "" && named && m.block(of).Request.Watch && (a == nil || a.Call.Done()) && !expectsEnd(c):
		return m.ended(of, a).ranked(ofStream)
	}
	for _, why := range []reason{m.changed(at).ranked(ofObject), m.skipped(at).ranked(ofStep), m.unpassed(at).ranked(ofStep)} {
		if why.words != "" {
			return why
		}
	}
	return m.unknown(at).ranked(ofNothing)
}

// top is the one reason of a step that is shown, with the failed check that it is shown at. It has no words if no check has failed.
func (m Model) top(step int) (at block, r reason) {
	for n, b := range m.Lesson.Steps[step].Blocks {
		one := block{step, n}
		if state := m.live.checks[one]; b.Check == nil || !state.settled() || state.holds() {
			continue
		}
		why := m.reason(one)
		late := why.rank == r.rank && why.step == none && r.step != none // what can't be done any more can't be advised by another check
		if r.words == "" || why.rank < r.rank || late {
			at, r = one, why
		}
	}
	return at, r
}

// explained tells whether the reason that a step shows says more than the rows of a failed check. Then these are folded.
func (m Model) explained(at block) bool {
	if state := m.live.checks[at]; !state.settled() || state.holds() || len(state.verdicts) == 0 {
		return false
	}
	_, r := m.top(at.step)
	return r.words != "" && r.rank != ofNothing
}

// troubled tells whether a step has a reason that explains others.
func (m Model) troubled(step int) bool {
	_, r := m.top(step)
	return r.words != "" || m.resting(step).words != ""
}

// setsUpAt tells whether the button that sets up a step stands at a block, or at its head. Only one of its reasons has it.
func (m Model) setsUpAt(at block) bool {
	if !m.offersReplay(at.step) || at.step != m.live.at {
		return false
	}
	if top, r := m.top(at.step); r.words != "" {
		return top == at
	}
	if m.resting(at.step).words != "" {
		return at.n == head
	}
	for n, b := range m.Lesson.Steps[at.step].Blocks {
		one := block{at.step, n}
		if b.Request != nil && m.lacks(one).words != "" || b.Check != nil && m.live.checks[one] == nil && m.blocked(one).words != "" {
			return one == at
		}
	}
	return false
}

// resends tells whether to send a request again can help a failed check. A stream of an earlier step has events that a new stream would not bring.
func (m Model) resends(c *lesson.Check, of, at block) bool {
	return c.Get == "" && (!m.block(of).Request.Watch || of.step == at.step && m.reason(at).stream.step == none)
}

// expectsEnd tells whether the stream of a check ends by itself. Then its end explains nothing.
func expectsEnd(c *lesson.Check) bool {
	return slices.ContainsFunc(c.Statements, func(s lesson.Statement) bool { return s.Subject.Kind == lesson.Stream && s.Value == "ended" })
}

// ended says that a stream brings no more events. It can be opened again if it continues from a version that the server has.
func (m Model) ended(of block, a *sent.Request) reason {
	words := "The stream of " + m.stepName(of.step) + ", has ended, so it brings no more events. "
	target, err := m.live.vars.Expand(m.block(of).Request.Target)
	version := request.New(request.Get, target).Query.Get("resourceVersion")
	if err != nil || version == "" || version == "0" {
		return plainly(words + "A new stream would not bring the events of before.")
	}
	if a.Known() && (!a.Call.OK() || slices.ContainsFunc(a.Answer().Happenings(), func(e watch.Event) bool { return e.Type == watch.Error })) {
		return plainly(words + "The API server no longer has the version that the stream begins at.")
	}
	r := about(of.step, words+"Open the stream again.")
	r.stream = of
	return r
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

// resting tells which step before this one failed, if this one can depend on it. There is none on clusters where the lesson is only read, and
// none if the step has a reason of its own.
func (m Model) resting(step int) reason {
	if m.live == nil || m.live.phase == reading || m.failed(step) {
		return plainly("")
	}
	for s := range step {
		if m.matters(s) && m.failed(s) {
			return about(s, "A check failed in "+m.stepName(s)+". The text of this step assumes that all checks passed.")
		}
	}
	return plainly("")
}

// skipped says which steps before a check were not done, if the check can depend on them.
func (m Model) skipped(at block) reason {
	return m.before(at, m.unsent, "You skipped ", "")
}

// unpassed says which step before a check has a failed check itself, if the check can depend on the step.
func (m Model) unpassed(at block) reason {
	return m.before(at, m.failed, "A check failed in ", "The step says why. ")
}

// before is the reason of a check that failed because of earlier steps. It advises them only if they can still be done.
func (m Model) before(at block, wrong func(step int) bool, words, more string) reason {
	all, late := m.missing(at, wrong)
	if len(all) == 0 {
		return plainly("")
	}
	words += m.stepsWords(all) + ". "
	switch {
	case late != "":
		return plainly(words + late)
	case len(all) > 1:
		return about(all[0], words+more+"Do these steps first, in this order, then come back and send this request again.")
	}
	return about(all[0], words+more+"Do that step first, then come back and send this request again.")
}

// missing are the steps before a block that are wrong and matter. late says why they can't be done any more; empty: they can.
func (m Model) missing(at block, wrong func(step int) bool) (all []int, late string) {
	for s := range at.step {
		if m.matters(s) && wrong(s) {
			all, late = append(all, s), cmp.Or(late, m.late(s, at))
		}
	}
	if len(all) > 1 {
		late = strings.Replace(late, withoutStep, "Without these steps", 1)
	}
	return all, late
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
		return plainly("The cluster did not reach this state within " + seconds + ". Look again, or let the page set up this step.")
	case c.Get != "":
		return plainly("The cluster has another state than this step expects. Look again, or let the page set up this step.")
	case m.block(of).Request != nil && m.block(of).Request.Watch:
		within := words.Count(int64(cmp.Or(c.Within, streamPatience)), "second", "seconds")
		return plainly("The stream did not bring what this step expects within " + within + ". Look again, or let the page set up this step.")
	case a.Known() && a.By != "":
		return plainly("The response to kubectl differs from what this step expects. Compare your command with the one above, and run it again.")
	case a.Known() && !a.Call.OK() && a.Call.No().Is(status.AlreadyExists):
		return plainly("The object existed already, so the API server did not create it.")
	}
	return plainly("The response differs from what this step expects. Compare what was expected with what came, or let the page set up this step.")
}

// blocked says that a check waits for another step. It has no words if the check doesn't.
func (m Model) blocked(at block) reason {
	c := m.block(at).Check
	for _, name := range lesson.Used(c.Get) {
		if _, has := m.live.vars[name]; !has && m.keeper(name) != none {
			return m.first("This check needs the value “"+name+"” from ", m.keeper(name), at)
		}
	}
	if of, ok := m.of(c.Of, at); ok && c.Get == "" && of.step != at.step && !m.live.sent[of].Answered() {
		return m.first("This check needs the response of ", of.step, at)
	}
	return plainly("")
}

// first says that something needs a step, and how to go on. A step that was skipped can itself need others that were skipped.
func (m Model) first(needs string, step int, at block) reason {
	words := needs + m.stepName(step) + ". "
	if all, late := m.missing(at, m.unsent); len(all) > 1 && slices.Contains(all, step) {
		skipped := "You skipped " + m.stepsWords(all) + ". "
		if late != "" {
			return plainly(skipped + late)
		}
		return about(all[0], skipped+"Do these steps first, in this order. "+strings.TrimSpace(words))
	}
	switch late := m.late(step, at); {
	case late != "":
		return plainly(words + late)
	case m.failed(step):
		return about(step, words+"A check failed there. Go to that step first.")
	}
	return about(step, words+"Do that step first.")
}

// lacks says which value a request needs that no response has had yet. It has no words if the request has all values.
func (m Model) lacks(at block) reason {
	name, ok := m.lacking(m.block(at).Request)
	if !ok {
		return plainly("")
	}
	if step := m.keeper(name); step != none {
		return m.first("This request needs the value “"+name+"” from ", step, at)
	}
	return plainly("This request needs the value “" + name + "”, and no response has it yet.")
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
	if why := m.lacks(at); m.mayNot(at) == why.words {
		return why.step
	}
	return none
}
