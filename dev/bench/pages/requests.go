package pages

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/dev/bench/browser"
	"github.com/fieldmark/fieldmark/dev/bench/lab"
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
func measureRequests(ctx context.Context, l *lab.Lab) (requestsVisits, error) {
	var visits requestsVisits
	err := browser.Run(ctx, &visits, "pages/requests", l.Fieldmark.Origin, l.Token, "/c/"+lab.ContextName+"/-/requests",
		l.Fieldmark.Prefix+"/api/v1/namespaces/shop", strconv.Itoa(loggedRequests), strconv.Itoa(requestsRounds), strconv.Itoa(requestsMore))
	return visits, err
}

func (all requestsVisits) WriteSection(b *strings.Builder, _ lab.Plan) {
	fmt.Fprintf(b, "The record of %d requests in Chromium; milliseconds, medians of %d cold visits with the range beside them. While it is scrolled and\n"+
		"filtered, %d more come each second. Frames are counted with requestAnimationFrame.\n\n| | | goal |\n|---|---|---|\n", loggedRequests, len(all), requestsMore)
	writeLines(b, all, []line[requestsVisit]{
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
	})
}
