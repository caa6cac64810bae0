// Bench measures Fieldmark beside the bare API server and kubectl proxy, on one machine, in alternating
// rounds of one run, and writes what it found to a report. Ratios are what counts: the milliseconds are
// those of the machine.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// plan says how much is measured.
type plan struct {
	bin         string // folder of the programs
	report      string
	rounds      int
	span        time.Duration // of one measurement within a round
	connections int
	pods        int
	events      int // a second, while pages follow
	sessions    int // that are idle
	only        bool
	large       int // objects in the very large collection
	largeOnly   bool
	scanOnly    bool

	ownershipOnly, timelineOnly, previewOnly bool

	recordOnly, requestsOnly, consoleOnly bool
}

func main() {
	p := plan{}
	flag.StringVar(&p.bin, "bin", "bin", "`folder` with fieldmark, fieldmark-practice and kubectl")
	flag.StringVar(&p.report, "report", "dev/bench/REPORT.md", "`file` to write")
	flag.IntVar(&p.rounds, "rounds", 7, "rounds; each measures every way once")
	flag.DurationVar(&p.span, "span", 3*time.Second, "length of one measurement")
	flag.IntVar(&p.connections, "connections", 8, "connections at the same time")
	flag.IntVar(&p.pods, "pods", 10000, "pods in the large collection")
	flag.IntVar(&p.events, "events", 2000, "events a second while pages follow what happens")
	flag.IntVar(&p.sessions, "sessions", 500, "idle sessions")
	flag.BoolVar(&p.only, "relay-only", false, "measure following alone, and print it instead of writing a report")
	flag.IntVar(&p.large, "large", 100000, "objects in the very large collection")
	flag.BoolVar(&p.largeOnly, "large-only", false, "measure the very large collection alone, and print it instead of writing a report")
	flag.BoolVar(&p.scanOnly, "scan-only", false, "measure a scan for contention alone, and print it instead of writing a report")
	flag.BoolVar(&p.ownershipOnly, "ownership-only", false, "measure who owns which line alone, and print it instead of writing a report")
	flag.BoolVar(&p.timelineOnly, "timeline-only", false, "measure the timeline of an object that changes all the time alone, and print it instead of writing a report")
	flag.BoolVar(&p.previewOnly, "preview-only", false, "measure the preview of an apply alone, and print it instead of writing a report")
	flag.BoolVar(&p.recordOnly, "record-only", false, "measure what recording requests costs alone, and print it instead of writing a report")
	flag.BoolVar(&p.requestsOnly, "requests-only", false, "measure a long wire log in a browser alone, and print it instead of writing a report")
	flag.BoolVar(&p.consoleOnly, "console-only", false, "measure a large answer in the console alone, and print it instead of writing a report")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := bench(ctx, p); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1) //nolint:gocritic // nothing is left to undo: bench has stopped its programs
	}
}

// bench starts the programs, measures, and writes the report.
func bench(ctx context.Context, p plan) error {
	lab, err := openLab(ctx, p)
	if err != nil {
		return err
	}
	defer lab.close()
	r := &report{plan: p, when: time.Now(), version: lab.version(ctx)}
	for _, part := range r.parts(ctx, lab) {
		if part.only {
			return part.print(r)
		}
	}
	for _, part := range r.parts(ctx, lab) {
		if err := part.run(); err != nil {
			return err
		}
	}
	if err := os.WriteFile(p.report, []byte(r.text()), 0o644); err != nil { //nolint:gosec // a report is for everybody
		return fmt.Errorf("writing the report: %w", err)
	}
	say("written: " + p.report)
	return nil
}

// part is something that is measured.
type part struct {
	name    string
	only    bool // it is measured alone
	measure func() error
	write   func(report, *strings.Builder)
}

// parts are all there are, in the order in which they are measured.
func (r *report) parts(ctx context.Context, l *lab) []part {
	return []part{
		{"start of fieldmark without the practice cluster", false, into(ctx, &r.starts, l.measureStarts), report.writeStarts},
		{"through the proxy", false, into(ctx, &r.scenes, l.measureScenes), report.writeScenes},
		{"what recording costs", r.plan.recordOnly, into(ctx, &r.recording, l.measureRecording), report.writeRecording},
		{"the collection page", false, into(ctx, &r.page, l.measurePage), report.writePage},
		{"following what happens", r.plan.only, into(ctx, &r.relay, l.measureRelay), report.writeRelay},
		{"a scan for contention", r.plan.scanOnly, into(ctx, &r.scan, l.measureScan), report.writeScan},
		{"who owns which line", r.plan.ownershipOnly, into(ctx, &r.ownership, l.measureOwnership), report.writeOwnership},
		{"the page in a browser", false, into(ctx, &r.browser, l.measureBrowser), report.writeBrowser},
		{"typing in the editor", false, into(ctx, &r.editor, l.measureEditor), report.writeEditor},
		{"previewing an apply", r.plan.previewOnly, into(ctx, &r.preview, l.measurePreview), report.writePreview},
		{"the timeline of an object that changes all the time", r.plan.timelineOnly, into(ctx, &r.timeline, l.measureTimeline), report.writeTimeline},
		{"a long wire log in a browser", r.plan.requestsOnly, into(ctx, &r.requests, l.measureRequests), report.writeRequests},
		{"a large answer in the console", r.plan.consoleOnly, into(ctx, &r.console, l.measureConsole), report.writeConsole},
		{"a very large collection in a browser", r.plan.largeOnly, into(ctx, &r.large, l.measureLarge), report.writeLarge},
	}
}

// into keeps what is measured.
func into[T any](ctx context.Context, where *T, measure func(context.Context) (T, error)) func() error {
	return func() (err error) {
		*where, err = measure(ctx)
		return err
	}
}

func (p part) run() error {
	say(p.name)
	if err := p.measure(); err != nil {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	return nil
}

// print measures one part alone, and prints it.
func (p part) print(r *report) error {
	if err := p.run(); err != nil {
		return err
	}
	var b strings.Builder
	p.write(*r, &b)
	fmt.Print(b.String())
	return nil
}

func say(words string) { fmt.Fprintln(os.Stderr, "bench:", words) }
