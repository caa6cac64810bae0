//go:build js && wasm

// Command lab is the program for the browser of the laboratories, the request console and the wire log.
package main

import (
	"github.com/fieldmark/fieldmark/wasm/browser"
	"github.com/fieldmark/fieldmark/web/lab"
)

func main() { browser.Run(lab.Pages(), browser.Editors, browser.Calls) }
