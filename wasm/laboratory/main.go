//go:build js && wasm

// Command laboratory is the program for the browser of the pages on which the API itself is tried out.
package main

import (
	"github.com/fieldmark/fieldmark/wasm/browser"
	"github.com/fieldmark/fieldmark/web/kinds/laboratory"
)

func main() { browser.Run(laboratory.Pages(), browser.Editors, browser.Calls) }
