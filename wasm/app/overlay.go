package app

import (
	"slices"
	"strings"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web/frame/help"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/palette"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// overlay is what lies over the page: the palette, the help, or nothing.
type overlay struct {
	palette *palette.Model
	help    *help.Model
	told    string
}

// announceResults announces the number of results, but not at every letter.
func (o *overlay) announceResults(to Announcer) {
	if o.palette == nil {
		return
	}
	if words := o.palette.Announcement(); words != o.told {
		o.told = words
		to.Announce(words)
	}
}

func (o *overlay) isOpen() bool { return o.palette != nil || o.help != nil }

func (o *overlay) close() { *o = overlay{} }

func (o *overlay) view() templ.Component {
	switch {
	case o.palette != nil:
		return o.palette.View()
	case o.help != nil:
		return o.help.View()
	default:
		return nil
	}
}

// Actions that an element names in data-do.
const (
	doPalette = "palette"
	doHelp    = "help"
)

// runAction runs an action. Actions that are not the app's are passed to the page.
func (a *App) runAction(action string) {
	favourite, isFavourite := strings.CutPrefix(action, shell.DoFavourite)
	theme, isTheme := strings.CutPrefix(action, palette.DoTheme)
	switch {
	case action == doPalette:
		a.openPalette(palette.Everything)
	case action == shell.DoContexts:
		a.openPalette(palette.Clusters)
	case action == doHelp:
		a.key(Key{Key: "?"}) // which waits for a page that comes
	case isFavourite:
		a.favour(favourite)
	case isTheme:
		a.screen.Theme(theme)
	default:
		a.tellPage(page.Acted{Action: action})
	}
	a.dirty()
}

func (a *App) openPalette(scope palette.Scope) {
	m, commands := a.composePalette(scope)
	a.over = overlay{palette: &m}
	a.carryOut(commands)
}

// composePalette is the palette of the page, and what it requests when it opens.
func (a *App) composePalette(scope palette.Scope) (palette.Model, []page.Cmd) {
	frame := a.frame()
	extra := []palette.Entry{{Kind: palette.Action, Text: "Keys and help", Beside: "?", Run: doHelp}}
	extra = slices.Concat(extra, palette.Commands(frame), palette.Views(frame, a.book()))
	if p, ok := a.page.(palette.Source); ok {
		extra = append(p.Entries(), extra...)
	}
	var known []palette.Known
	if p, ok := a.page.(palette.Knowing); ok {
		known = append(known, p.Known())
	}
	known = append(known, a.recent(frame)...)
	return palette.Open(frame, scope, extra, known...)
}

func (a *App) openHelp() {
	m := a.composeHelp()
	a.over = overlay{help: &m}
}

// composeHelp is the help of the page.
func (a *App) composeHelp() help.Model {
	var own []components.Key
	if p, ok := a.page.(page.Keyed); ok {
		own = p.Keys()
	}
	return help.Open(components.Visible(a.page.Framed().Shell.Title), own)
}

func (a *App) dismiss() {
	a.over.close()
	a.dirty()
}

func (a *App) input(e page.Typed) {
	if e.Field == palette.Field {
		a.updatePalette(e)
		a.awaitPause()
		return
	}
	if !a.wiring.filter(e) {
		a.tellPage(e)
	}
}

// updatePalette passes a message to the palette, and runs the chosen entry.
func (a *App) updatePalette(m page.Msg) {
	if a.over.palette == nil {
		return
	}
	a.adoptPalette(a.over.palette.Update(m))
}

// choose chooses an option of the palette by the id of its element.
func (a *App) choose(id string) {
	if a.over.palette != nil {
		a.adoptPalette(a.over.palette.Take(id))
	}
}

// adoptPalette shows the palette, or runs the chosen entry.
func (a *App) adoptPalette(next palette.Model, commands []page.Cmd) {
	a.over.palette = &next
	a.dirty()
	entry, done := next.Chosen()
	if !done {
		a.carryOut(commands)
		return
	}
	a.over.close()
	if entry.Refusal != "" {
		a.screen.Submit(components.RefusalForm, components.RefusalText, entry.Refusal)
		return
	}
	if entry.Run != "" {
		a.runAction(entry.Run)
		return
	}
	if a.page.Framed().Shell.OpensNewTab(entry.Href) {
		a.screen.Open(entry.Href)
		return
	}
	a.follow(entry.Href)
}

func (a *App) responded(e response) {
	if e.visit == a.visit {
		a.waiting--
	}
	switch {
	case strings.HasPrefix(e.answer.ID, "palette/"):
		a.updatePalette(e.answer)
	case e.visit == a.visit:
		a.updatePage(e.answer)
		if a.waiting < burst {
			a.dirty()
			return
		}
		a.dirtyLater()
	}
}

// burst is how many requests of a page are under way when it sends hundreds of them. Then not every response is painted.
const burst = 4

// The keys that the app handles: while the palette or the help is open, and otherwise.
var (
	helpKeys    = []string{"Escape", "?"}
	paletteKeys = []string{"ArrowDown", "ArrowUp", "PageDown", "PageUp", "Enter", "Escape", "Tab"}
	pageKeys    = []string{":", "?", "j", "k", "g", "G", "s", "S", "w", "x", "X", "d", "h", "l", "m", "f", "p", "t", "e", "y", "Delete", "1", "2", "3", "4", "5", "6", "Escape"}
)

// declare tells the screen which keys the app handles now.
func (a *App) declare() {
	now := Keys{Plain: pageKeys}
	switch {
	case a.over.palette != nil:
		now = Keys{Covered: true, Plain: paletteKeys}
	case a.over.help != nil:
		now = Keys{Covered: true, Plain: helpKeys}
	}
	if now.Covered != a.keys.Covered || !slices.Equal(now.Plain, a.keys.Plain) {
		a.keys = now
		a.screen.Keys(now)
	}
}

func (a *App) key(e Key) {
	switch {
	case e.Key == "k" && e.Ctrl || e.Key == "K" && e.Ctrl:
		a.toggle(palette.Everything)
	case a.over.isOpen() && e.Key == "Escape", a.over.help != nil:
		a.dismiss()
	case a.over.palette != nil:
		a.updatePalette(page.Pressed{Key: e.Key})
	case e.Key == ":":
		a.toggle(palette.Types)
	case a.ahead != nil:
		a.hold(e)
	case e.Key == "?":
		a.openHelp()
		a.dirty()
	case e.Key == "Escape":
		a.escape()
	default:
		a.update(page.Pressed{Key: e.Key})
	}
}

func (a *App) toggle(scope palette.Scope) {
	if a.over.palette != nil {
		a.dismiss()
		return
	}
	a.openPalette(scope)
	a.dirty()
}
