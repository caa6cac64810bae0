//go:build js && wasm

// Command wasm is Fieldmark's program for the browser: it takes up the page that the server rendered, and
// keeps it alive.
package main

import (
	"github.com/fieldmark/fieldmark/wasm/app"
	"github.com/fieldmark/fieldmark/wasm/dom"
	"github.com/fieldmark/fieldmark/wasm/socket"
)

func main() {
	screen := dom.New()
	a := app.New(screen, socket.Dial)
	screen.Listen(a)
	a.Run()
}
