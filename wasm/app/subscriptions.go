package app

import (
	"time"

	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// subscription is one of the page's, and how far it has come: enough to take it up again on another
// connection.
type subscription struct {
	page.Subscribe
	wireID  uint32 // its id on the connection: those of pages begin at 1 each
	gen     uint32
	version string // the last that was seen; empty while an initial state is on its way
	begun   bool   // something has come: what the page brought along is no longer what it has
	taken   uint32 // messages taken in since credit was given
	most    uint32 // of requests, how many of those that were before
}

// request asks the server for all that the page does not have.
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

// follows tells whether it is what a page asks for that has nothing of it.
func (s *subscription) follows(c page.Subscribe) bool {
	return s.Cluster == c.Cluster && s.Path == c.Path && s.As == c.As && c.ResourceVersion == ""
}

// note follows a message, to know where to go on from.
func (s *subscription) note(m wire.Message) {
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

// subscriptions are those of the page that lives.
type subscriptions struct {
	last   uint32 // wire id
	byWire map[uint32]*subscription
	former map[uint32]*subscription // of the page before, where those of this one go on from them
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

// remove forgets the subscription of a page's id, and gives the wire ids that are to be ended.
func (s *subscriptions) remove(id uint32) (ended []uint32) {
	for wireID, sub := range s.byWire {
		if sub.ID == id {
			delete(s.byWire, wireID)
			ended = append(ended, wireID)
		}
	}
	return ended
}

// clear forgets all, and gives what was.
func (s *subscriptions) clear() (left map[uint32]*subscription) {
	left, s.byWire = s.byWire, nil
	return left
}

// message is what came over the connection, not read yet.
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
	if a.link.hear(a.now()) {
		a.update(page.Connection{State: page.Open})
	}
	if m.Type == wire.Beat {
		return
	}
	if m.Type == wire.Hello {
		build := a.page.Frame().Assets.Build
		a.stale = m.Build != "" && build != "" && m.Build != build
		return
	}
	if a.wiring.receive(m) {
		return
	}
	sub := a.subs.byWire[m.ID]
	if sub == nil {
		return // it was ended while this was on its way
	}
	sub.note(m)
	switch m.Type {
	case wire.Failed, wire.Closed:
		delete(a.subs.byWire, m.ID)
	default:
		a.link.spent(sub)
	}
	a.deliver(portion{sub, m, a.now()})
}

// portion is what is left of a message, of which some may have been passed on already.
type portion struct {
	to *subscription
	wire.Message
	at time.Time
}

// objectsAtOnce is how many versions of an object the page takes in before the browser may get its turn: each is compared with
// the one before, which takes a millisecond or so, and those of an object that changes all the time come by the dozen.
const objectsAtOnce = 2

// deliver passes a message on to the page; of one with many objects the first, and the rest before anything else that waits.
func (a *App) deliver(p portion) {
	rest := p
	more := len(p.Events) > objectsAtOnce && p.Events[0].Object != nil
	if more {
		p.Events, rest.Events = p.Events[:objectsAtOnce], p.Events[objectsAtOnce:]
		a.inbox.before(rest)
	}
	p.ID = p.to.ID
	a.take(page.Received{Message: p.Message, At: p.at, More: more})
	if p.Type == wire.Rows {
		a.dirtyLater()
	} else {
		a.dirty()
	}
}

// resubscribe takes up every subscription on a new connection.
func (a *App) resubscribe() {
	for _, s := range a.subs.byWire {
		s.taken = 0
		a.link.subscribe(s)
	}
	a.wiring.follow()
}

// spent counts a message that was taken in, and gives the server credit for others.
func (l *link) spent(s *subscription) {
	if s.taken++; s.taken >= wire.Window/4 {
		l.send(wire.Request{Type: wire.Credit, ID: s.wireID, N: s.taken})
		s.taken = 0
	}
}
