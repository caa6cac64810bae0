package object

import (
	"github.com/fieldmark/fieldmark/web/follow"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// received handles a message of the subscription. If more messages follow at once, the page waits for the last of them before it shows anything.
func (m Model) received(w wire.Message, more bool) (page.Page, []page.Cmd) {
	l := m.live
	if w.ID != subscription {
		return m, nil
	}
	before := l.object.State
	l.record(w, l.object.Hear(w))
	m, commands := m.heard(before, more)
	return m, append(commands, l.object.News()...)
}

// heard updates the page after the state has changed.
func (m Model) heard(before follow.State, more bool) (Model, []page.Cmd) {
	l := m.live
	if l.object.Is(before) {
		return m.shownUnless(more), nil
	}
	l.awaited = true
	commands := l.news(before)
	if m.Secrets.Reveal != nil {
		m.Secrets = m.Secrets.Hide()
		m.Shell.Here = m.queryAddress(m.query())
		commands = append(commands, page.Remember{Address: m.Shell.Here, Replace: true})
	}
	another := l.object.UID() != before.UID()
	switch {
	case m.Tab == Related && !l.object.Gone() && (another || !sameOwners(l.object.Object, before.Object)):
		commands = append(commands, page.Reload{})
	case m.Tab == Events && another && m.Problem == nil:
		m, commands = m.leaveEvents(commands)
		m, commands = m.followEvents(commands)
	}
	return m.shownUnless(more), commands
}

// shownUnless shows the latest state, unless more follows at once or the pointer is over the document.
func (m Model) shownUnless(more bool) Model {
	l := m.live
	if !l.awaited || more {
		return m
	}
	if l.awaited, l.held = false, l.over; !l.held {
		m = m.show()
	}
	return m
}

// news announces to screen readers what happened to the object.
func (l *live) news(before follow.State) []page.Cmd {
	switch {
	case l.object.Gone():
		l.unsaid = false
		return []page.Cmd{page.Announce{Words: "Deleted"}}
	case l.object.UID() != before.UID():
		l.unsaid = false
		return []page.Cmd{page.Announce{Words: "There is a new object with this name"}}
	default:
		return l.sayChanged(true)
	}
}
