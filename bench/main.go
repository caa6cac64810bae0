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
}

func main() {
	p := plan{}
	flag.StringVar(&p.bin, "bin", "bin", "`folder` with fieldmark, fieldmark-practice and kubectl")
	flag.StringVar(&p.report, "report", "bench/REPORT.md", "`file` to write")
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
	r := report{plan: p, when: time.Now(), version: lab.version(ctx)}
	if p.only || p.largeOnly || p.scanOnly {
		return r.print(ctx, lab)
	}
	say("start of fieldmark without the practice cluster")
	if r.starts, err = lab.measureStarts(ctx); err != nil {
		return err
	}
	for _, s := range scenes {
		say(s.name)
		result, err := lab.measureScene(ctx, s)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		r.scenes = append(r.scenes, result)
	}
	say("collection page")
	if r.page, err = lab.measurePage(ctx); err != nil {
		return fmt.Errorf("collection page: %w", err)
	}
	say("following what happens")
	if r.relay, err = lab.measureRelay(ctx); err != nil {
		return fmt.Errorf("following: %w", err)
	}
	say("a scan for contention")
	if r.scan, err = lab.measureScan(ctx); err != nil {
		return fmt.Errorf("scanning: %w", err)
	}
	say("the page in a browser")
	if r.browser, err = lab.measureBrowser(ctx); err != nil {
		return err
	}
	if r.editor, err = lab.measureEditor(ctx); err != nil {
		return err
	}
	say("a very large collection in a browser")
	if r.large, err = lab.measureLarge(ctx); err != nil {
		return err
	}
	if err := os.WriteFile(p.report, []byte(r.text()), 0o644); err != nil { //nolint:gosec // a report is for everybody
		return fmt.Errorf("writing the report: %w", err)
	}
	say("written: " + p.report)
	return nil
}

// print measures one part alone, and prints it.
func (r report) print(ctx context.Context, lab *lab) (err error) {
	write := report.writeLarge
	switch {
	case r.plan.only:
		write = report.writeRelay
		r.relay, err = lab.measureRelay(ctx)
	case r.plan.scanOnly:
		write = report.writeScan
		r.scan, err = lab.measureScan(ctx)
	default:
		r.large, err = lab.measureLarge(ctx)
	}
	if err != nil {
		return err
	}
	var b strings.Builder
	write(r, &b)
	fmt.Print(b.String())
	return nil
}

func say(words string) { fmt.Fprintln(os.Stderr, "bench:", words) }
