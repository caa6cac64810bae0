package app

import (
	"github.com/fieldmark/fieldmark/web/frame/drawer"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// Wires has an app show the requests of its session, at the bottom of every page.
func Wires(a *App) {
	a.wiring = &wiring{app: a, last: firstWiring}
	a.shown.bottom = a.wiring.wire
}

// firstWiring is where the ids of such subscriptions begin. Pages' own begin at 1.
const firstWiring = 1 << 31

// wiring is the drawer with the session's requests. It is the app's own: pages come and go above it, and none is painted because of it.
type wiring struct {
	app     *App
	drawer  drawer.Drawer
	last    uint32 // id of a subscription
	cluster string // whose requests are followed; empty: none
	open    bool   // the list can be seen
	sub     *subscription
	newest  drawer.HTML // as they are shown
	list    drawer.HTML
}

// begin follows the cluster of a page.
func (w *wiring) begin(p page.Page) {
	if w == nil || p.Frame().Cluster.Slug == w.cluster {
		return
	}
	if w.sub != nil {
		w.app.link.drop([]uint32{w.sub.wireID})
		w.sub = nil
	}
	w.drawer.Clear()
	w.newest, w.list = "", ""
	w.cluster = p.Frame().Cluster.Slug
	w.follow()
}

// follow subscribes on a connection that is new to it.
func (w *wiring) follow() {
	if w == nil || w.cluster == "" {
		return
	}
	w.last++
	w.sub = &subscription{Subscribe: page.Subscribe{Cluster: w.cluster, As: wire.Requests}, wireID: w.last, most: drawer.Most}
	w.app.link.subscribe(w.sub)
}

// receive takes a message; false: it is for the page.
func (w *wiring) receive(m wire.Message) bool {
	if w == nil || m.ID < firstWiring {
		return false
	}
	if w.sub == nil || m.ID != w.sub.wireID {
		return true // of one that was ended while this was on its way
	}
	if m.Type != wire.Recorded {
		w.sub = nil // it has ended, and what is shown stays
		return true
	}
	w.app.link.spent(w.sub)
	w.drawer.Hear(m)
	w.show()
	return true
}

// show shows what has changed, unless nobody can see it.
func (w *wiring) show() {
	screen := w.app.screen
	if w.drawer.Empty() || w.cluster == "" || !screen.Visible() {
		return
	}
	newest, list := w.newest, w.list
	w.render(w.open)
	if w.newest != newest {
		screen.Show(Newest, string(w.newest))
	}
	if w.list != list {
		screen.Show(List, string(w.list))
	}
}

func (w *wiring) render(listed bool) {
	w.newest = drawer.HTML(render(w.drawer.Newest()))
	if listed {
		w.list = drawer.HTML(render(w.drawer.List(w.app.page.Frame())))
	}
}

// wire is what is shown of the drawer when a page is shown as a whole; nil: what the page brings along.
func (w *wiring) wire() *shell.Wire {
	if w.drawer.Empty() {
		return nil
	}
	w.render(true)
	return &shell.Wire{Newest: w.newest, List: w.list}
}

// unfold says whether the list can be seen.
func (w *wiring) unfold(open bool) {
	if w != nil {
		w.open = open
		w.show()
	}
}

// seen shows what came while nobody could see it.
func (w *wiring) seen() {
	if w != nil {
		w.show()
	}
}

// hold keeps the list where it is while the pointer is over it.
func (w *wiring) hold(on bool) {
	if w != nil {
		w.drawer.Hold(on)
		w.show()
	}
}

// filter looks for words; false: they were typed into another field.
func (w *wiring) filter(e Input) bool {
	if w == nil || e.Field != shell.WireFilter {
		return false
	}
	w.drawer.Filter(e.Text)
	w.show()
	return true
}
