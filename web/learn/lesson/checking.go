package lesson

import (
	"cmp"
	"maps"
	"time"

	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/lesson/sent"
	"github.com/fieldmark/fieldmark/words"
)

// checked is the state of a check that has begun.
type checked struct {
	verdicts []lesson.Verdict
	before   bool // it had passed before the page was loaded
	left     bool // it had failed before the page was loaded
	gone     bool // it can't be made: the page no longer has the whole response
	done     bool
	until    time.Time // until then it is tried again if it fails
	x        call.Call
}

// holds tells whether the check has passed.
func (c *checked) holds() bool {
	return c != nil && (c.before || c.done && !c.left && !c.gone && c.kept())
}

// settled tells whether the check is final, passed or failed.
func (c *checked) settled() bool { return c != nil && (c.before || c.done) }

// state is the state in a word for the stylesheet.
func (c *checked) state() string {
	switch {
	case c.holds():
		return "held"
	case c.settled():
		return "failed"
	}
	return "waiting"
}

// kept tells whether all statements that were judged are true.
func (c *checked) kept() bool {
	for _, v := range c.verdicts {
		if !v.OK {
			return false
		}
	}
	return true
}

// streamPatience is how long a check waits for events of a stream, in seconds, unless the lesson says otherwise.
const streamPatience = 10

// reach is the first block of a step that must be done before the blocks after it are shown. If all are done, it is the number of blocks.
func (m Model) reach(step int) int {
	blocks := m.Lesson.Steps[step].Blocks
	if m.live.phase == reading {
		return len(blocks) // the lesson is only read, so everything is shown
	}
	for n, b := range blocks {
		if m.holdsUp(block{step, n}, b) {
			return n
		}
	}
	return len(blocks)
}

// holdsUp tells whether a block must be done before the blocks after it are shown.
func (m Model) holdsUp(at block, b lesson.Block) bool {
	switch {
	case b.Request != nil:
		return !m.live.sent[at].Answered()
	case b.Check != nil:
		return !m.live.checks[at].settled()
	case b.Predict != nil:
		_, made := m.live.guesses[at]
		return !made && m.isOutcomeKnown(at)
	}
	return false
}

// goOn does what the step in sight does without the learner: it makes checks and ends streams. See proceed for predictions.
func (m Model) goOn() []page.Cmd {
	l := m.live
	if l.at < 0 || l.at >= m.endPlace() || l.phase == making || l.phase == awaiting || l.phase == tidying {
		return nil
	}
	var cmds []page.Cmd
	passed := m.passed(l.at)
	for n, b := range m.Lesson.Steps[l.at].Blocks {
		at := block{l.at, n}
		switch {
		case b.Check != nil && l.checks[at] == nil:
			cmds = append(cmds, m.check(at)...)
		case b.Stop != nil && l.phase != reading && !m.failedBefore(at):
			if of, ok := m.findRequestBlock(b.Stop.Of); ok {
				cmds = append(cmds, m.stop(of, "")...)
			}
		}
		if m.live.phase != reading && m.holdsUp(at, b) {
			break
		}
	}
	if !passed && m.passed(l.at) {
		cmds = append(cmds, m.keep())
	}
	return cmds
}

// failedBefore tells whether a check before a block of its step has failed. It may need more events of a stream.
func (m Model) failedBefore(at block) bool {
	for n := range at.n {
		if state := m.live.checks[block{at.step, n}]; state.settled() && !state.holds() {
			return true
		}
	}
	return false
}

// check begins a check, if its response is there.
func (m Model) check(at block) []page.Cmd {
	c := m.block(at).Check
	l := m.live
	if c.Get != "" {
		return m.get(at)
	}
	of, ok := m.of(c.Of, at)
	a := l.sent[of]
	switch {
	case !ok || !a.Answered():
		return nil
	case a.Before:
		if !a.Reading && m.live.phase == ready {
			l.checks[at] = &checked{done: true, gone: true}
			return []page.Cmd{m.keep()}
		}
		return nil
	}
	l.checks[at] = &checked{until: l.now.Add(time.Duration(m.within(c, a)) * time.Second)}
	return m.judged(at)
}

