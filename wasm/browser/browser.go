//go:build js && wasm

// Package browser makes a program for the browser from the document, the socket and its pages.
package browser

import (
	"runtime/debug"

	"github.com/fieldmark/fieldmark/wasm/app"
	"github.com/fieldmark/fieldmark/wasm/dom"
	"github.com/fieldmark/fieldmark/wasm/socket"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// The heap may grow by heapGrowth percent before a garbage collection: there is only one thread, and a page that fills should not
// stop for it. Near heapLimit bytes, garbage is collected as often as necessary.
const (
	heapGrowth = 200
	heapLimit  = 300 << 20
)

// Part is what only some pages need. It returns the part's own messages of the document.
type Part func(*app.App, *dom.Screen) (happened func(string, dom.Happening) any)

// Run waits for a page in the document, and runs until the document ends. parts are what the pages need, so that the programs of other
// pages don't link it.
func Run(pages page.Set, parts ...Part) {
	debug.SetGCPercent(heapGrowth)
	debug.SetMemoryLimit(heapLimit)
	screen := dom.New()
	screen.Mark("started")
	a := app.New(screen, socket.Dial, pages)
	app.Wires(a)
	app.Watches(a)
	var happened []func(string, dom.Happening) any
	for _, part := range parts {
		if own := part(a, screen); own != nil {
			happened = append(happened, own)
		}
	}
	screen.Listen(a.Post, happened...)
	a.Run()
}

// Editors is what pages with editors need.
func Editors(a *app.App, s *dom.Screen) func(string, dom.Happening) any {
	app.Edits(a, dom.Editors{Screen: s})
	return dom.Editors{}.Happened
}

// Calls is what pages need that get responses in parts.
func Calls(a *app.App, s *dom.Screen) func(string, dom.Happening) any {
	app.Calls(a, dom.Parts{Screen: s})
	return nil
}

// Terminals is what pages with terminals need.
func Terminals(a *app.App, s *dom.Screen) func(string, dom.Happening) any {
	app.Streams(a, dom.Terminals{Screen: s})
	return dom.Terminals{}.Happened
}
