package object

import (
	"encoding/json"

	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// received takes in a message of a subscription. Where more follows at once, what is shown waits for that.
func (m Model) received(w wire.Message, more bool) (page.Page, []page.Cmd) {
	l := m.live
	if w.ID != subscription {
		if l.events != nil && w.ID == l.events.id {
			l.events.receive(w)
		}
		return m, nil
	}
	before := l.latest
	l.contact.Hear(w)
	l.receive(w)
	m, commands := m.heard(before, more)
	return m, append(commands, l.contact.News()...)
}

func (l *live) receive(w wire.Message) {
	switch w.Type {
	case wire.Rows:
		l.arrive(w)
	case wire.Synced:
		l.whole(w.Gen)
	case wire.Gap:
		l.came, l.missing = false, missed(w.Reason)
	case wire.Events:
		for _, e := range w.Events {
			l.happen(e)
		}
	}
}

// arrive takes in a state, which is the object or nothing.
func (l *live) arrive(w wire.Message) {
	l.came, l.found = true, l.came && l.found || len(w.Objects) > 0
	l.timeline.Break(l.missing)
	for _, text := range w.Objects {
		l.take(text)
	}
}

// whole knows that the state has arrived: what is not in it is gone.
func (l *live) whole(gen uint32) {
	found := l.came && l.found
	if (l.came || gen != l.gen) && !found && l.latest.gone.IsZero() {
		l.latest.gone, l.latest.missed = l.now, true
		l.timeline.Break(missedDeletion)
		l.timeline.Delete(l.latest.object, l.heard)
	}
	l.gen, l.came, l.missing = gen, false, missedUnknown
}

// happen takes in one event.
func (l *live) happen(e wire.Event) {
	if e.Type != wire.Deleted {
		l.take(e.Object)
		return
	}
	last, ok := read(e.Object)
	if ok && last.Meta("uid") != l.latest.uid() || !l.latest.gone.IsZero() {
		return // one that stood here before
	}
	if ok {
		l.latest.object = last
	}
	l.latest.gone, l.latest.missed = l.now, false
	l.timeline.Delete(l.latest.object, l.heard)
}

// take takes in a state of the object.
func (l *live) take(text []byte) {
	o, ok := read(text)
	if !ok {
		return
	}
	renewed := l.latest.renewed || o.Meta("uid") != l.latest.uid()
	l.latest = state{object: o, renewed: renewed}
	l.timeline.Add(o, text, l.heard)
}

// read reads an object. The server has read it before us, and masked it; that it is masked here, too, costs nothing.
func read(text json.RawMessage) (object.Object, bool) {
	o, err := object.Parse(text)
	return o.Masked(), err == nil
}

// heard draws the conclusions from what was heard since before.
func (m Model) heard(before state, more bool) (Model, []page.Cmd) {
	l := m.live
	if l.latest.is(before) {
		return m.shownUnless(more), nil
	}
	l.awaited = true
	commands := l.news(before)
	if m.Reveal != nil {
		l.hidden, m.Reveal = m.Reveal.Key, nil
		m.Shell.Here = m.address(m.query())
		commands = append(commands, page.Remember{Address: m.Shell.Here, Replace: true})
	}
	another := l.latest.uid() != before.uid()
	switch {
	case m.Tab == Owners && l.latest.gone.IsZero() && (another || !sameOwners(l.latest.object, before.object)):
		commands = append(commands, page.Reload{})
	case m.Tab == Events && another && m.Problem == nil:
		commands = append(append(commands, m.leaveEvents()...), m.followEvents(table.Table{}))
	}
	return m.shownUnless(more), commands
}

// shownUnless shows what has not been shown, unless more follows at once or the pointer holds what there is.
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

// news says what happened to the object, to those who do not see it.
func (l *live) news(before state) []page.Cmd {
	switch {
	case !l.latest.gone.IsZero():
		l.unsaid = false
		return []page.Cmd{page.Announce{Words: "Deleted"}}
	case l.latest.uid() != before.uid():
		l.unsaid = false
		return []page.Cmd{page.Announce{Words: "There is a new object of this name"}}
	default:
		return l.sayChanged(true)
	}
}
