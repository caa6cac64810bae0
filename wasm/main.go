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

// The heap may grow by heapGrowth percent before it is swept: there is one thread, and a page that fills up should not
// stand still for it. Near heapLimit bytes it is swept as often as it takes.
const (
	heapGrowth = 200
	heapLimit  = 300 << 20
)

func main() {
	debug.SetGCPercent(heapGrowth)
	debug.SetMemoryLimit(heapLimit)
	screen := dom.New()
	a := app.New(screen, socket.Dial)
	screen.Listen(a)
	a.Run()
}
