package app

import (
	"net/url"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// How says how the reader got to a page.
type How int

// The ways.
const (
	Push  How = iota // a step forward in the history
	Pop              // back or forward; the browser has the address already
	Again            // the same page again
	Seen             // a step forward that the history has: the reader has seen what was known of the page
)

// opened is the response to a navigation.
type opened struct {
	asked    int
	how      How
	at       Position
	fragment string // of the address that was followed, without the #: responses don't have it
	answer   Answer
}

// slow is the event that a navigation takes long.
type slow struct{ asked int }

// patience is how long a navigation may take before the page shows that it is in progress.
const patience = 200 * time.Millisecond

// follow goes to the address of a link or a form: within the page if the page can do that, otherwise to another page.
func (a *App) follow(address string) {
	a.over.close()
	a.dirty()
	if a.ahead == nil && samePath(address, a.address) && web.Program(address) == web.Program(a.address) {
		a.update(page.Addressed{Query: queryOf(address)})
		return
	}
	a.navigate(address, Push)
}

// popped shows the page of the history's current step. Links to a place in the page are steps of the history, too.
func (a *App) popped(e Popped) {
	a.over.close()
	a.dirty()
	if samePage(e.Address, a.address) {
		a.address = e.Address
		a.asked++ // responses to earlier navigations are dropped
		a.screen.Busy(false)
		a.withdraw(e.At)
		return
	}
	a.openAddress(e.Address, Pop, e.At)
}

func (a *App) navigate(address string, how How) { a.openAddress(address, how, Position{}) }

// openAddress requests a page. It is loaded as a document if the tab has an older build, or if the browser must ask before it leaves the page that is shown. A
// page that the reader has left in this program is shown at once when they come back.
func (a *App) openAddress(address string, how How, at Position) {
	if a.stale || a.unfinished() {
		a.screen.Leave(address)
		return
	}
	if how == Again && a.reload == a.asked && a.asked > 0 {
		return // a reload is in progress; another one would only delay it
	}
	a.asked++
	if how == Pop && a.back(address, at) {
		return
	}
	asked := a.asked
	if how == Again {
		a.reload = asked
	}
	whole, fragment, _ := strings.Cut(address, "#")
	requested := a.early.takeAnswer(whole, a.now())
	if requested == nil {
		requested = a.request(whole)
	}
	go func() { a.Post(opened{asked, how, at, fragment, <-requested}) }()
	time.AfterFunc(glance, func() { a.Post(awaited{asked, whole, how}) })
	time.AfterFunc(patience, func() { a.Post(slow{asked}) })
}

// request requests a page. The channel gets one response.
func (a *App) request(address string) <-chan Answer {
	response := make(chan Answer, 1)
	go func() {
		answer := requestAddress(a.link.server, address, page.MediaType)
		if answer.Address == "" {
			answer.Address = address
		}
		response <- answer
	}()
	return response
}

// underWay handles what becomes of a navigation.
func (a *App) underWay(event any) {
	switch e := event.(type) {
	case opened:
		a.opened(e)
	case awaited:
		if e.asked == a.asked {
			a.lookAhead(e.address, e.how)
		}
	case slow:
		if e.asked == a.asked && e.asked != 0 {
			a.screen.Busy(true)
		}
	}
}

func (a *App) opened(o opened) {
	if o.asked != a.asked {
		return // the user has gone to another page since
	}
	a.asked++ // so that awaited and slow have no effect
	if o.answer.Status == 0 && o.how == Again {
		a.screen.Busy(false)
		return // the page stays as it is; its liveness shows the lost connection
	}
	if mediaType(o.answer.Header) != page.MediaType {
		a.screen.Leave(o.addressWithFragment()) // another kind of response: the browser shows it in its own way
		return
	}
	to := Arrival{Address: o.addressWithFragment(), Model: o.answer.Body, Reader: a.reader, How: o.how, At: o.at}
	program := web.Program(to.Address)
	elsewhere := program != web.Program(a.address) // where a program may have to start first
	if elsewhere && a.ahead == nil {
		a.lookAhead(to.Address, o.how)
	}
	if a.stepped() && o.how == Push {
		to.How = Seen
	}
	if elsewhere {
		a.screen.Pass(program, to)
		return
	}
	if o.how == Again {
		a.screen.Stay()
	}
	a.arrive(to)
}

// addressWithFragment is the page's address with the fragment of the link.
func (o opened) addressWithFragment() string {
	address, _, _ := strings.Cut(o.answer.Address, "#")
	if o.fragment == "" {
		return address
	}
	return address + "#" + o.fragment
}

// arrive shows a page of this program in the place of another.
func (a *App) arrive(to Arrival) {
	p, err := a.kinds.Decode(to.Model)
	if err != nil || p.Framed().Shell.Reader != to.Reader {
		a.screen.Leave(to.Address) // it is of another build, or of another reader
		return
	}
	if to.How != Again {
		a.leaves()
	}
	a.enter(to, func() { a.startPage(p) })
}

// passed shows a page that another program has passed.
func (a *App) passed(to Arrival) {
	p, err := a.kinds.Decode(to.Model)
	if err != nil || to.How != Again && p.Framed().Shell.Reader != to.Reader {
		a.screen.Leave(to.Address)
		return
	}
	a.noteReader(p)
	if to.How == Pop && a.back(to.Address, to.At) {
		a.screen.State("ready")
		return
	}
	a.enter(to, func() { a.startPage(p) })
	a.screen.State("ready")
}

// enter shows a page that begins, and goes to its place.
func (a *App) enter(to Arrival, begin func()) {
	a.screen.Busy(false)
	a.address = to.Address
	if to.How == Push || to.How == Seen {
		a.screen.Remember(a.address, to.How == Seen)
	}
	var held []Key
	if a.ahead != nil {
		held = a.ahead.held
	}
	a.ahead = nil
	a.shown.whole = true
	begin()
	title := a.entitle()
	a.shown.runAfterPaint(func() { a.settleIn(to, title) })
	a.paint() // at once, so that the address and the page change in the same moment
	a.releaseHeld(held)
}

// settleIn moves to a page's place when the page is shown.
func (a *App) settleIn(to Arrival, title string) {
	if to.How == Again {
		a.screen.Return()
		return
	}
	a.screen.ScrollTo(to.At)
	a.screen.Focus("main")
	if _, fragment, named := strings.Cut(to.Address, "#"); to.How != Pop && named {
		a.screen.Target(fragment)
	}
	a.screen.Announce(title)
}

func samePage(a, b string) bool {
	a, _, _ = strings.Cut(a, "#")
	b, _, _ = strings.Cut(b, "#")
	return a == b
}

func samePath(a, b string) bool { return pathOf(a) == pathOf(b) }

func pathOf(address string) string {
	if i := strings.IndexAny(address, "?#"); i >= 0 {
		return address[:i]
	}
	return address
}

func queryOf(address string) url.Values {
	u, err := url.Parse(address)
	if err != nil {
		return url.Values{}
	}
	return u.Query()
}

// mediaType is the media type of a response, without its parameters.
func mediaType(headers []request.Header) string {
	mediaType, _, _ := strings.Cut(request.Field(headers, "Content-Type"), ";")
	return mediaType
}
