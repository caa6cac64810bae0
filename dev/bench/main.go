// Bench measures Fieldmark beside the bare API server and kubectl proxy, on one machine, in alternating rounds of one run, and writes
// the results to a report. Compare the ratios: the milliseconds depend on the machine.
//
// A run measures all parts except census, firstpage, costs and load, or those that -part names. It replaces their sections of the report, each as soon as it is measured.
// The other sections stay as they are. -part all renews the whole report at one commit, -part list tells how long each part takes, and -part smoke tells whether
// something became slower.
//
// Each family of parts has a package here, which measures them and writes their sections. Families share lab, browser, socket and figures, and
// import nothing of each other.
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

	"github.com/fieldmark/fieldmark/dev/bench/fleet"
	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

func main() {
	p := lab.Plan{}
	flag.StringVar(&p.Bin, "bin", "bin", "`folder` with fieldmark, fieldmark-practice and kubectl")
	flag.StringVar(&p.Report, "report", "dev/bench/REPORT.md", "`file` to write")
	flag.StringVar(&p.Parts, "part", "", "`parts` to measure, with commas between them: "+names()+"; "+allParts+": the whole report; "+listPart+": how long each takes; "+smokePart+": what became slower; otherwise all except "+strings.Join(onRequest, ", "))
	flag.BoolVar(&p.Write, "write", false, "with -part "+smokePart+": record the ratios that are measured")
	flag.IntVar(&p.Rounds, "rounds", 5, "rounds; each measures every way once")
	flag.DurationVar(&p.Span, "span", 2*time.Second, "length of one measurement")
	flag.IntVar(&p.Connections, "connections", 8, "connections at the same time")
	flag.IntVar(&p.Pods, "pods", 10000, "pods in the large collection")
	flag.IntVar(&p.Events, "events", 2000, "events a second while pages follow what happens")
	flag.IntVar(&p.Sessions, "sessions", 500, "idle sessions")
	flag.IntVar(&p.Large, "large", 100000, "objects in the very large collection")
	flag.IntVar(&p.People, "people", 2000, "people under load")
	flag.IntVar(&p.Sample, "sample", 200, "people with whom single costs are measured")
	flag.IntVar(&p.Subscriptions, "subscriptions", 3, fmt.Sprintf("subscriptions of each of their pages, at most %d", len(fleet.Followable)))
	flag.BoolVar(&p.Share, "share", false, "under load, start the replicas with --"+lab.ShareFlag)
	flag.DurationVar(&p.Think, "think", time.Minute, "time between two pages of a person, on average")
	flag.Float64Var(&p.Changes, "changes", 10, "changes a second of what people follow")
	flag.DurationVar(&p.Hold, "hold", 75*time.Second, "length of one reading of the shared mode; Fieldmark returns unused memory every 30 s")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := bench(ctx, p); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1) //nolint:gocritic // nothing is left to undo: bench has stopped its programs
	}
}

// bench measures the chosen parts, and writes their sections of the report again.
func bench(ctx context.Context, p lab.Plan) error {
	b := bencher{plan: p}
	defer b.close()
	var err error
	if b.version, err = b.built(ctx); err != nil {
		return err
	}
	switch p.Parts {
	case smokePart:
		return b.smoke(ctx)
	case listPart:
		return b.list(os.Stdout)
	}
	chosen, err := b.chosen()
	if err != nil {
		return err
	}
	for _, part := range chosen {
		begun := time.Now()
		lab.Say(part.title)
		if slices.Contains(onRequest, part.name) { // it changes the cluster, or needs one that nothing has changed
			b.close()
		}
		if err := b.runPart(ctx, part); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
		if slices.Contains(onRequest, part.name) {
			b.close()
		}
		say(part.name, begun)
	}
	lab.Say("written: " + p.Report)
	return nil
}

// onRequest are measured only if they are named. firstPage compiles Kubernetes with empty caches. A census fills the cluster, which would change what other
// parts measure. The others open thousands of watches, and wait until that costs the same each second.
var onRequest = []string{"census", firstPage, "costs", "load"}

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

// say says how long a part took.
func say(name string, begun time.Time) {
	lab.Say(fmt.Sprintf("%s took %.0f s", name, time.Since(begun).Seconds()))
}
