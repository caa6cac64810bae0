//go:build js && wasm

// Command write is the program for the browser of the pages with which one writes and tries things out.
package main

import (
	"github.com/fieldmark/fieldmark/wasm/browser"
	"github.com/fieldmark/fieldmark/web/write"
)

func main() { browser.Run(write.Pages(), browser.Editors) }
