package app

import (
	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/web/page"
)

// overlay is what lies over the page: nothing for now.
type overlay struct{}

func (o *overlay) open() bool            { return false }
func (o *overlay) close()                {}
func (o *overlay) view() templ.Component { return nil }

func (a *App) dismiss()          { a.over.close() }
func (a *App) run(string)        {}
func (a *App) input(e Input)     { a.update(page.Typed(e)) }
func (a *App) fetched(e fetched) {}

// Takes tells whether a key is the app's, so that the browser leaves it alone.
func (a *App) Takes(key string, ctrl, inField bool) bool {
	switch {
	case ctrl:
		return key == "k"
	case inField:
		return key == "Escape"
	default:
		switch key {
		case "/", ":", "?", "j", "k", "g", "G", "s", "S", "w", "Escape":
			return true
		}
		return false
	}
}

func (a *App) key(e Key) {
	switch {
	case e.Key == "/":
		a.shown.focusOn("filter")
	case e.Key == "Escape" && e.InField != "":
		a.shown.focusOn("main")
	default:
		a.update(page.Pressed{Key: e.Key})
	}
}
