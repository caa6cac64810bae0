package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// visit is one visit in a browser: milliseconds from the start of the navigation, and bytes that
// crossed the network besides the document.
type visit struct {
	Row   float64 `json:"row"`   // the first row is shown
	Ready float64 `json:"ready"` // the page's own program runs
	All   float64 `json:"all"`   // every row is shown, and the page is live
	Block float64 `json:"block"` // the longest block of the main thread until then
	Shift float64 `json:"shift"` // cumulative layout shift
	Bytes float64 `json:"bytes"`
	// Memory is the WebAssembly memory of the page's program, in bytes.
	Memory float64 `json:"memory"`
}

// change is the time until one changed row was shown, in milliseconds.
type change struct {
	Paint float64 `json:"paint"` // from its message to the paint
	Write float64 `json:"write"` // from sending the write to the paint
}

type browserTimes struct {
	Cold    []visit  `json:"cold"`
	Warm    []visit  `json:"warm"`
	Changes []change `json:"changes"`
}

// browserRounds is the number of browsers that are started, and changedRows the number of changes in all.
const (
	browserRounds = 7
	changedRows   = 70
)

// measureBrowser opens the page of the large collection in a real browser.
func (l *lab) measureBrowser(ctx context.Context) (browserTimes, error) {
	var times browserTimes
	object := l.fieldmark.prefix + podsPath + "/pods-00003"
	command := exec.CommandContext(ctx, "node", "dev/bench/browser.mjs", l.fieldmark.origin, l.token, "/c/"+contextName+podsPath, object,
		strconv.Itoa(browserRounds), strconv.Itoa(changedRows))
	command.Stderr = os.Stderr
	answer, err := command.Output()
	if err != nil {
		return times, fmt.Errorf("the browser: %w", err)
	}
	if err := json.Unmarshal(answer, &times); err != nil {
		return times, fmt.Errorf("the browser's figures: %w", err)
	}
	return times, nil
}

// median of a figure; the range is that of all.
func median[T any](all []T, of func(T) float64) string { return medianTo("%.0f", all, of) }

// fine is a median with a tenth.
func fine[T any](all []T, of func(T) float64) string { return medianTo("%.1f", all, of) }

func medianTo[T any](digits string, all []T, of func(T) float64) string {
	var values []float64
	for _, v := range all {
		values = append(values, of(v))
	}
	slices.Sort(values)
	return fmt.Sprintf("**"+digits+"** ("+digits+"–"+digits+")", values[len(values)/2], values[0], values[len(values)-1])
}

func (t browserTimes) write(b *strings.Builder, p plan) {
	fmt.Fprintf(b, "The page of %d pods in Chromium; milliseconds, medians of %d visits with the range beside them. Browser, Fieldmark and\n"+
		"API server share the cores. A warm visit is the second of a browser, which has the program in its cache.\n\n"+
		"| | cold | goal | warm | goal |\n|---|---|---|---|---|\n", p.pods, len(t.Cold))
	for _, line := range []struct {
		what, cold, warm string
		of               func(visit) float64
	}{
		{"first row in sight", "≤ 250", "≤ 150", func(v visit) float64 { return v.Row }},
		{"the page's program runs", "≤ 600", "≤ 300", func(v visit) float64 { return v.Ready }},
		{"every row present, and live", "≤ 1,200", "≤ 1,200", func(v visit) float64 { return v.All }},
		{"longest block of the main thread", "≤ 50", "≤ 50", func(v visit) float64 { return v.Block }},
		{"layout shift, in thousandths", "≤ 20", "≤ 20", func(v visit) float64 { return 1000 * v.Shift }},
		{"kilobytes besides the document", "≤ 2,200", "", func(v visit) float64 { return v.Bytes / 1000 }},
		{"megabytes (2²⁰) of the program's memory", "≤ 64", "≤ 64", func(v visit) float64 { return v.Memory / (1 << 20) }},
	} {
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", line.what, median(t.Cold, line.of), line.cold, median(t.Warm, line.of), line.warm)
	}
	fmt.Fprintf(b, "\nA changed row is painted %s ms after its message (goal ≤ 16), and %s ms after the write was sent (goal ≤ 300): medians of %d.\n"+
		"The first includes the wait for the next frame, which is 8 ms in the mean.\n",
		median(t.Changes, func(c change) float64 { return c.Paint }), median(t.Changes, func(c change) float64 { return c.Write }), len(t.Changes))
}
