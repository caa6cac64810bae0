package app

import (
	"time"

	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/palette"
)

// warming is what is left of calling the functions that the first keys will call. A browser compiles a function when it is called first, so a first key
// takes several times as long as a second one (docs/decisions/0145). What the calls return is dropped.
type warming struct {
	left  []func()
	since time.Time // when the reader last did something before it began
}

// warmUp is the event that the next call may be made.
type warmUp struct{}

// pauseOfWarming is the time between two calls. Each takes less than a frame on a fast machine, and a key that comes meanwhile waits for one.
const pauseOfWarming = 100 * time.Millisecond

// warm begins when the first view of the program is shown.
func (a *App) warm() {
	var m palette.Model
	a.warming = warming{since: a.touched, left: []func(){
		func() { m, _ = a.composePalette(palette.Types) },
		func() { render(m.View()) },
		func() { m, _ = m.Update(page.Typed{Field: palette.Field, Text: "po"}) },
		func() { render(a.composeHelp().View()) },
	}}
	a.warmLater()
}

func (a *App) warmLater() {
	if len(a.warming.left) > 0 {
		time.AfterFunc(pauseOfWarming, func() { a.Post(warmUp{}) })
	}
}

// warmNext makes one call. Nothing is called any more once the reader has done something, or while the tab is hidden, and the page's own work comes first.
func (a *App) warmNext() {
	switch {
	case len(a.warming.left) == 0 || !a.screen.Visible():
		return // the tab goes on when it is shown
	case a.touched != a.warming.since || a.over.isOpen():
		a.warming = warming{}
		return
	case a.waiting == 0 && !a.working:
		next := a.warming.left[0]
		a.warming.left = a.warming.left[1:]
		next()
	}
	a.warmLater()
}
