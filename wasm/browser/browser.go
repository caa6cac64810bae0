//go:build js && wasm

// Package browser puts a program for the browser together from the document, the socket and the pages it knows.
package browser

import (
	"runtime/debug"

	"github.com/fieldmark/fieldmark/wasm/app"
	"github.com/fieldmark/fieldmark/wasm/dom"
	"github.com/fieldmark/fieldmark/wasm/socket"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// The heap may grow by heapGrowth percent before it is swept: there is one thread, and a page that fills up should not
// stand still for it. Near heapLimit bytes it is swept as often as it takes.
const (
	heapGrowth = 200
	heapLimit  = 300 << 20
)

// Run takes up the page that the server rendered, and lives until the document goes. What only some pages need is handed to it,
// so that the programs of others link none of it.
func Run(pages page.Set, extend ...func(*app.App)) {
	debug.SetGCPercent(heapGrowth)
	debug.SetMemoryLimit(heapLimit)
	screen := dom.New()
	a := app.New(screen, socket.Dial, pages)
	app.Wires(a)
	for _, with := range extend {
		with(a)
	}
	screen.Listen(a)
	a.Run()
}

// Editors are for pages on which text is edited.
func Editors(a *app.App) { app.Edits(a, dom.NewEditors(a.Post)) }

// Calls are for pages that are told of responses as they come.
func Calls(a *app.App) { app.Calls(a, dom.Parts{}) }
