//go:build js && wasm

// Command lab is the program for the browser of the pages on which the API itself is tried out.
package main

import (
	"github.com/fieldmark/fieldmark/wasm/browser"
	"github.com/fieldmark/fieldmark/web/lab"
)

func main() { browser.Run(lab.Pages(), browser.Editors, browser.Calls) }
