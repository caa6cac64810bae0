package object

import (
	"net/url"
	"slices"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/inplace"
	"github.com/fieldmark/fieldmark/web/follow"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/views"
	"github.com/fieldmark/fieldmark/web/frame/wire"
	"github.com/fieldmark/fieldmark/web/read/object/document"
	"github.com/fieldmark/fieldmark/web/read/object/events"
	"github.com/fieldmark/fieldmark/web/read/object/fields"
	"github.com/fieldmark/fieldmark/web/read/object/outline"
	"github.com/fieldmark/fieldmark/web/read/object/secrets"
	"github.com/fieldmark/fieldmark/web/read/timeline"
)

// subscription is the id of the page's subscription to the object. Those to its row and its events have the ids after it.
const subscription = 1

// saidEvery is the shortest time between two announcements that the object changed.
const saidEvery = 10 * time.Second

// live is the state of a page in the browser. On the server, it is nil. The copies of a Model share it, and only the newest copy is valid.
type live struct {
	object follow.Object
	now    time.Time

	shown    follow.State
	over     bool              // the pointer is over the document
	held     bool              // the latest state is not shown, because the pointer is over the document
	awaited  bool              // the latest state is not shown, because more messages follow at once
	document document.Document // of the YAML or JSON tab, while it is open

	walked bool // the reader moved by keys, and the address has not changed yet

	call  inplace.Model // the panel with the page's request
	tally events.Tally  // the number of events, while their tab isn't open

	timeline *timeline.Tab // the versions since the page was opened
	watching watching
	missing  string    // says why versions may be missing before the next state that arrives
	heard    time.Time // when the last message arrived
	lastID   uint32    // of all subscriptions

	said   time.Time // when the page last announced a change
	unsaid bool      // the object has changed since then
}

// Awake implements page.Page.
func (m Model) Awake(now time.Time) (page.Page, []page.Cmd) {
	followed := follow.NewObject(m.Object, now)
	m.live = &live{object: followed, now: now, shown: followed.State, lastID: subscription}
	m.Now, m.Fields = now, m.Fields.Awake()
	m.startTimeline(now)
	m.draw(time.Time{})
	commands := append(m.bring(), m.recall()...)
	if !m.follows() {
		return m, commands
	}
	commands = append(commands, page.Subscribe{
		ID: subscription, Cluster: m.Shell.Cluster.Slug, Path: m.Shell.Path.String(), As: wire.Object,
	})
	m, commands = m.followRow(commands)
	if m.Tab == Events && m.Problem == nil {
		return m.followEvents(commands)
	}
	return m, commands
}

// followRow adds a command that subscribes to the object's row of the server's Table, if the server sent one.
func (m Model) followRow(commands []page.Cmd) (Model, []page.Cmd) {
	if !m.Row.Known() {
		return m, commands
	}
	m.live.lastID++
	var begin page.Cmd
	m.Row, begin = m.Row.Followed(m.live.lastID, m.Shell.Cluster.Slug, m.Shell.Path.String(), m.live.now)
	return m, append(commands, begin)
}

// follows tells whether the page can be kept current. A subresource can't be watched.
func (m Model) follows() bool {
	return m.Shell.Path.Kind == apipath.KindObject && m.Type.Watchable()
}

// followEvents adds a command that subscribes to the events.
func (m Model) followEvents(commands []page.Cmd) (Model, []page.Cmd) {
	m.live.lastID++
	var begin page.Cmd
	m.Events, begin = m.Events.Followed(m.live.lastID, m.Shell.Cluster.Slug, m.live.object.Object, m.live.now)
	return m, append(commands, begin)
}

// leaveEvents adds a command that ends the subscription to the events, if there is one.
func (m Model) leaveEvents(commands []page.Cmd) (Model, []page.Cmd) {
	m.live.tally = m.live.tally.Seen(m.Events, m.Object)
	var end []page.Cmd
	m.Events, end = m.Events.Left()
	return m, append(commands, end...)
}

// Update implements page.Page.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	panel, commands, taken := m.live.call.Update(msg, m.apiCall)
	if m.live.call = panel; taken {
		return m, commands
	}
	m.Row.Update(msg)
	m.Events.Update(msg)
	switch msg := msg.(type) {
	case page.Received:
		m.live.keepMessageTime(msg.At)
		return m.received(msg.Message, msg.More)
	case page.Connection:
		return m, m.connected(msg)
	case page.Tick:
		return m.tick(msg.Now)
	case page.Pointed:
		return m.pointed(msg.Over), nil
	case page.Addressed:
		return m.addressed(msg.Query)
	case page.Pressed:
		return m.pressed(msg.Key)
	case page.Response:
		m.live.tally = m.live.tally.Heard(msg)
		return m.responded(msg)
	case page.Acted:
		if msg.Action == doWatch || msg.Action == doUnwatch {
			return m.watch(msg.Action)
		}
	}
	m, commands = m.inFields(msg)
	return m, append(commands, m.passToTimeline(msg)...)
}

// apiCall is the request for what the page shows.
func (m Model) apiCall() call.Call {
	if m.Tab == Schema && m.Outline != nil {
		return inplace.Get(m.Shell.Cluster.Slug, outline.OpenAPI(m.Shell.Path), accept.JSON)
	}
	return inplace.Get(m.Shell.Cluster.Slug, m.Shell.Path.String(), accept.JSON)
}

// bring scrolls to the field that the address names.
func (m Model) bring() []page.Cmd {
	switch {
	case m.Tab == Fields:
		return m.Fields.Bring(m.aboutFields())
	case m.Tab == Schema && m.Outline != nil:
		return m.Outline.Bring(m.about())
	default:
		return nil
	}
}

