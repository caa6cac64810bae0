//go:build js && wasm

// Command wasm is Fieldmark's program for the browser: it takes up the page that the server rendered, and
// keeps it alive. It knows the pages that one reads; package main in workbench knows the others.
package main

import (
	"github.com/fieldmark/fieldmark/wasm/browser"
	"github.com/fieldmark/fieldmark/web/kinds/reading"
)

func main() { browser.Run(reading.Pages()) }
