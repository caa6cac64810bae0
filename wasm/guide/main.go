//go:build js && wasm

// Command guide is the program for the browser of the field guide: its map, and the lessons in which requests are sent.
package main

import (
	"github.com/fieldmark/fieldmark/wasm/browser"
	"github.com/fieldmark/fieldmark/web/kinds/guide"
)

func main() { browser.Run(guide.Pages(), browser.Editors, browser.Calls) }
