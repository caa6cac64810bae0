package main

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"
)

// report is everything that was measured.
type report struct {
	plan      plan
	when      time.Time
	version   string
	starts    []time.Duration
	scenes    []comparison
	recording recordingCost
	page      pageTimes
	relay     relayTimes
	scan      scanCost
	browser   browserTimes
	editor    []typing
	preview   []previewed
	large     []largeVisit

	requests []requestsVisit
	console  consoleCost

	ownership blameTimes
	timeline  []timelineVisit
}

// text is the report as Markdown.
func (r report) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# How fast it is\n\nMade by `make bench` on %s, with %d cores, %s, against the practice cluster's API server %s (etcd and all\n"+
		"else on the same machine). Figures are of one run; ratios are medians of %d rounds of %s each, in which every way was\n"+
		"measured in turn with %d connections. The machine is noisy: the range beside a ratio is that of the rounds.\n",
		r.when.UTC().Format("2006-01-02"), runtime.NumCPU(), runtime.Version(), r.version, r.plan.rounds, r.plan.span, r.plan.connections)
	r.writeScenes(&b)
	r.writeRecording(&b)
	r.writePage(&b)
	r.writeRelay(&b)
	r.writeScan(&b)
	r.writeOwnership(&b)
	r.writeBrowser(&b)
	r.writeEditor(&b)
	r.writePreview(&b)
	r.writeTimeline(&b)
	r.writeRequests(&b)
	r.writeConsole(&b)
	r.writeLarge(&b)
	r.writeStarts(&b)
	return b.String()
}

func (r report) writeScenes(b *strings.Builder) {
	b.WriteString("\n## Through the proxy\n\nRequests a second, as a ratio to the bare API server. The first three ways use HTTP/1.1 with kept connections at the\n" +
		"client's side; the last is the bare API server over HTTP/2, as kubectl talks to it. Client, proxy and API server share the cores.\n\n" +
		"| request | bytes | bare, req/s | Fieldmark | kubectl proxy | bare over HTTP/2 | goal for Fieldmark |\n|---|---|---|---|---|---|---|\n")
	for _, c := range r.scenes {
		bare := slices.Clone(c.rates["bare API server"])
		slices.Sort(bare)
		fmt.Fprintf(b, "| %s | %d | %.0f | %s | %s | %s | %s |\n", c.scene.name, c.bytes, bare[len(bare)/2],
			ratio(c, "Fieldmark"), ratio(c, "kubectl proxy"), ratio(c, "bare API server, HTTP/2"), c.scene.goal)
	}
}

func ratio(c comparison, name string) string {
	middle, low, high := c.ratio(name)
	return fmt.Sprintf("**%.2f** (%.2f–%.2f)", middle, low, high)
}

func (r report) writePage(b *strings.Builder) {
	p := r.page
	fmt.Fprintf(b, "\n## The collection page\n\n%d pods, first chunk of 500 rows; medians of %d alternating requests.\n\n"+
		"| | time | bytes |\n|---|---|---|\n| API server's own answer for the first chunk | %.1f ms | %d |\n| the page, HTML complete | %.1f ms | %d |\n"+
		"| **over the API server's own time** (median of the differences; goal ≤ 60 ms) | **%.1f ms** | |\n",
		r.plan.pods, p.requests, ms(p.api), p.apiBytes, ms(p.page), p.htmlBytes, ms(p.extra))
}

func (r report) writeStarts(b *strings.Builder) {
	all := slices.Clone(r.starts)
	fmt.Fprintf(b, "\n## Start\n\n`bin/fieldmark --practice off`, from its start to the line that says it is ready: **%.0f ms** (median of %d; goal ≤ 500 ms).\n",
		ms(middle(all)), len(all))
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
