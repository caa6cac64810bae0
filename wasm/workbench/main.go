//go:build js && wasm

// Command workbench is the program for the browser of the pages with which one writes and tries things out.
package main

import (
	"github.com/fieldmark/fieldmark/wasm/browser"
	"github.com/fieldmark/fieldmark/web/kinds/workbench"
)

func main() { browser.Run(workbench.Pages(), browser.Editors) }
