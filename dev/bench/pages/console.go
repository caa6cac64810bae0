package pages

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/dev/bench/browser"
	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// consoleCost is the cost of a large response in the console.
type consoleCost struct {
	visits []consoleVisit
	// before and most are Fieldmark's resident memory, in bytes.
	before, most int64
}

// consoleVisit is one such response, in milliseconds and bytes.
type consoleVisit struct {
	Took   float64 `json:"took"`
	Block  float64 `json:"block"` // the longest block of the main thread
	Bytes  float64 `json:"bytes"` // of the response
	Memory float64 `json:"memory"`
}

const (
	consoleRounds = 3
	// recordCap is the limit for bodies in the record of a session.
	recordCap = 4 << 20
)

// measureConsole requests all pods in the console, indented: about 50 MB.
func measureConsole(ctx context.Context, l *lab.Lab) (cost consoleCost, err error) {
	const asked = "/api/v1/pods?pretty=true"
	if err := l.MakeMany(ctx, "pods", "bench-more", "Pod", l.Plan.Pods*2/5); err != nil {
		return cost, err
	}
	p := l.PIDOf("fieldmark")
	// First visits and responses need memory in any case, which is not measured here.
	if _, err := console(ctx, l, "/api/v1/namespaces/shop"); err != nil {
		return cost, err
	}
	if _, _, err := l.Fieldmark.Do(ctx, http.MethodGet, asked, nil); err != nil {
		return cost, err
	}
	cost.before = lab.Resident(p)
	cost.most = cost.before
	ended := make(chan struct{})
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		for {
			cost.most = max(cost.most, lab.Resident(p))
			select {
			case <-ended:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	cost.visits, err = console(ctx, l, asked)
	close(ended)
	<-watched
	return cost, err
}

// console requests a path in the console of a browser.
func console(ctx context.Context, l *lab.Lab, asked string) (visits []consoleVisit, err error) {
	err = browser.Run(ctx, &visits, "pages/console", l.Fieldmark.Origin, l.Token, "/c/"+lab.ContextName+"/-/request", asked, strconv.Itoa(consoleRounds))
	return visits, err
}

func (c consoleCost) WriteSection(b *strings.Builder, p lab.Plan) {
	fmt.Fprintf(b, "%d pods as indented JSON, asked for in the console in Chromium; medians of %d cold visits with the range beside them.\n\n"+
		"| | | goal |\n|---|---|---|\n", p.Pods*7/5, len(c.visits))
	writeLines(b, c.visits, []line[consoleVisit]{
		{"megabytes of the answer", "50", func(v consoleVisit) float64 { return v.Bytes / 1e6 }},
		{"milliseconds until it is whole", "", func(v consoleVisit) float64 { return v.Took }},
		{"longest block of the main thread, milliseconds", "≤ 100", func(v consoleVisit) float64 { return v.Block }},
		{"megabytes (2²⁰) of the program's memory then", "", func(v consoleVisit) float64 { return v.Memory / (1 << 20) }},
	})
	fmt.Fprintf(b, "| megabytes (2²⁰) that Fieldmark's memory grew by, at most | **%.1f** | ≤ %d, what a record may keep |\n", float64(c.most-c.before)/(1<<20), recordCap>>20)
}
