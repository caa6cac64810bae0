package app

import (
	"slices"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// above is the address of the page's parent; empty if Escape doesn't lead there: the page has the key itself, would lose something, is of no cluster, or
// is a lesson.
func (a *App) above() string {
	frame := a.page.Framed().Shell
	keyed, is := a.page.(page.Keyed)
	own := is && slices.ContainsFunc(keyed.Keys(), func(k components.Key) bool { return slices.Contains(k.Keys, "Esc") })
	if own || a.unfinished() || !frame.In() || web.Program(a.address) == web.LearnProgram {
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
