//go:build js && wasm

// Command wasm is Fieldmark's program for the browser: it takes up the page that the server rendered, and
// keeps it alive.
package main

import (
	"runtime/debug"

	"github.com/fieldmark/fieldmark/wasm/app"
	"github.com/fieldmark/fieldmark/wasm/dom"
	"github.com/fieldmark/fieldmark/wasm/socket"
)

// heapGrowth is by how many percent the heap may grow before it is swept: there is one thread, and a page that
// fills up must not stand still for it.
const heapGrowth = 300

func main() {
	debug.SetGCPercent(heapGrowth)
	screen := dom.New()
	a := app.New(screen, socket.Dial)
	screen.Listen(a)
	a.Run()
}
