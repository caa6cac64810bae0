package pages

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/dev/bench/browser"
	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// frames are the times between frames of a browser, in milliseconds.
type frames struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
	Max float64 `json:"max"`
}

// deed is an action on a page: the time until its result was shown, and the longest block of the main thread
// until then, in milliseconds.
type deed struct {
	Took  float64 `json:"took"`
	Block float64 `json:"block"`
}

// largeVisit is a visit of the very large collection.
type largeVisit struct {
	visit
	Still    frames  `json:"still"` // only the changes
	Slow     frames  `json:"slow"`  // scrolled at reading speed
	Fast     frames  `json:"fast"`  // scrolled very fast
	Sorted   deed    `json:"sorted"`
	Filtered deed    `json:"filtered"`
	Grown    float64 `json:"grown"` // the program's memory at the end, in bytes
}

// largeVisits are all of them.
type largeVisits []largeVisit

const (
	largeNamespace = "bench-large"
	largePath      = "/api/v1/namespaces/" + largeNamespace + "/configmaps"
	largeRounds    = 3
	largeChanges   = 50 // a second
)

// measureLarge makes a very large collection, and opens its page in a real browser.
func measureLarge(ctx context.Context, l *lab.Lab) (largeVisits, error) {
	if err := l.MakeMany(ctx, "many", largeNamespace, "ConfigMap", l.Plan.Large); err != nil {
		return nil, err
	}
	var visits largeVisits
	err := browser.Run(ctx, &visits, "pages/large", l.Fieldmark.Origin, l.Token, "/c/"+lab.ContextName+largePath,
		l.Fieldmark.Prefix+largePath, strconv.Itoa(l.Plan.Large), strconv.Itoa(largeRounds), strconv.Itoa(largeChanges))
	return visits, err
}

func (l largeVisits) WriteSection(b *strings.Builder, p lab.Plan) {
	fmt.Fprintf(b, "The page of %d ConfigMaps in Chromium; milliseconds, medians of %d cold visits with the range beside them. Once all is there,\n"+
		"%d of the objects change each second. Frames are told by what requestAnimationFrame says, of 6 s each; at 60 a second they\n"+
		"are 16.7 ms apart. The first line of them is what the machine gives while nothing is scrolled.\n\n| | | goal |\n|---|---|---|\n",
		p.Large, len(l), largeChanges)
	writeLines(b, l, []line[largeVisit]{
		{"a row is in the document, perhaps before its paint", "≤ 250", func(v largeVisit) float64 { return v.Row }},
		{"every row present, and live", "≤ 12,000", func(v largeVisit) float64 { return v.All }},
		{"longest block of the main thread until then", "≤ 100", func(v largeVisit) float64 { return v.Block }},
		{"megabytes (2²⁰) of the program's memory then", "≤ 350", func(v largeVisit) float64 { return v.Memory / (1 << 20) }},
		{"the same, after all of the following", "≤ 350", func(v largeVisit) float64 { return v.Grown / (1 << 20) }},
		{"not scrolled: frame, 95th percentile", "", func(v largeVisit) float64 { return v.Still.P95 }},
		{"scrolled by 60 pixels a frame: median", "", func(v largeVisit) float64 { return v.Slow.P50 }},
		{"— 95th percentile", "≤ 17", func(v largeVisit) float64 { return v.Slow.P95 }},
		{"— longest", "", func(v largeVisit) float64 { return v.Slow.Max }},
		{"scrolled by 400 pixels a frame: median", "", func(v largeVisit) float64 { return v.Fast.P50 }},
		{"— 95th percentile", "", func(v largeVisit) float64 { return v.Fast.P95 }},
		{"— longest", "", func(v largeVisit) float64 { return v.Fast.Max }},
		{"sorted the other way round: until it is shown", "", func(v largeVisit) float64 { return v.Sorted.Took }},
		{"— longest block", "≤ 100", func(v largeVisit) float64 { return v.Sorted.Block }},
		{"a letter in the filter: until it is shown", "", func(v largeVisit) float64 { return v.Filtered.Took }},
		{"— longest block", "≤ 100", func(v largeVisit) float64 { return v.Filtered.Block }},
	})
}