func (m Model) connected(c page.Connection) []page.Cmd {
	l := m.live
	l.object.Connect(c)
	if !m.follows() {
		return nil
	}
	return l.object.News()
}

func (m Model) tick(now time.Time) (page.Page, []page.Cmd) {
	l := m.live
	m.Now, l.now = now, now
	l.object.Tick(now)
	l.document = l.document.Faded(now)
	l.timeline.Tick(now)
	m, _ = m.inFields(page.Tick{Now: now})
	return m, slices.Concat(l.sayChanged(false), m.walkedTo(), m.contended(), m.tallied())
}

// tallied asks how many events the object has, once, while their tab isn't open and the page is current.
func (m Model) tallied() (commands []page.Cmd) {
	l := m.live
	if m.Tab != Events && m.follows() && l.object.Live() && !m.gone() {
		l.tally, commands = l.tally.Tick(l.now, m.Shell.Cluster.Slug, m.Object)
	}
	return commands
}

// pointed keeps the page unchanged while the pointer is over the document or the events, and shows the latest state when the pointer leaves.
func (m Model) pointed(over bool) Model {
	m.live.over = over
	m.live.timeline.Point(over)
	if !over {
		m = m.catchUp()
	}
	return m
}

func (m Model) catchUp() Model {
	if m.live.held {
		m = m.show()
	}
	return m
}

// show shows the latest state, and marks the differences from the state before.
func (m Model) show() Model {
	l := m.live
	l.shown, l.held = l.object.State, false
	m.Object = l.shown.Object
	if m.Object.IsSecret() {
		m.Secrets.Values = m.Object.SecretValues()
	}
	m.draw(l.now)
	return m
}

// draw updates the document. Lines that changed are marked with the time now, unless it is zero.
func (m Model) draw(now time.Time) {
	if m.Tab == Fields {
		m.live.document = document.Document{}
		m.Fields.Draw(m.aboutFields(), now)
		return
	}
	m.Fields.Leave()
	if !asText(m.Tab) {
		m.live.document = document.Document{}
		return
	}
	lines, err := m.lines()
	m.live.document = m.live.document.Become(m.label(), lines, err, now).LaidOut(m.live.now)
}

// addressed handles another query of the same page. It shows what the page already has, or asks the server.
func (m Model) addressed(q url.Values) (page.Page, []page.Cmd) {
	m.Shell.Stray = nil
	next := m
	next.Tab, next.Managed, next.Secrets.Reveal = views.Parse(q), q.Get("managed") == "1", nil
	next.Fields.Reading = fields.ParseReading(q)
	switch {
	case web.Running(string(next.Tab)):
		return m, []page.Cmd{page.Navigate{Address: next.queryAddress(next.Tab.Query())}}
	case q.Get("reveal") != "":
		return m, []page.Cmd{page.Navigate{Address: secrets.Address(next.about(), q.Get("reveal"))}}
	case next.Tab == Fields && m.Secrets.Reveal == nil:
		return m.readFields(next)
	case next.Tab == Schema && m.Outline != nil:
		return m.outlined(q)
	case next.Tab == m.Tab && next.Managed == m.Managed && m.Secrets.Reveal == nil:
		return m, []page.Cmd{page.Reload{}}
	case next.Tab == m.Tab || local(next.Tab):
		return next.turned(m.Tab)
	case next.Tab == Events && m.live.object.Gone():
		return next.turned(m.Tab) // the object is deleted; the server has only its events
	default:
		return m, []page.Cmd{page.Navigate{Address: next.queryAddress(next.query())}}
	}
}

// turned shows another view that needs no request.
func (m Model) turned(from Tab) (page.Page, []page.Cmd) {
	m = m.catchUp()
	m.Shell.Here = m.queryAddress(m.query())
	commands := []page.Cmd{page.Remember{Address: m.Shell.Here}}
	if m.Tab == from {
		m.draw(time.Time{})
		return m, commands
	}
	m.live.document, m.Problem = document.Document{}, nil
	m.Fields.Leave()
	m.live.timeline.CatchUp()
	m.draw(time.Time{})
	m, commands = m.leaveEvents(commands)
	if m.Tab == Events {
		m, commands = m.followEvents(commands)
	}
	commands = append(commands, m.recall()...)
	return m, append(commands, page.Announce{Words: m.Tab.Words()})
}

// liveness says how current the page is.
func (m Model) liveness() components.Liveness {
	l := m.live
	if l == nil || !m.follows() {
		return components.Liveness{}
	}
	words := l.object.Liveness(0, 0)
	switch {
	case !l.object.Live():
		return words
	case l.held && l.object.Gone():
		return components.Liveness{Tone: components.Bad, Words: "deleted, held back while you point", Why: &why.Deletion}
	case l.held:
		words.Tone, words.Words = components.Busy, words.Words+"; changed, held back while you point"
	case l.shown.Gone():
		return components.Liveness{Tone: components.Bad, Words: "deleted", Why: &why.Deletion}
	}
	return m.Events.Liveness(words)
}

// walkedTo changes the address after the reader moved by keys.
func (m Model) walkedTo() []page.Cmd {
	if !m.live.walked {
		return nil
	}
	m.live.walked = false
	return []page.Cmd{page.Remember{Address: m.Shell.Here, Replace: true}}
}

// sayChanged announces that the object changed, at most once in saidEvery.
func (l *live) sayChanged(changed bool) []page.Cmd {
	l.unsaid = l.unsaid || changed
	if !l.unsaid || l.now.Sub(l.said) < saidEvery {
		return nil
	}
	l.said, l.unsaid = l.now, false
	return []page.Cmd{page.Announce{Words: "Changed"}}
}

func sameOwners(a, b object.Object) bool {
	return slices.Equal(a.OwnerReferences(), b.OwnerReferences())
}
