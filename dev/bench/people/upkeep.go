package people

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// upkeep is what a process and the API server did during a time.
type upkeep struct {
	seconds           float64
	fieldmark, server float64 // seconds of processor time
	watches           float64 // watches that ended, and were opened again
}

// upkeepFor is how long the upkeep of silent watches is measured. Each of them is opened again during this time.
const upkeepFor = 30 * time.Second

// upkeepOf measures what Fieldmark and the API server do during upkeepFor.
func upkeepOf(ctx context.Context, l *lab.Lab, pid int) upkeep {
	server := l.APIServer()
	before, begun := upkeep{fieldmark: lab.CPU(pid), server: lab.CPU(server), watches: watchesEnded(ctx, l)}, time.Now()
	_ = lab.Pause(ctx, upkeepFor)
	return upkeep{
		seconds: time.Since(begun).Seconds(), fieldmark: lab.CPU(pid) - before.fieldmark, server: lab.CPU(server) - before.server,
		watches: watchesEnded(ctx, l) - before.watches,
	}
}

// without subtracts what is done anyway in the same time.
func (u upkeep) without(rest upkeep) upkeep {
	part := u.seconds / rest.seconds
	return upkeep{u.seconds, u.fieldmark - part*rest.fieldmark, u.server - part*rest.server, u.watches - part*rest.watches}
}

// watchesEnded is how many watches of collections have ended at the API server since its start; 0 if it doesn't say.
func watchesEnded(ctx context.Context, l *lab.Lab) (count float64) {
	_, text, err := l.Bare.Do(ctx, http.MethodGet, "/metrics", nil)
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		labels, number, ok := strings.Cut(strings.TrimSpace(line), "} ")
		if !ok || !strings.HasPrefix(labels, "apiserver_request_total{") || !strings.Contains(labels, `verb="WATCH"`) {
			continue
		}
		if n, err := strconv.ParseFloat(number, 64); err == nil {
			count += n
		}
	}
	return count
}

// writeUpkeep writes what silent watches take.
func (all peopleCosts) writeUpkeep(b *strings.Builder) {
	fmt.Fprintf(b, "A watch is opened again every 20 to 26 seconds, so that a permission that was taken away ends it. What the silent watches took during\n"+
		"%.0f s, less than what an unused Fieldmark and its API server take:\n\n"+
		"| people | each has | watches that were opened again | Fieldmark's processor, for each | the API server's, for each | a watch, in a minute: Fieldmark | API server |\n"+
		"|---|---|---|---|---|---|---|\n", upkeepFor.Seconds())
	for _, g := range all.crowds {
		if g.upkeep.watches == 0 {
			continue
		}
		each := func(seconds float64) float64 { return 1000 * seconds / g.upkeep.watches }
		minute := func(seconds float64) float64 {
			return 1000 * seconds / float64(g.people*g.each) * time.Minute.Seconds() / g.upkeep.seconds
		}
		fmt.Fprintf(b, "| %d | %s | %.0f | **%.2f ms** | **%.2f ms** | %.1f ms | %.1f ms |\n", g.people, g.name, g.upkeep.watches,
			each(g.upkeep.fieldmark), each(g.upkeep.server), minute(g.upkeep.fieldmark), minute(g.upkeep.server))
	}
	b.WriteString("\n")
}
