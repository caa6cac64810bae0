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

// checked is a check as far as it has come.
type checked struct {
	verdicts []lesson.Verdict
	before   bool // it held before the page was loaded
	left     bool // it had failed before the page was loaded
	gone     bool // it can't be judged: the response isn't there any more
	done     bool
	until    time.Time // it may not be so yet until then
	x        call.Call
}

// holds tells whether all that is checked is so.
func (c *checked) holds() bool {
	return c != nil && (c.before || c.done && !c.left && !c.gone && c.kept())
}

// settled tells whether the lesson can go on, be it so or not.
func (c *checked) settled() bool { return c != nil && (c.before || c.done) }

// state is how it stands, in a word for styles.
func (c *checked) state() string {
	switch {
	case c.holds():
		return "held"
	case c.settled():
		return "failed"
	}
	return "waiting"
}

func (c *checked) kept() bool {
	for _, v := range c.verdicts {
		if !v.OK {
			return false
		}
	}
	return true
}

// streamPatience is how long is waited for what a stream is to bring, in seconds, unless the lesson says otherwise.
const streamPatience = 10

// reach is the block of a step that has to be done first before the lesson goes on; how many there are, where nothing has.
func (m Model) reach(step int) int {
	blocks := m.Lesson.Steps[step].Blocks
	if m.live.phase == reading {
		return len(blocks) // it is a text: what can't be sent holds nothing up
	}
	for n, b := range blocks {
		if m.holdsUp(block{step, n}, b) {
			return n
		}
	}
	return len(blocks)
}

func (m Model) holdsUp(at block, b lesson.Block) bool {
	switch {
	case b.Request != nil:
		return !m.live.sent[at].Answered()
	case b.Check != nil:
		return !m.live.checks[at].settled()
	case b.Predict != nil:
		_, made := m.live.guesses[at]
		return !made && m.told(at)
	}
	return false
}

// goOn does what the step in sight does by itself: it judges answers, and ends streams. See proceed for predictions.
func (m Model) goOn() []page.Cmd {
	l := m.live
	if l.at < 0 || l.at >= m.end() || l.phase == making || l.phase == awaiting || l.phase == tidying {
		return nil
	}
	var cmds []page.Cmd
	passed := m.passed(l.at)
	for n, b := range m.Lesson.Steps[l.at].Blocks {
		at := block{l.at, n}
		switch {
		case b.Check != nil && l.checks[at] == nil:
			cmds = append(cmds, m.check(at)...)
		case b.Stop != nil && l.phase != reading:
			if of, ok := m.named(b.Stop.Of); ok {
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

// check begins a check, where that can be.
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

// within is for how many seconds it may not be so yet.
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
	for _, v := range judgeWith(c, a.Answer(), maps.Clone(m.live.vars)) {
		if !v.OK {
			return false
		}
	}
	return true
}

// judged judges an answer once more, and tells what came of it when that is final.
func (m Model) judged(at block) []page.Cmd {
	l := m.live
	c, state := m.block(at).Check, l.checks[at]
	state.verdicts = m.judge(c, m.answerOf(c.Of, at).Answer())
	state.done = state.kept() || !l.now.Before(state.until)
	return m.news(at, state)
}

// news says what came of a check. If it failed, the page looks for the reason.
func (m Model) news(at block, c *checked) []page.Cmd {
	switch {
	case !c.done:
		return nil
	case c.kept():
		return []page.Cmd{page.Announce{Words: words.CheckPassed}, m.keep()}
	}
	return append(m.inquire(at), page.Announce{Words: words.CheckFailed}, m.keep())
}

// get asks for the state of the cluster.
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

// mayNotLook tells whether the cluster can't be asked for its state.
func (m Model) mayNotLook() bool {
	return m.Problem != nil || !m.Shell.In() || m.live.phase != ready
}

// poll judges once more what may be so by now.
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

// heardCheck takes in the state of the cluster; false: it is about something else.
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
