//go:build js && wasm

// Command run is the program for the browser of the pages that show what runs (logs, shells, and what is in use), act on it, and delete objects.
package main

import (
	"github.com/fieldmark/fieldmark/wasm/browser"
	"github.com/fieldmark/fieldmark/web/run"
)

func main() { browser.Run(run.Pages(), browser.Calls, browser.Terminals) }
