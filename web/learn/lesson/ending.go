package lesson

import (
	"strconv"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/scenario"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// remains are the requests that delete everything that an attempt has created.
func (m Model) remains() []call.Call {
	var all []call.Call
	add := func(r lesson.Request) {
		id := "tidy/" + m.live.vars[lesson.Unique] + "/" + strconv.Itoa(len(all))
		all = append(all, m.call(id, r))
	}
	for _, r := range m.Lesson.Cleanup {
		if filled, err := r.Expanded(m.live.vars); err == nil { // without a value, its object was never created
			add(filled)
		}
	}
	if m.Lesson.Scenario != "" {
		add(lesson.Request{Method: "DELETE", Target: scenario.Named(m.namespace()).String()})
	}
	if m.needsNamespace() {
		add(lesson.Request{Method: "DELETE", Target: apipath.Object("", "v1", "", "namespaces", m.namespace()).String()})
	}
	return all
}

// drop cancels all requests of the page that are on their way.
func (m Model) drop() []page.Cmd {
	var cmds []page.Cmd
	for _, a := range m.live.sent {
		if a.Call.Under() && a.By == "" {
			cmds = append(cmds, a.Call.Cancel())
		}
	}
	for _, a := range m.live.again {
		if a.Call.Under() && a.By == "" {
			cmds = append(cmds, a.Call.Cancel())
		}
	}
	for _, c := range m.live.checks {
		if c.x.Under() {
			cmds = append(cmds, c.x.Cancel())
		}
	}
	for _, x := range m.live.setup {
		if _, is := furnishing(x); is && x.Under() {
			cmds = append(cmds, x.Cancel())
		}
	}
	return cmds
}

// leave deletes what the attempt has created, without waiting for the responses.
func (m Model) leave() []page.Cmd {
	l := m.live
	cmds := m.drop()
	if l.phase == ready || l.phase == awaiting {
		for _, x := range m.remains() {
			_, call := x.Begin()
			cmds = append(cmds, call)
		}
	}
	l.phase = unbegun
	return cmds
}

// reset leaves the attempt, and begins a new one at once.
func (m Model) reset() []page.Cmd {
	l := m.live
	if !m.writable() || l.phase == making || l.phase == tidying {
		return nil
	}
	cmds := append(m.leave(), m.startAttempt()...)
	if l.at > 0 {
		cmds = append(cmds, m.turn(0)...)
	}
	return append(cmds, m.listen()...)
}

// finish ends the lesson if all steps are done. Else a button does; see tidy.
func (m Model) finish() []page.Cmd {
	l := m.live
	if l.phase == reading && len(l.sent) > 0 {
		done := m.mine()
		done.Done = true
		l.book = l.book.With(m.Lesson.ID, done)
	}
	if l.phase != ready || m.left() > 0 {
		return nil
	}
	return m.tidy()
}

// tidy ends the lesson, and deletes what it has created.
func (m Model) tidy() []page.Cmd {
	l := m.live
	if l.phase != ready {
		return nil
	}
	done := m.mine().Over()
	done.Done = true
	l.book = l.book.With(m.Lesson.ID, done)
	cmds := m.drop()
	l.phase, l.tidied = tidying, nil
	for _, x := range m.remains() {
		x, call := x.Begin()
		l.tidied, cmds = append(l.tidied, x), append(cmds, call)
	}
	if len(l.tidied) == 0 {
		l.phase = over
	}
	return append(cmds, m.keep(), page.Announce{Words: "The lesson is done"}, page.Focus{ID: headingID(l.at)})
}

// heardTidying takes a response to a request of tidy in; false: the message is about something else.
func (m Model) heardTidying(msg page.Msg) bool {
	l := m.live
	found, under := false, false
	for i, x := range l.tidied {
		next, mine := x.Hear(msg)
		if mine {
			l.tidied[i], found = next, true
		}
		under = under || !l.tidied[i].Done()
	}
	if l.phase == tidying && found && !under {
		l.phase = over
	}
	return found
}

// left is the number of steps that are not done.
func (m Model) left() int {
	n := 0
	for s := range m.Lesson.Steps {
		if !m.passed(s) {
			n++
		}
	}
	return n
}

// passed tells whether all blocks of a step are done, and all its checks have passed.
func (m Model) passed(step int) bool {
	if m.live == nil || m.reach(step) < len(m.Lesson.Steps[step].Blocks) {
		return false
	}
	for n, b := range m.Lesson.Steps[step].Blocks {
		if b.Check != nil && !m.live.checks[block{step, n}].holds() {
			return false
		}
		if b.Request != nil && !m.live.sent[block{step, n}].Answered() {
			return false
		}
	}
	return true
}
