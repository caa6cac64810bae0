// Bench measures Fieldmark beside the bare API server and kubectl proxy, on one machine, in alternating rounds of one run, and writes
// the results to a report. Compare the ratios: the milliseconds depend on the machine.
//
// A run measures all parts except firstpage, costs and load, or those that -part names. It replaces their sections of the report, each as soon as it is measured.
// The other sections stay as they are.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"
)

// plan has the settings of a run.
type plan struct {
	bin         string // folder of the programs
	report      string
	parts       string // names with commas between them; empty for all
	rounds      int
	span        time.Duration // of one measurement within a round
	connections int
	pods        int
	events      int // a second, while pages follow
	sessions    int // idle sessions
	large       int // objects in the very large collection

	people        int           // in the shared mode, under load
	sample        int           // people with whom single costs are measured
	subscriptions int           // of each of their pages
	share         bool          // whether people under load share watches
	think         time.Duration // between two pages of a person, on average
	changes       float64       // of objects that people follow, a second
	hold          time.Duration // length of one reading
}

func main() {
	p := plan{}
	flag.StringVar(&p.bin, "bin", "bin", "`folder` with fieldmark, fieldmark-practice and kubectl")
	flag.StringVar(&p.report, "report", "dev/bench/REPORT.md", "`file` to write")
	flag.StringVar(&p.parts, "part", "", "`parts` to measure, with commas between them: "+names()+"; otherwise all except "+strings.Join(onRequest, ", "))
	flag.IntVar(&p.rounds, "rounds", 5, "rounds; each measures every way once")
	flag.DurationVar(&p.span, "span", 2*time.Second, "length of one measurement")
	flag.IntVar(&p.connections, "connections", 8, "connections at the same time")
	flag.IntVar(&p.pods, "pods", 10000, "pods in the large collection")
	flag.IntVar(&p.events, "events", 2000, "events a second while pages follow what happens")
	flag.IntVar(&p.sessions, "sessions", 500, "idle sessions")
	flag.IntVar(&p.large, "large", 100000, "objects in the very large collection")
	flag.IntVar(&p.people, "people", 2000, "people under load")
	flag.IntVar(&p.sample, "sample", 200, "people with whom single costs are measured")
	flag.IntVar(&p.subscriptions, "subscriptions", 3, fmt.Sprintf("subscriptions of each of their pages, at most %d", len(followable)))
	flag.BoolVar(&p.share, "share", false, "under load, start the replicas with --"+shareFlag)
	flag.DurationVar(&p.think, "think", time.Minute, "time between two pages of a person, on average")
	flag.Float64Var(&p.changes, "changes", 10, "changes a second of what people follow")
	flag.DurationVar(&p.hold, "hold", 75*time.Second, "length of one reading of the shared mode; Fieldmark returns unused memory every 30 s")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := bench(ctx, p); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1) //nolint:gocritic // nothing is left to undo: bench has stopped its programs
	}
}

// bench measures the chosen parts, and writes their sections of the report again.
func bench(ctx context.Context, p plan) error {
	chosen, err := choose(p.parts)
	if err != nil {
		return err
	}
	b := bencher{plan: p}
	defer b.close()
	if b.version, err = b.built(ctx); err != nil {
		return err
	}
	for _, part := range chosen {
		begun := time.Now()
		say(part.title)
		if err := b.runPart(ctx, part); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
		say(fmt.Sprintf("%s took %.0f s", part.name, time.Since(begun).Seconds()))
	}
	say("written: " + p.report)
	return nil
}

// onRequest are measured only if they are named. firstPage compiles Kubernetes with empty caches. The others open thousands of watches, and wait
// until that costs the same each second.
var onRequest = []string{firstPage, "costs", "load"}

const firstPage = "firstpage"

// choose returns the parts with these names, in the order of the report. Without a name, it returns all that aren't onRequest.
func choose(list string) ([]part, error) {
	if list == "" {
		return slices.DeleteFunc(slices.Clone(parts), func(p part) bool { return slices.Contains(onRequest, p.name) }), nil
	}
	wanted := map[string]bool{}
	for name := range strings.SplitSeq(list, ",") {
		wanted[strings.TrimSpace(name)] = true
	}
	var chosen []part
	for _, p := range parts {
		if wanted[p.name] {
			chosen = append(chosen, p)
			delete(wanted, p.name)
		}
	}
	for name := range wanted {
		return nil, fmt.Errorf("there is no part %q; the parts are: %s", name, names())
	}
	return chosen, nil
}

// names are those of all parts.
func names() string {
	var all []string
	for _, p := range parts {
		all = append(all, p.name)
	}
	return strings.Join(all, ", ")
}

func say(words string) { fmt.Fprintln(os.Stderr, "bench:", words) }
