//go:build js && wasm

// Command read is the program for the browser of the pages that show what there is: it takes up the page that the server rendered, and
// keeps it alive.
package main

import (
	"github.com/fieldmark/fieldmark/wasm/browser"
	"github.com/fieldmark/fieldmark/web/read"
)

func main() { browser.Run(read.Pages()) }
