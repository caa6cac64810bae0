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

// Run starts with the page that the server rendered, and runs until the document ends. extend adds what only some pages need, so that
// the programs of other pages don't link it.
func Run(pages page.Set, extend ...func(*app.App)) {
	debug.SetGCPercent(heapGrowth)
	debug.SetMemoryLimit(heapLimit)
	screen := dom.New()
	a := app.New(screen, socket.Dial, pages)
	app.Wires(a)
	app.Watches(a)
	for _, with := range extend {
		with(a)
	}
	screen.Listen(a)
	a.Run()
}

// Editors adds what pages with editors need.
func Editors(a *app.App) { app.Edits(a, dom.NewEditors(a.Post)) }

// Calls adds what pages need that get responses in parts.
func Calls(a *app.App) { app.Calls(a, dom.Parts{}) }

// Terminals adds what pages with terminals need.
func Terminals(a *app.App) { app.Streams(a, dom.NewTerminals(a.Post)) }
