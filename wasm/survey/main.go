//go:build js && wasm

// Command survey is the program for the browser of the pages that ask a whole cluster.
package main

import (
	"github.com/fieldmark/fieldmark/wasm/browser"
	"github.com/fieldmark/fieldmark/web/survey"
)

func main() { browser.Run(survey.Pages()) }
