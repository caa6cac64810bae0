package app

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// What the reader has left is kept, so that going back shows it at once: the page with its rows, and how far its subscriptions were. Between two
// programs, the one that is left is parked: it keeps its pages, and nothing else.

// longest is how many pages are kept. Pages may have thousands of rows.
const longest = 6

// trail is what the reader has left, the newest last.
type trail []step

// step is a page as it was left.
type step struct {
	address string
	page    page.Page
	subs    []*subscription
}

func (t *trail) addStep(s step) {
	t.takeStep(s.address)
	*t = append(*t, s)
	if len(*t) > longest {
		*t = (*t)[1:]
	}
}

// takeStep removes the page of an address, and returns it.
func (t *trail) takeStep(address string) (s step, ok bool) {
	for i, s := range *t {
		if s.address == address {
			*t = slices.Delete(*t, i, i+1)
			return s, true
		}
	}
	return step{}, false
}

// leaves keeps the page that the reader leaves, if its subscriptions can tell later what has changed since, and if it waits for nothing.
func (a *App) leaves() {
	s := step{address: a.address, page: a.page}
	for _, id := range slices.Sorted(maps.Keys(a.subs.byWire)) {
		sub := a.subs.byWire[id]
		if sub.version == "" {
			return
		}
		s.subs = append(s.subs, sub)
	}
	for _, m := range a.more {
		if m.busy() {
			return
		}
	}
	if len(s.subs) > 0 && a.waiting == 0 {
		a.left.addStep(s)
	}
}

// back shows a page as it was left, if it is kept.
func (a *App) back(address string, at Position) bool {
	s, kept := a.left.takeStep(address)
	if !kept || s.page.Framed().Shell.Reader != a.reader {
		return false
	}
	a.leaves()
	a.enter(Arrival{Address: address, How: Pop, At: at}, func() { a.resume(s) })
	return true
}

// resume makes a page that was left the current one again.
func (a *App) resume(s step) {
	ended := slices.Sorted(maps.Keys(a.subs.clear()))
	a.turn()
	a.page = s.page
	a.update(page.Connection{State: a.link.state(), Retry: a.link.retryIn(a.now()), Ago: a.link.ago(a.now())})
	a.update(page.Tick{Now: a.now()})
	for _, sub := range s.subs {
		a.link.subscribe(a.subs.again(sub))
	}
	a.link.drop(ended)
	a.begun()
}

// park ends everything that this program does: another one shows its page.
func (a *App) park() {
	a.leaves()
	a.dropHeld()
	a.ahead = nil
	a.over.close()
	a.turn()
	a.asked++
	a.subs.clear()
	for _, m := range a.more {
		m.enterPage(a.page)
	}
	a.wiring.rest()
	a.link.rest()
	a.page, a.early, a.working = nil, early{}, false
}

// early is a page that was requested because the reader pressed a button on its link, before the click.
type early struct {
	address string
	at      time.Time
	answer  <-chan Answer
}

// soon is how long such a response may be used.
const soon = 3 * time.Second

// takeAnswer is the response for an address; nil: it was not requested, or too long ago.
func (e *early) takeAnswer(address string, now time.Time) <-chan Answer {
	was := *e
	*e = early{}
	if was.address != address || now.Sub(was.at) > soon {
		return nil
	}
	return was.answer
}

// nearing prepares for a link that the reader may follow. Only pressing requests the page: a pointer on its way must not send requests to
// an API server.
func (a *App) nearing(e Near) {
	program := web.Program(e.Address)
	if program != web.Program(a.address) {
		a.screen.Prepare(program)
	} else if samePath(e.Address, a.address) {
		return
	}
	if e.Pressed && !a.stale && !a.unfinished() {
		whole, _, _ := strings.Cut(e.Address, "#")
		a.early = early{whole, a.now(), a.request(whole)}
	}
}
