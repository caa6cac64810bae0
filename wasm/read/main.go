//go:build js && wasm

// Command read is the program for the browser of the pages that show objects and lists. It starts with the page that the server
// rendered, and keeps that page up to date.
package main

import (
	"github.com/fieldmark/fieldmark/wasm/browser"
	"github.com/fieldmark/fieldmark/web/read"
)

func main() { browser.Run(read.Pages(), browser.Calls) }
