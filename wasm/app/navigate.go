package app

import (
	"net/url"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// how says how the user got to a page.
type how int

const (
	push   how = iota // a step forward in the history
	pop               // back or forward; the browser has the address already
	reload            // the same page again
)

// opened is the response to a navigation.
type opened struct {
	asked    int
	how      how
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
	if samePath(address, a.address) && web.Program(address) == web.Program(a.address) {
		a.update(page.Addressed{Query: queryOf(address)})
		return
	}
	a.navigate(address, push)
}

// popped shows the page of the history's current step. Links to a place in the page are steps of the history, too.
func (a *App) popped(e Popped) {
	a.over.close()
	a.dirty()
	if samePage(e.Address, a.address) {
		a.address = e.Address
		a.asked++ // responses to earlier navigations are dropped
		a.screen.Busy(false)
		return
	}
	a.open(e.Address, pop, e.At)
}

func (a *App) navigate(address string, how how) { a.open(address, how, Position{}) }

// open requests a page. It is loaded as a document if the tab has an older build, if another program runs the page, or if the browser must ask before
// it leaves the page that is shown.
func (a *App) open(address string, how how, at Position) {
	now, asks := a.page.(page.Unfinished)
	if a.stale || web.Program(address) != web.Program(a.address) || asks && now.Unfinished() {
		a.screen.Leave(address)
		return
	}
	if how == reload && a.reload == a.asked && a.asked > 0 {
		return // a reload is in progress; another one would only delay it
	}
	a.asked++
	asked := a.asked
	if how == reload {
		a.reload = asked
	}
	go func() {
		whole, fragment, _ := strings.Cut(address, "#")
		answer := ask(a.screen, whole, page.MediaType)
		if answer.Address == "" {
			answer.Address = whole
		}
		a.Post(opened{asked, how, at, fragment, answer})
	}()
	time.AfterFunc(patience, func() { a.Post(slow{asked}) })
}

func (a *App) opened(o opened) {
	if o.asked != a.asked {
		return // the user has gone to another page since
	}
	a.asked++ // so that slow has no effect
	a.screen.Busy(false)
	if o.answer.Status == 0 && o.how == reload {
		return // the page stays as it is; its liveness shows the lost connection
	}
	p, err := a.kinds.Decode(o.answer.Body)
	if mediaType(o.answer.Header) != page.MediaType || err != nil {
		a.screen.Leave(o.address()) // another kind of response: the browser shows it in its own way
		return
	}
	if p.Frame().Reader != a.reader {
		a.screen.Leave(o.address())
		return
	}
	if o.how == reload {
		o.at = a.screen.Scroll()
	}
	a.arrive(p, o)
}

// address is the page's address with the fragment of the link.
func (o opened) address() string {
	address, _, _ := strings.Cut(o.answer.Address, "#")
	if o.fragment == "" {
		return address
	}
	return address + "#" + o.fragment
}

func (a *App) arrive(p page.Page, o opened) {
	a.address = o.address()
	if o.how == push {
		a.screen.Remember(a.address, false)
	}
	a.shown.whole = true
	a.begin(p)
	title := components.Visible(a.page.Frame().Title)
	a.screen.Title(title + " · Fieldmark")
	a.shown.next(func() {
		a.screen.ScrollTo(o.at)
		if o.how == reload {
			return
		}
		a.screen.Focus("main")
		if o.how == push && o.fragment != "" {
			a.screen.Target(o.fragment)
		}
		a.screen.Announce(title)
	})
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

// IsPage tells whether a path of this origin is a page, which the app can show without loading a document.
func IsPage(path string) bool {
	return path == web.Home || web.Program(path) == web.LearnProgram || strings.HasPrefix(path, web.PageRoot)
}

// mediaType is the media type of a response, without its parameters.
func mediaType(headers []request.Header) string {
	mediaType, _, _ := strings.Cut(request.Field(headers, "Content-Type"), ";")
	return mediaType
}
