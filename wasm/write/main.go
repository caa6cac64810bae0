//go:build js && wasm

// Command write is the program for the browser of the pages that write to a cluster, or try out a write.
package main

import (
	"github.com/fieldmark/fieldmark/wasm/browser"
	"github.com/fieldmark/fieldmark/web/write"
)

func main() { browser.Run(write.Pages(), browser.Editors) }
