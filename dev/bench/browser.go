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
	"time"
)

// visit is one visit in a browser: milliseconds from the start of the navigation, and bytes that
// crossed the network besides the document.
type visit struct {
	Row   float64 `json:"row"`   // the first row is in the document, perhaps before its paint
	Ready float64 `json:"ready"` // the page's own program says that it runs
	All   float64 `json:"all"`   // every row is shown, and the page is live
	Block float64 `json:"block"` // the longest long task until then; Chromium tells only of those of at least 50 ms
	Shift float64 `json:"shift"` // cumulative layout shift
	Bytes float64 `json:"bytes"`
	// Memory is the WebAssembly memory of the page's program, in bytes.
	Memory float64 `json:"memory"`
}

// opened is a visit with what Chromium says of it. Its figures come from three visits, because one measurement would disturb another one.
type opened struct {
	visit
	FCP     float64 `json:"fcp"`     // first contentful paint
	LCP     float64 `json:"lcp"`     // largest contentful paint
	Painted float64 `json:"painted"` // the first row is painted
	Key     float64 `json:"key"`     // a key does something
	// Task is the longest task of the main thread from the navigation on, and Processor the most that the processor worked on one.
	// The difference is time in which other programs had the processor.
	Task      float64 `json:"task"`
	Processor float64 `json:"processor"`
	Frame     float64 `json:"frame"` // the longest animation frame of at least 50 ms; 0: there was none
}

// change is the time until one changed row was shown, in milliseconds.
type change struct {
	Paint float64 `json:"paint"` // from its message to the paint
	Write float64 `json:"write"` // from sending the write to the paint
}

type browserTimes struct {
	Cold    []opened `json:"cold"`
	Warm    []opened `json:"warm"`
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
	objects := l.fieldmark.prefix + podsPath + "/pods-"
	err := node(ctx, &times, "browser", l.fieldmark.origin, l.token, "/c/"+contextName+podsPath, objects,
		strconv.Itoa(browserRounds), strconv.Itoa(changedRows))
	return times, err
}

// node runs a script of this folder that measures in a browser, and reads the figures that it prints.
func node(ctx context.Context, figures any, script string, args ...string) error {
	command := exec.CommandContext(ctx, "node", append([]string{"dev/bench/" + script + ".mjs"}, args...)...)
	command.Stderr = os.Stderr
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) } // it ends its browser
	command.WaitDelay = 20 * time.Second
	answer, err := command.Output()
	if err != nil {
		return fmt.Errorf("%s in the browser: %w", script, err)
	}
	if err := json.Unmarshal(answer, figures); err != nil {
		return fmt.Errorf("the browser's figures of %s: %w", script, err)
	}
	return nil
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

func (t browserTimes) writeSection(b *strings.Builder, p plan) {
	fmt.Fprintf(b, "The page of %d pods in Chromium; milliseconds from the start of the navigation, medians of %d visits with the range beside them.\n"+
		"Browser, Fieldmark and API server share the cores. A warm visit is the second of a browser, which has the program in its cache.\n"+
		"Chromium tells when it paints. The first row is painted when its text is on the screen (element timing). Ready means that a key does\n"+
		"something: the key j is pressed from the first moment on, until it moves the focus to a row. Tasks are those of a trace.\n"+
		"Paints, keys and tasks are measured in visits of their own.\n\n"+
		"| | cold | goal | warm | goal |\n|---|---|---|---|---|\n", p.pods, len(t.Cold))
	for _, line := range openedLines() {
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", line.what, median(t.Cold, line.of), line.cold, median(t.Warm, line.of), line.warm)
	}
	fmt.Fprintf(b, "\nA changed row is painted %s ms after its message (goal ≤ 16), and %s ms after the write was sent (goal ≤ 300): medians of %d.\n"+
		"The first includes the wait for the next frame, which is 8 ms in the mean. It ends when the page has drawn that frame.\n",
		median(t.Changes, func(c change) float64 { return c.Paint }), median(t.Changes, func(c change) float64 { return c.Write }), len(t.Changes))
}

// openedLine is a line of the table: a figure with its goals.
type openedLine struct {
	what, cold, warm string
	of               func(opened) float64
}

// openedLines are all of them. The last are the figures of older reports, which say nothing of paints.
func openedLines() []openedLine {
	return []openedLine{
		{"first contentful paint", "", "", func(v opened) float64 { return v.FCP }},
		{"largest contentful paint", "", "", func(v opened) float64 { return v.LCP }},
		{"**first row painted**", "≤ 180", "≤ 100", func(v opened) float64 { return v.Painted }},
		{"**ready: a key does something**", "≤ 400", "≤ 200", func(v opened) float64 { return v.Key }},
		{"**every row present, and live**", "≤ 1,000", "≤ 900", func(v opened) float64 { return v.All }},
		{"**longest task of the main thread, from the navigation on**", "≤ 30", "≤ 30", func(v opened) float64 { return v.Task }},
		{"— the most that the processor worked on one", "", "", func(v opened) float64 { return v.Processor }},
		{"longest animation frame, if there was one of 50 or more", "", "", func(v opened) float64 { return v.Frame }},
		{"layout shift, in thousandths", "≤ 20", "≤ 20", func(v opened) float64 { return 1000 * v.Shift }},
		{"kilobytes besides the document", "≤ 2,200", "", func(v opened) float64 { return v.Bytes / 1000 }},
		{"megabytes (2²⁰) of the program's memory", "≤ 64", "≤ 64", func(v opened) float64 { return v.Memory / (1 << 20) }},
		{"old figure: a row is in the document", "≤ 250", "≤ 150", func(v opened) float64 { return v.Row }},
		{"old figure: the page's program says that it runs", "≤ 600", "≤ 300", func(v opened) float64 { return v.Ready }},
		{"old figure: longest task of 50 or more, until live", "≤ 50", "≤ 50", func(v opened) float64 { return v.Block }},
	}
}
