package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
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
func (l *lab) measureConsole(ctx context.Context) (cost consoleCost, err error) {
	const asked = "/api/v1/pods?pretty=true"
	if err := l.makeMany(ctx, "pods", "bench-more", "Pod", l.plan.pods*2/5); err != nil {
		return cost, err
	}
	p := l.pidOf("fieldmark")
	// First visits and responses need memory in any case, which is not measured here.
	if _, err := l.console(ctx, "/api/v1/namespaces/shop"); err != nil {
		return cost, err
	}
	if _, _, err := l.fieldmark.do(ctx, http.MethodGet, asked, nil); err != nil {
		return cost, err
	}
	cost.before = resident(p)
	cost.most = cost.before
	ended := make(chan struct{})
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		for {
			cost.most = max(cost.most, resident(p))
			select {
			case <-ended:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	cost.visits, err = l.console(ctx, asked)
	close(ended)
	<-watched
	return cost, err
}

// console requests a path in the console of a browser.
func (l *lab) console(ctx context.Context, asked string) (visits []consoleVisit, err error) {
	command := exec.CommandContext(ctx, "node", "dev/bench/console.mjs", l.fieldmark.origin, l.token, "/c/"+contextName+"/-/request", asked, strconv.Itoa(consoleRounds))
	command.Stderr = os.Stderr
	answer, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("the browser, with the console: %w", err)
	}
	if err := json.Unmarshal(answer, &visits); err != nil {
		return nil, fmt.Errorf("the browser's figures: %w", err)
	}
	return visits, nil
}

func (c consoleCost) writeSection(b *strings.Builder, p plan) {
	fmt.Fprintf(b, "%d pods as indented JSON, asked for in the console in Chromium; medians of %d cold visits with the range beside them.\n\n"+
		"| | | goal |\n|---|---|---|\n", p.pods*7/5, len(c.visits))
	for _, line := range []struct {
		what, goal string
		of         func(consoleVisit) float64
	}{
		{"megabytes of the answer", "50", func(v consoleVisit) float64 { return v.Bytes / 1e6 }},
		{"milliseconds until it is whole", "", func(v consoleVisit) float64 { return v.Took }},
		{"longest block of the main thread, milliseconds", "≤ 100", func(v consoleVisit) float64 { return v.Block }},
		{"megabytes (2²⁰) of the program's memory then", "", func(v consoleVisit) float64 { return v.Memory / (1 << 20) }},
	} {
		fmt.Fprintf(b, "| %s | %s | %s |\n", line.what, median(c.visits, line.of), line.goal)
	}
	fmt.Fprintf(b, "| megabytes (2²⁰) that Fieldmark's memory grew by, at most | **%.1f** | ≤ %d, what a record may keep |\n", float64(c.most-c.before)/(1<<20), recordCap>>20)
}
