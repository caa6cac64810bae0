// Package pages measures the pages of Fieldmark in a real Chromium.
package pages

import (
	"fmt"
	"strings"

	"github.com/fieldmark/fieldmark/dev/bench/figures"
	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// The parts of this family.
var (
	Browser     = lab.Of(measureBrowser)
	Interaction = lab.Of(measureInteraction)
	Navigate    = lab.Of(measureNavigate)
	Editor      = lab.Of(measureEditor)
	Shell       = lab.Of(measureShell)
	Preview     = lab.Of(measurePreview)
	CheckPage   = lab.Of(measureCheckPage)
	Timeline    = lab.Of(measureTimeline)
	Requests    = lab.Of(measureRequests)
	Console     = lab.Of(measureConsole)
	Logs        = lab.Of(measureLogs)
	Large       = lab.Of(measureLarge)
	Contexts    = lab.Of(measureContexts)
)

// line is a line of a table: a figure of each visit, with the goal for it.
type line[T any] struct {
	what, goal string
	of         func(T) float64
}

// writeLines writes the medians of all visits, with their range beside them.
func writeLines[T any](b *strings.Builder, all []T, lines []line[T]) {
	for _, l := range lines {
		fmt.Fprintf(b, "| %s | %s | %s |\n", l.what, figures.Median(all, l.of), l.goal)
	}
}
