//go:build js && wasm

// Command learn is the program for the browser of the field guide: its map, and the lessons in which requests are sent.
package main

import (
	"github.com/fieldmark/fieldmark/wasm/browser"
	"github.com/fieldmark/fieldmark/web/learn"
)

func main() { browser.Run(learn.Pages(), browser.Editors, browser.Calls) }
