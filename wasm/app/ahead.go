package app

import (
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web/frame/coming"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// While the response to a navigation is on its way, the reader sees what is known of the page that comes (package coming). The page before keeps running, so
// that its subscriptions can be taken over, and going back shows it at once. But it is out of sight: it hears nothing of what the reader does.

// glance is how long a response may take before the reader sees what is known of the page. It is shown within 100 ms of the click, with the time to paint it.
const glance = 50 * time.Millisecond

// ahead is the page that comes, as the reader sees it.
type ahead struct {
	page    coming.Page
	stepped bool  // the history has a step for it
	held    []Key // keys for it, in their order
}

// awaited is the event that a navigation has taken longer than a glance.
type awaited struct {
	asked   int
	address string
	how     How
}

// lookAhead shows what is known of the page of a navigation.
func (a *App) lookAhead(address string, how How) {
	p, known := coming.Of(a.page, address)
	if !known || how == Again {
		return
	}
	p.Shell.Preferences = a.frame().Preferences
	stepped := a.stepped()
	if how == Push {
		a.screen.Remember(address, stepped) // a page that never came is no step
	}
	a.ahead = &ahead{page: p, stepped: stepped || how == Push}
	a.entitle()
	a.shown.whole = true
	a.shown.runAfterPaint(func() {
		a.screen.ScrollTo(Position{})
		a.screen.Focus("main")
	})
	a.paint() // at once, so that the address and the page change in the same moment
}

// stepped tells whether the history has a step already for the page that comes.
func (a *App) stepped() bool { return a.ahead != nil && a.ahead.stepped }

// withdraw shows the page again that the reader has gone back to, before the other one came.
func (a *App) withdraw(at Position) {
	if a.ahead == nil {
		return
	}
	a.dropHeld()
	a.ahead = nil
	a.entitle()
	a.shown.whole = true
	a.shown.runAfterPaint(func() { a.screen.ScrollTo(at) })
	a.paint()
}

// inSight is the page that the reader sees.
func (a *App) inSight() page.Page {
	if a.ahead != nil {
		return a.ahead.page
	}
	return a.page
}

// entitle names the document after the page in sight.
func (a *App) entitle() (title string) {
	title = components.Visible(a.inSight().Framed().Shell.Title)
	a.screen.Title(title + " · Fieldmark")
	return title
}

// tellPage tells the page what the reader does, unless the page is out of sight.
func (a *App) tellPage(m page.Msg) {
	if a.ahead == nil {
		a.update(m)
	}
}

// hold keeps a key for the page that comes, and says so.
func (a *App) hold(k Key) {
	a.ahead.held = append(a.ahead.held, k)
	a.screen.Tell("Waiting for the page: " + named(a.ahead.held))
}

// dropHeld says which keys no page will get.
func (a *App) dropHeld() {
	if a.ahead != nil && len(a.ahead.held) > 0 {
		a.screen.Tell("Not done: " + named(a.ahead.held))
	}
}

// releaseHeld gives the page that has come the keys that were kept for it.
func (a *App) releaseHeld(held []Key) {
	for _, k := range held {
		a.key(k)
	}
}

// named are the names of keys.
func named(keys []Key) string {
	var names []string
	for _, k := range keys {
		names = append(names, k.Key)
	}
	return strings.Join(names, " ")
}
