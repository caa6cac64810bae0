package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// requestsVisit is what was seen of a long wire log, in milliseconds but for the memory.
type requestsVisit struct {
	All       float64 `json:"all"`   // every request is there
	Block     float64 `json:"block"` // the longest until then
	Still     frames  `json:"still"`
	Slow      frames  `json:"slow"`
	Fast      frames  `json:"fast"`
	Scrolling float64 `json:"scrolling"` // the longest block while it was scrolled
	Filtered  deed    `json:"filtered"`
	Memory    float64 `json:"memory"` // of the page's program, in bytes
}

// requestsVisits are all of them.
type requestsVisits []requestsVisit

const (
	loggedRequests = 5000
	requestsRounds = 3
	requestsMore   = 20 // a second
)

// measureRequests makes many requests, and opens the page of them in a real browser.
func (l *lab) measureRequests(ctx context.Context) (requestsVisits, error) {
	command := exec.CommandContext(ctx, "node", "dev/bench/requests.mjs", l.fieldmark.origin, l.token, "/c/"+contextName+"/-/requests",
		l.fieldmark.prefix+"/api/v1/namespaces/shop", strconv.Itoa(loggedRequests), strconv.Itoa(requestsRounds), strconv.Itoa(requestsMore))
	command.Stderr = os.Stderr
	answer, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("the browser, with a long wire log: %w", err)
	}
	var visits requestsVisits
	if err := json.Unmarshal(answer, &visits); err != nil {
		return nil, fmt.Errorf("the browser's figures: %w", err)
	}
	return visits, nil
}

func (all requestsVisits) writeSection(b *strings.Builder, _ plan) {
	fmt.Fprintf(b, "The record of %d requests in Chromium; milliseconds, medians of %d cold visits with the range beside them. While it is scrolled and\n"+
		"filtered, %d more come each second. Frames are counted with requestAnimationFrame.\n\n| | | goal |\n|---|---|---|\n", loggedRequests, len(all), requestsMore)
	for _, line := range []struct {
		what, goal string
		of         func(requestsVisit) float64
	}{
		{"every request present", "", func(v requestsVisit) float64 { return v.All }},
		{"longest block of the main thread until then", "≤ 100", func(v requestsVisit) float64 { return v.Block }},
		{"not scrolled, and nothing new: frame, 95th percentile", "", func(v requestsVisit) float64 { return v.Still.P95 }},
		{"scrolled by 60 pixels a frame: 95th percentile", "≤ 17", func(v requestsVisit) float64 { return v.Slow.P95 }},
		{"— longest", "", func(v requestsVisit) float64 { return v.Slow.Max }},
		{"scrolled by 400 pixels a frame: 95th percentile", "", func(v requestsVisit) float64 { return v.Fast.P95 }},
		{"— longest", "", func(v requestsVisit) float64 { return v.Fast.Max }},
		{"longest block while scrolled", "≤ 50", func(v requestsVisit) float64 { return v.Scrolling }},
		{"ten letters in the filter: until one request is left", "", func(v requestsVisit) float64 { return v.Filtered.Took }},
		{"— longest block", "≤ 50", func(v requestsVisit) float64 { return v.Filtered.Block }},
		{"megabytes (2²⁰) of the program's memory in the end", "", func(v requestsVisit) float64 { return v.Memory / (1 << 20) }},
	} {
		fmt.Fprintf(b, "| %s | %s | %s |\n", line.what, median(all, line.of), line.goal)
	}
}
