package app

import (
	"maps"
	"slices"
	"time"

	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// App is the program. All of its state belongs to the goroutine of Run; others Post. Without a page it is asleep, and drops all events except the
// arrival of a page. With a page, most events pass through:
//
//	Post ──▶ inbox ──▶ drain ──▶ handle ──▶ take: the page's Update, then its commands (do) ──▶ dirty ──▶ … Frame ──▶ paint
//
// Responses can arrive late. visit and asked tell which of them still matter.
type App struct {
	screen Screen
	kinds  page.Set
	inbox  *queue
	link   *link
	shown  views
	over   overlay
	now    func() time.Time

	page    page.Page // nil: none has arrived yet, or another program shows its page
	visit   int       // counts pages, to recognize responses for an earlier page
	address string    // of the page
	left    trail
	waiting int // requests of the page that have no response yet
	early   early
	warming warming
	keys    Keys // as the screen knows them
	subs    subscriptions
	asked   int    // counts navigations: only the response to the last one is used
	ahead   *ahead // the page that comes; nil: the reader sees the page
	reload  int    // the number of the reload in progress
	stale   bool
	working bool          // the page may have more work to do
	painted time.Time     // when the last paint began
	cost    time.Duration // of the last paint
	due     bool          // a paint will be requested later
	touched time.Time     // when the reader last did something
	more    []extension
	typed   int // counts the changes of the palette's text
	// preferred are preferences that changed after the page was made; nil: they didn't.
	preferred *shell.Preferences
	reader    string  // the key of the person who reads; empty in local mode
	invited   bool    // the page asks the reader to sign in again
	wiring    *wiring // nil: the drawer of requests is not used

	watching *watching // nil: the bar stays as the server made it
}

// New makes the program of a screen, for pages of these kinds.
func New(screen Screen, dial Dial, pages page.Set) *App {
	a := &App{screen: screen, kinds: pages, inbox: newQueue(), now: time.Now}
	a.link = newLink(screen, dial, a.Post)
	a.shown = views{painter: screen}
	return a
}

// Post adds an event to the inbox. It never blocks, and any goroutine may call it.
func (a *App) Post(event any) { a.inbox.put(event) }

// slice is how long events are handled before the browser gets its turn.
const slice = 8 * time.Millisecond

// Run waits for a page, and runs until the document ends.
func (a *App) Run() {
	go a.tick()
	for range a.inbox.some {
		a.drain()
	}
}

// takeUp makes the page in the document the current one.
func (a *App) takeUp(model []byte) {
	a.screen.Mark("begun")
	p := a.decode(model)
	a.address = a.screen.Address()
	a.noteReader(p)
	a.startPage(p)
	a.screen.Mark("commanded")
	a.screen.State("ready")
	a.shown.runAfterPaint(func() {
		a.screen.Mark("rendered")
		a.warm()
	})
}

// decode reads a page of this program.
func (a *App) decode(model []byte) page.Page {
	p, err := a.kinds.Decode(model)
	if err != nil {
		panic(err) // the server and this program have the same build, so this is a bug, and the document says so
	}
	a.screen.Mark("decoded")
	return p
}

// noteReader notes who reads a page that has arrived in this program.
func (a *App) noteReader(p page.Page) {
	a.touched = a.now()
	a.reader = p.Framed().Shell.Reader
	a.link.returns = a.reader != ""
	a.arrived()
}

// asleep handles an event while this program shows no page. Only the arrival of one matters.
func (a *App) asleep(event any) {
	switch e := event.(type) {
	case Begun:
		a.takeUp(e.Model)
	case Arrived:
		a.passed(e.Arrival)
	}
}

// drain handles events until none is left and the page has no work. Events come before work, but after each slice the page works, too. Pause then lets
// waiting events in.
func (a *App) drain() {
	began := a.now()
	for {
		if event, ok := a.inbox.take(); ok {
			a.dispatchEvent(event)
		} else if !a.work() {
			return
		}
		if a.now().Sub(began) > slice {
			a.work() // work continues, even if there are many events
			a.screen.Pause()
			began = a.now()
		}
	}
}

func (a *App) dispatchEvent(event any) {
	if a.page == nil {
		a.asleep(event)
		return
	}
	a.handle(event)
}

// work does a part of what the page has begun, and tells whether there was any.
func (a *App) work() bool {
	p, works := a.page.(page.Working)
	done := works && p.Work()
	over := !done && a.working
	a.working = done
	if over {
		a.update(page.Worked{})
	}
	return done || over
}

func (a *App) tick() {
	for now := range time.Tick(time.Second) {
		a.Post(Clock{Now: now})
	}
}

// turn leaves the page: no response is for it any more.
func (a *App) turn() {
	a.visit++
	a.shown.shift, a.waiting = 0, 0
}

// startPage makes a page the current one. First the page wakes up, takes over what it can from the page before, and learns the state of the connection.
// Only then its first commands run (inherit).
func (a *App) startPage(p page.Page) {
	a.turn()
	left := a.subs.clear()
	former := a.page
	p, commands := p.Awake(a.now())
	resumes := false
	if heir, ok := p.(page.Heir); ok && former != nil {
		p, resumes = heir.Inherit(former)
	}
	a.page = p
	a.update(page.Connection{State: a.link.state(), Retry: a.link.retryIn(a.now()), Ago: a.link.ago(a.now())})
	a.inherit(commands, left, resumes)
	a.begun()
}

// begun does for each page that begins what is the same for all.
func (a *App) begun() {
	a.preferred = nil
	a.remember()
	a.remind()
	for _, m := range a.more {
		m.enterPage(a.page)
	}
	a.wiring.followCluster(a.page)
	a.watching.adoptPage(a.page)
	a.declare()
	a.dirty()
}

// inherit runs a new page's first commands, and then ends the subscriptions of the page before, except those that the new page
// takes over. In this order, the server keeps a feed that both pages use.
func (a *App) inherit(commands []page.Cmd, left map[uint32]*subscription, resumes bool) {
	ended := slices.Sorted(maps.Keys(left))
	if !resumes {
		a.link.drop(ended)
		a.carryOut(commands)
		return
	}
	a.subs.former = left
	a.carryOut(commands)
	a.subs.former = nil
	a.link.drop(ended)
}

// update passes a message to the page, runs the resulting commands, and requests a paint.
func (a *App) update(m page.Msg) {
	a.updatePage(m)
	a.dirty()
}

// updatePage is update without the request for a paint, and tells whether the page had commands. Callers with many messages use it with dirtyLater.
func (a *App) updatePage(m page.Msg) (did bool) {
	next, commands := a.page.Update(m)
	a.page = next
	a.carryOut(commands)
	for _, m := range a.more {
		m.took()
	}
	a.watching.took()
	return len(commands) > 0
}

// dirty requests a paint.
func (a *App) dirty() { a.shown.request() }

// unhurried is how often a page is painted while it fills. Most new rows are not visible then, and painting delays the rest. Where a
// paint is slow, the pause after it is paused times as long, so that the program gets on with its work.
const (
	unhurried = 100 * time.Millisecond
	paused    = 1
)

// dirtyLater requests a paint, but not too soon after the last one.
func (a *App) dirtyLater() {
	wait := max(unhurried, (1+paused)*a.cost) - a.now().Sub(a.painted)
	switch {
	case wait <= 0:
		a.dirty()
	case !a.due:
		a.due = true
		time.AfterFunc(wait, func() { a.Post(due{}) })
	}
}

// due is the event that the time for a paint has come.
type due struct{}

func (a *App) carryOut(commands []page.Cmd) {
	for _, c := range commands {
		a.do(c)
	}
}

func (a *App) do(c page.Cmd) {
	switch c := c.(type) {
	case page.Subscribe:
		a.link.subscribe(a.subs.add(c))
	case page.Unsubscribe:
		a.link.drop(a.subs.remove(c.ID))
	case page.Call:
		a.call(c)
	case page.Ask:
		a.startRequest(c.ID, func() Answer { return asked(a.link.server, c) })
	case page.Navigate:
		a.navigate(c.Address, Push)
	case page.Reload:
		a.navigate(a.address, Again)
	case page.Remember:
		a.address = c.Address
		a.screen.Remember(c.Address, c.Replace)
	case page.Focus:
		a.screen.Focus(c.ID)
		a.dirty() // an element that doesn't exist yet comes with the next paint
	case page.Announce:
		a.screen.Announce(c.Words)
	case page.Scroll:
		a.screen.Bring(c.Top, c.Bottom)
	case page.Painted:
		a.shown.runAfterPaint(func() { a.do(c.Cmd) })
	case page.Shift:
		a.shown.shift += c.By
	case page.Reveal:
		a.shown.runAfterPaint(func() { a.screen.Reveal(c.ID) })
	case page.Keep:
		a.keep(c.Key, c.Value)
	case page.Download:
		a.screen.Download(c.Name, c.MediaType, c.Body)
	case page.Copy:
		a.screen.Copy(c.Text, c.SVG, c.File)
	default:
		a.extend(c)
	}
}

// extend passes a command to the extensions.
func (a *App) extend(c page.Cmd) {
	for _, m := range a.more {
		m.do(c)
	}
}

// handle handles one event. Every event without a case here is taken for something that the user did (acted), also those of extensions.
func (a *App) handle(event any) {
	switch e := event.(type) {
	case Frame:
		a.painted = a.now()
		a.paint()
		a.cost = a.now().Sub(a.painted)
	case Torn:
		a.shown.forget()
		a.dirty()
	case warmUp:
		a.warmNext()
	case due:
		a.due = false
		a.dirty()
	case Clock:
		a.clock(e.Now)
	case message:
		a.receive(e)
	case portion:
		if a.subs.byWire[e.to.wireID] == e.to {
			a.deliver(e)
		}
	case connection:
		a.changed(e)
	case connected:
		a.link.useConnection(e, a.now())
		a.resubscribe()
	case opened, awaited, slow:
		a.underWay(e)
	case watchedNow:
		a.watching.handleResponse(e)
	case response:
		a.responded(e)
	case pause:
		a.paused(e)
	case Stored, SigningOut, over, Parked, Copied:
		a.elsewhere(e)
	case Near:
		a.nearing(e)
	case Shown:
		a.seen(e)
	case Online:
		a.link.wake()
	case Rows:
		a.scrolled(e)
	case Pointer:
		a.point(e)
	case Unfolded:
		a.wiring.unfold(e.On)
	case Focus:
		a.tellPage(page.Focused(e))
	case ofCall, Streamed:
		a.pass(e) // what a server says is no sign of a reader
	default:
		a.handleAction(event)
	}
}

// seen handles that the page is shown or hidden.
func (a *App) seen(e Shown) {
	a.link.wake()
	a.update(page.Shown(e))
	if e.On {
		a.clock(a.now())
		a.wiring.seen()
		a.warmLater()
	}
}

// handleAction handles what the user did, and says so.
func (a *App) handleAction(event any) {
	a.touched = a.now()
	a.act(event)
	if a.over.isOpen() != a.shown.covered() {
		a.paint() // at once: the next key is for the overlay that is open then
	}
	switch event.(type) {
	case Key, Do, page.Typed:
		a.screen.Handled()
	}
}

func (a *App) paint() {
	a.shown.paint(a.inSight(), a.over.view())
	a.declare()
}

func (a *App) scrolled(e Rows) {
	a.tellPage(page.Scrolled{Top: e.Top, Height: e.Height, Width: e.Width})
	if e.Reader {
		a.screen.Handled()
	}
}

// point tells the page or the drawer that the pointer is over it, so that its rows don't move under the pointer.
func (a *App) point(e Pointer) {
	if e.Wire {
		a.wiring.hold(e.Over)
		return
	}
	a.tellPage(page.Pointed{Over: e.Over})
}

// act handles what the user did.
func (a *App) act(event any) {
	switch e := event.(type) {
	case Click:
		a.follow(e.Address)
	case Submit:
		a.follow(e.Address)
	case Popped:
		a.popped(e)
	case Key:
		a.key(e)
	case page.Typed:
		a.input(e)
	case Dismiss:
		a.dismiss()
	case Option:
		a.choose(e.ID)
	case Do:
		a.runAction(e.Action)
	case page.Loaded:
		a.update(e)
	case page.Choosing:
		a.update(e)
	default:
		a.pass(event)
	}
}

// pass hands an event to the extension that knows it.
func (a *App) pass(event any) {
	for _, m := range a.more {
		m.handle(event)
	}
}

// idle is how long the user must have done nothing before a visible tab with an old build reloads.
const idle = 20 * time.Second

// unfinished tells whether the page is in the middle of something that ends when its reader leaves it, such as a shell.
func (a *App) unfinished() bool {
	p, may := a.page.(page.Unfinished)
	return may && p.Unfinished()
}

// clock does what is due each second, and when the page is shown. A tab with an old build loads its page again when it is hidden, or when the user is
// idle. It never does so under an open overlay, or on a page that is unfinished.
func (a *App) clock(now time.Time) {
	if a.stale && (!a.screen.Visible() || now.Sub(a.touched) > idle) && !a.over.isOpen() && !a.unfinished() {
		a.screen.Leave(a.screen.Address())
		return
	}
	a.over.announceResults(a.screen)
	a.watching.tick(now)
	a.update(page.Tick{Now: now})
	if a.link.checkSilence(now) {
		a.update(page.Connection{State: page.Silent, Ago: a.link.ago(now)})
	}
}
