package app

import (
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// escape gives the key Escape to the page, which may close something. If nothing came of it, the key leads to the page's parent.
func (a *App) escape() {
	before := render(page.Main(a.page))
	did := a.updatePage(page.Pressed{Key: "Escape"})
	a.dirty()
	if to := a.above(); to != "" && !did && render(page.Main(a.page)) == before {
		a.follow(to)
	}
}

// above is the address of the page's parent; empty if Escape doesn't lead there: the page would lose something, is of no cluster, or is a lesson.
func (a *App) above() string {
	frame := a.page.Framed().Shell
	if a.unfinished() || !frame.In() || web.Program(a.address) == web.LearnProgram {
		return ""
	}
	to := frame.Up()
	if p, is := a.page.(page.Below); is {
		to = p.Parent()
	}
	if samePath(to, a.address) {
		return web.Home // the parent of a cluster
	}
	return to
}
