package pages

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/dev/bench/browser"
	"github.com/fieldmark/fieldmark/dev/bench/figures"
	"github.com/fieldmark/fieldmark/dev/bench/lab"
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
	// Moments are those of the program's start, as the page notes them.
	Moments map[string]float64 `json:"moments"`
}

// phases are the parts of the program's start, in their order, each with the moment in which it ends.
var phases = []struct{ what, until string }{
	{"the document's first bytes, its own script, the worker's script", "asked"},
	{"the program is fetched", "fetched"},
	{"the rest of compiling", "compiled"},
	{"the program gets its memory (instantiate)", "instantiated"},
	{"Go starts, and packages are initialized", "started"},
	{"waiting for the document and its script", "begun"},
	{"the model is read", "decoded"},
	{"the page wakes up, and gives its first commands", "commanded"},
	{"the first view is rendered", "rendered"},
}

// took is how long a phase took. It begins where the one before ends.
func (v opened) took(phase int) float64 {
	if phase == 0 {
		return v.Moments[phases[0].until]
	}
	return max(0, v.Moments[phases[phase].until]-v.Moments[phases[phase-1].until])
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
func measureBrowser(ctx context.Context, l *lab.Lab) (browserTimes, error) {
	var times browserTimes
	objects := l.Fieldmark.Prefix + lab.PodsPath + "/pods-"
	err := browser.Run(ctx, &times, "pages/browser", l.Fieldmark.Origin, l.Token, "/c/"+lab.ContextName+lab.PodsPath, objects,
		strconv.Itoa(browserRounds), strconv.Itoa(changedRows))
	return times, err
}

func (t browserTimes) WriteSection(b *strings.Builder, p lab.Plan) {
	fmt.Fprintf(b, "The page of %d pods in Chromium; milliseconds from the start of the navigation, medians of %d visits with the range beside them.\n"+
		"Browser, Fieldmark and API server share the cores. A warm visit is the second of a browser, which has the program in its cache.\n"+
		"Chromium tells when it paints. The first row is painted when its text is on the screen (element timing). Ready means that a key does\n"+
		"something: the key j is pressed from the first moment on, until it moves the focus to a row. Tasks are those of a trace.\n"+
		"Paints, keys and tasks are measured in visits of their own.\n\n"+
		"| | cold | goal | warm | goal |\n|---|---|---|---|---|\n", p.Pods, len(t.Cold))
	for _, line := range openedLines() {
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", line.what, figures.Median(t.Cold, line.of), line.cold, figures.Median(t.Warm, line.of), line.warm)
	}
	b.WriteString("\nWhere the time until the first view of the program goes. Reading the document, and its layout, happen on another thread meanwhile.\n\n| | cold | warm |\n|---|---|---|\n")
	for i, phase := range phases {
		took := func(v opened) float64 { return v.took(i) }
		fmt.Fprintf(b, "| %s | %s | %s |\n", phase.what, figures.Median(t.Cold, took), figures.Median(t.Warm, took))
	}
	fmt.Fprintf(b, "\nA changed row is painted %s ms after its message (goal ≤ 16), and %s ms after the write was sent (goal ≤ 300): medians of %d.\n"+
		"The first includes the wait for the next frame, which is 8 ms in the mean. It ends when the page has drawn that frame.\n",
		figures.Median(t.Changes, func(c change) float64 { return c.Paint }), figures.Median(t.Changes, func(c change) float64 { return c.Write }), len(t.Changes))
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
