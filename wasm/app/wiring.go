package app

import (
	"github.com/fieldmark/fieldmark/web/frame/drawer"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// Wires lets an app show the requests of its session, at the bottom of every page.
func Wires(a *App) {
	a.wiring = &wiring{app: a, painter: a.shown.painter, last: firstWiring}
	a.shown.bottom = a.wiring.wire
}

// firstWiring is the first id of these subscriptions. Pages' own begin at 1.
const firstWiring = 1 << 31

// wiring is the drawer with the session's requests. It belongs to the app, not to a page, and its changes don't paint the page.
type wiring struct {
	app     *App
	painter Painter
	drawer  drawer.Drawer
	last    uint32 // id of a subscription
	cluster string // whose requests are followed; empty: none
	open    bool   // the list is visible
	sub     *subscription
	newest  drawer.HTML // as they are shown
	list    drawer.HTML
}

// followCluster follows the cluster of a page.
func (w *wiring) followCluster(p page.Page) {
	if w == nil || p.Framed().Shell.Cluster.Slug == w.cluster {
		return
	}
	if w.sub != nil {
		w.app.link.drop([]uint32{w.sub.wireID})
		w.sub = nil
	}
	w.drawer.Clear()
	w.newest, w.list = "", ""
	w.cluster = p.Framed().Shell.Cluster.Slug
	w.follow()
}

// rest forgets what was followed.
func (w *wiring) rest() {
	if w != nil {
		w.drawer.Clear()
		w.sub, w.cluster, w.newest, w.list = nil, "", "", ""
	}
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
		return true // the message is for a subscription that has ended
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

// show shows what has changed, if the list is visible.
func (w *wiring) show() {
	if w.drawer.Empty() || w.cluster == "" || !w.app.screen.Visible() {
		return
	}
	newest, list := w.newest, w.list
	w.render(w.open)
	if w.newest != newest {
		w.painter.Show(Newest, string(w.newest))
	}
	if w.list != list {
		w.painter.Show(List, string(w.list))
	}
}

func (w *wiring) render(listed bool) {
	w.newest = drawer.HTML(render(w.drawer.Newest()))
	if listed {
		w.list = drawer.HTML(render(w.drawer.List(w.app.page.Framed().Shell)))
	}
}

// wire is the drawer's model when a whole page is shown; nil: the page's own model is shown.
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

// seen shows the changes that arrived while the document was hidden.
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

// filter filters the list by the typed text; false: it was typed into another field.
func (w *wiring) filter(e page.Typed) bool {
	if w == nil || e.Field != shell.WireFilter {
		return false
	}
	w.drawer.Filter(e.Text)
	w.show()
	return true
}
