package app

import (
	"encoding/json"
	"time"

	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// watchingEvery is how often a visible page asks what happened to the watched objects of its session.
const watchingEvery = 5 * time.Second

// Watches lets an app keep the entry of the bar for watched objects current. It asks only while something is watched.
func Watches(a *App) {
	a.watching = &watching{app: a, server: a.link.server, painter: a.shown.painter}
}

// watching is the entry of the bar for watched objects. It belongs to the app, not to a page, and its changes don't paint the page.
type watching struct {
	app     *App
	server  Server
	painter Painter
	of      shell.Watching // what the current page's model says
	now     shell.Watching // what is shown
	asked   bool           // a request is on its way
	last    time.Time      // of the last request, or of the page
}

// watchedNow is the response to the app's own request.
type watchedNow struct {
	visit  int
	answer Answer
}

// adoptPage takes over what a new page's model says.
func (w *watching) adoptPage(p page.Page) {
	if w != nil {
		w.of = p.Framed().Shell.Watching
		w.now, w.last = w.of, w.app.now()
	}
}

// took shows what the page itself has learned, such as that it watches its object now.
func (w *watching) took() {
	if w == nil {
		return
	}
	if of := w.app.page.Framed().Shell.Watching; of != w.of {
		w.of = of
		w.show(of)
	}
}

// tick asks again, if it is time.
func (w *watching) tick(now time.Time) {
	if w == nil || w.asked || w.now.Objects == 0 || !w.app.screen.Visible() || now.Sub(w.last) < watchingEvery {
		return
	}
	w.asked, w.last = true, now
	visit, server, address := w.app.visit, w.server, web.Tool(w.app.page.Framed().Shell.Cluster.Slug, web.Watched)
	go func() { w.app.Post(watchedNow{visit, requestAddress(server, address, web.WatchedList)}) }()
}

// handleResponse takes a response. One that can't be used changes nothing.
func (w *watching) handleResponse(r watchedNow) {
	w.asked = false
	var all []report.Watched
	if r.visit == w.app.visit && r.answer.Status == 200 && json.Unmarshal(r.answer.Body, &all) == nil {
		w.show(shell.Sum(all))
	}
}

func (w *watching) show(now shell.Watching) {
	if slug := w.app.page.Framed().Shell.Cluster.Slug; now != w.now && slug != "" {
		w.now = now
		w.painter.Show(Watching, render(shell.Watched(slug, now)))
	}
}
