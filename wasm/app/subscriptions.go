package app

import (
	"time"

	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// subscription is a subscription of the page with its progress, so that it can resume on another
// connection.
type subscription struct {
	page.Subscribe
	wireID  uint32 // its id on the connection: the ids of each page begin at 1
	gen     uint32
	version string // the last that was seen; empty while an initial state arrives
	begun   bool   // something has arrived, so the page no longer has only the state from the server's HTML
	taken   uint32 // messages since credit was given last
	most    uint32 // for the wire log: how many older requests to send
}

// request is the message that requests all that the page does not have.
func (s *subscription) request() wire.Request {
	r := wire.Request{
		Type: wire.Subscribe, ID: s.wireID, Cluster: s.Cluster, Path: s.Path, As: s.As, Gen: s.gen,
		ResourceVersion: s.version,
	}
	if s.As == wire.Requests {
		return wire.Request{Type: wire.Subscribe, ID: s.wireID, Cluster: s.Cluster, As: s.As, N: s.most}
	}
	if !s.begun {
		r.ResourceVersion, r.Continue = s.ResourceVersion, s.Continue
	}
	return r
}

// follows tells whether the subscription is the one that a page requests without a state of its own.
func (s *subscription) follows(c page.Subscribe) bool {
	return s.Cluster == c.Cluster && s.Path == c.Path && s.As == c.As && c.ResourceVersion == ""
}

// updateProgress updates the progress with a message.
func (s *subscription) updateProgress(m wire.Message) {
	if m.Gen > 0 {
		s.gen = m.Gen
	}
	switch m.Type {
	case wire.Rows, wire.Gap:
		s.begun, s.version = true, ""
	case wire.Synced, wire.Events, wire.Bookmark:
		s.begun = true
		if m.ResourceVersion != "" {
			s.version = m.ResourceVersion
		}
	}
}

// subscriptions are the subscriptions of the current page.
type subscriptions struct {
	last   uint32 // wire id
	byWire map[uint32]*subscription
	former map[uint32]*subscription // of the page before, if this page's can take them over
}

func (s *subscriptions) add(c page.Subscribe) *subscription {
	s.last++
	if s.byWire == nil {
		s.byWire = map[uint32]*subscription{}
	}
	added := &subscription{Subscribe: c, wireID: s.last, gen: 1}
	for _, was := range s.former {
		if was.follows(c) && was.version != "" {
			added.begun, added.version, added.gen = true, was.version, was.gen
		}
	}
	s.byWire[s.last] = added
	return added
}

// again adds a subscription of a page that the reader comes back to. It continues where it was.
func (s *subscriptions) again(was *subscription) *subscription {
	added := s.add(was.Subscribe)
	added.begun, added.version, added.gen = true, was.version, was.gen
	return added
}

// remove removes the subscription with a page's id, and returns the wire ids that must be ended.
func (s *subscriptions) remove(id uint32) (ended []uint32) {
	for wireID, sub := range s.byWire {
		if sub.ID == id {
			delete(s.byWire, wireID)
			ended = append(ended, wireID)
		}
	}
	return ended
}

// clear removes all subscriptions, and returns them.
func (s *subscriptions) clear() (left map[uint32]*subscription) {
	left, s.byWire = s.byWire, nil
	return left
}

// message is an unread message of the connection.
type message struct {
	link int // which connection
	data []byte
}

// receive passes a message of a subscription on to the page, and gives the server credit for another.
func (a *App) receive(e message) {
	if !a.link.current(e.link) {
		return
	}
	m, err := wire.ParseMessage(e.data)
	if err != nil {
		panic(err) // the server and this program are of one build
	}
	if a.link.noteArrival(a.now()) {
		a.update(page.Connection{State: page.Open})
	}
	if m.Type == wire.Beat {
		return
	}
	if m.Type == wire.Hello {
		build := a.page.Framed().Shell.Assets.Build
		a.stale = m.Build != "" && build != "" && m.Build != build
		if m.Reader != a.reader {
			a.reloadDocument()
		}
		return
	}
	if a.wiring.receive(m) {
		return
	}
	sub := a.subs.byWire[m.ID]
	if sub == nil {
		return // the subscription ended while the message was sent
	}
	sub.updateProgress(m)
	switch m.Type {
	case wire.Failed, wire.Closed:
		delete(a.subs.byWire, m.ID)
	default:
		a.link.spent(sub)
	}
	a.deliver(portion{sub, m, a.now()})
}

// portion is the rest of a message; a part of it may have been passed to the page.
type portion struct {
	to *subscription
	wire.Message
	at time.Time
}

// objectsAtOnce is how many versions of an object the page handles before the browser gets a turn. Each is compared with the one
// before, which takes about a millisecond, and an object that changes often has dozens in a message.
const objectsAtOnce = 2

// deliver passes a message to the page. If it has many objects, it passes the first ones, and the rest before all other waiting events.
func (a *App) deliver(p portion) {
	rest := p
	more := len(p.Events) > objectsAtOnce && p.Events[0].Object != nil
	if more {
		p.Events, rest.Events = p.Events[:objectsAtOnce], p.Events[objectsAtOnce:]
		a.inbox.before(rest)
	}
	p.ID = p.to.ID
	a.updatePage(page.Received{Message: p.Message, At: p.at, More: more})
	if p.Type == wire.Rows {
		a.dirtyLater()
	} else {
		a.dirty()
	}
}

// resubscribe requests every subscription on a new connection.
func (a *App) resubscribe() {
	for _, s := range a.subs.byWire {
		s.taken = 0
		a.link.subscribe(s)
	}
	a.wiring.follow()
}

// spent counts a handled message, and gives the server new credit.
func (l *link) spent(s *subscription) {
	if s.taken++; s.taken >= wire.Window/4 {
		l.sendRequest(wire.Request{Type: wire.Credit, ID: s.wireID, N: s.taken})
		s.taken = 0
	}
}