// within is for how many seconds a check is tried again.
func (m Model) within(c *lesson.Check, a *sent.Request) int {
	if a.Watch && a.Call.Under() {
		return cmp.Or(c.Within, streamPatience)
	}
	return 0
}

// judge compares a response with what is expected of it. It keeps the values that the check keeps.
func (m Model) judge(c *lesson.Check, a lesson.Answer) []lesson.Verdict {
	return judgeWith(c, a, m.live.vars)
}

func judgeWith(c *lesson.Check, a lesson.Answer, vars lesson.Vars) []lesson.Verdict {
	var all []lesson.Verdict
	a = a.Remembering()
	for _, s := range c.Statements {
		all = append(all, s.Judge(a, vars))
	}
	return all
}

// wouldHold tells whether all that a check expects is true of a response. Nothing is kept of it.
func (m Model) wouldHold(c *lesson.Check, a *sent.Request) bool {
	for _, v := range judgeWith(c, a.Answer(), maps.Clone(m.vars())) {
		if !v.OK {
			return false
		}
	}
	return true
}

// judged judges a response again, and announces the result when it is final.
func (m Model) judged(at block) []page.Cmd {
	l := m.live
	c, state := m.block(at).Check, l.checks[at]
	state.verdicts = m.judge(c, m.answerOf(c.Of, at).Answer())
	state.done = state.kept() || !l.now.Before(state.until)
	return m.news(at, state)
}

// news announces a final check. If it failed, the page looks for the reason.
func (m Model) news(at block, c *checked) []page.Cmd {
	switch {
	case !c.done:
		return nil
	case c.kept():
		return []page.Cmd{page.Announce{Words: words.CheckPassed}, m.keep()}
	}
	cmds := append(m.inquire(at), m.lookHome()...)
	return append(cmds, page.Announce{Words: words.CheckFailed}, m.keep())
}

// get requests the object that a check of the cluster's state is about.
func (m Model) get(at block) []page.Cmd {
	c, l := m.block(at).Check, m.live
	target, err := l.vars.Expand(c.Get)
	if err != nil || m.mayNotLook() {
		return nil
	}
	if l.checks[at] == nil {
		l.checks[at] = &checked{until: l.now.Add(time.Duration(c.Within) * time.Second)}
	}
	x, call := m.call("check/"+at.String(), lesson.Request{Method: "GET", Target: target}).Begin()
	l.checks[at].x = x
	return []page.Cmd{call}
}

// mayNotLook tells whether the page can't request the cluster's state now.
func (m Model) mayNotLook() bool {
	return m.Problem != nil || !m.Shell.In() || m.live.phase != ready
}

// poll makes checks again that have not passed yet.
func (m Model) poll() []page.Cmd {
	var cmds []page.Cmd
	for at, c := range m.live.checks {
		switch {
		case c.settled():
		case m.block(at).Check.Get == "":
			cmds = append(cmds, m.judged(at)...)
		case c.x.Done():
			cmds = append(cmds, m.get(at)...)
		}
	}
	return cmds
}

// heardCheck takes a response to get in; false: the message is about something else.
func (m Model) heardCheck(msg page.Msg) ([]page.Cmd, bool) {
	for at, c := range m.live.checks {
		x, mine := c.x.Hear(msg)
		if c.x.ID == "" || !mine {
			continue
		}
		c.x = x
		if !x.Done() || c.done {
			return nil, true
		}
		c.verdicts = m.judge(m.block(at).Check, (&sent.Request{Call: x}).Answer())
		c.done = c.kept() || !m.live.now.Before(c.until)
		return m.news(at, c), true
	}
	return nil, false
}
