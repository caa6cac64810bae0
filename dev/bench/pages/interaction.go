package pages

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/dev/bench/browser"
	"github.com/fieldmark/fieldmark/dev/bench/figures"
	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// interaction is a key or a click, with the milliseconds until the next paint. Chromium doesn't tell of what is faster than
// fastInteraction; then it is 0.
type interaction struct {
	What string  `json:"what"` // the page and the key, with a colon between them
	Took float64 `json:"took"`
}

// interactions are all of them, in their order.
type interactions []interaction

const (
	interactionRounds = 1
	fastInteraction   = 16
	goalOfInteraction = 50
	slowInteractions  = 5 // that the report names
)

// measureInteraction presses the keys of the product in a real browser, and clicks what can be clicked.
func measureInteraction(ctx context.Context, l *lab.Lab) (interactions, error) {
	var all interactions
	err := browser.Run(ctx, &all, "pages/interaction", l.Fieldmark.Origin, l.Token, "/c/"+lab.ContextName, lab.PodsPath, strconv.Itoa(interactionRounds))
	return all, err
}

// page is where an interaction happened.
func (i interaction) page() string {
	page, _, _ := strings.Cut(i.What, ": ")
	return page
}

// times are those of all. What Chromium doesn't tell of counts as fastInteraction.
func (all interactions) times() []float64 {
	var times []float64
	for _, i := range all {
		times = append(times, max(i.Took, fastInteraction))
	}
	return times
}

// pages are the interactions of each page, in the order of their visits.
func (all interactions) pages() []interactions {
	var pages []interactions
	at := map[string]int{}
	for _, i := range all {
		n, known := at[i.page()]
		if !known {
			n = len(pages)
			at[i.page()] = n
			pages = append(pages, nil)
		}
		pages[n] = append(pages[n], i)
	}
	return pages
}

// slowest are the slowest kinds of interactions. Each is there once, with its longest time.
func (all interactions) slowest(n int) interactions {
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b interaction) int { return cmp.Compare(b.Took, a.Took) })
	var slow interactions
	for _, i := range sorted {
		if len(slow) < n && !slices.ContainsFunc(slow, func(s interaction) bool { return s.What == i.What }) {
			slow = append(slow, i)
		}
	}
	return slow
}

// fast is the number of those that Chromium doesn't tell of.
func (all interactions) fast() int {
	n := 0
	for _, i := range all {
		if i.Took < fastInteraction {
			n++
		}
	}
	return n
}

func (all interactions) WriteSection(b *strings.Builder, p lab.Plan) {
	times := all.times()
	fmt.Fprintf(b, "From a key or a click to the next paint, on %d pages of Chromium; milliseconds. The keys are those of each page's help. Of the tabs,\n"+
		"columns, menus and buttons that a page shows, one of each kind is clicked. There are 110 ms between two of them, and the page may still\n"+
		"be busy with the last one. Chromium rounds these times to 8 ms, and doesn't tell of those below %d ms: they count as %d.\n"+
		"The large collection has %d pods. Keys in a shell have a section of their own.\n\n"+
		"| | | goal |\n|---|---|---|\n| keys and clicks | %d | |\n| — below %d ms | %d | |\n| median | %.0f | |\n| 75th percentile | %.0f | |\n| **98th percentile** | **%.0f** | ≤ %d |\n| longest | %.0f | |\n",
		len(all.pages()), fastInteraction, fastInteraction, p.Pods, len(all), fastInteraction, all.fast(),
		figures.Quantile(times, 0.5), figures.Quantile(times, 0.75), figures.Quantile(times, 0.98), goalOfInteraction, figures.Quantile(times, 1))
	b.WriteString("\nThe slowest:\n\n| key or click | time |\n|---|---|\n")
	for _, i := range all.slowest(slowInteractions) {
		fmt.Fprintf(b, "| %s | %.0f |\n", strings.ReplaceAll(i.What, "|", "\\|"), i.Took)
	}
	b.WriteString("\n| page | keys and clicks | median | 98th percentile | the slowest |\n|---|---|---|---|---|\n")
	for _, page := range all.pages() {
		times := page.times()
		slow := page.slowest(1)[0]
		_, what, _ := strings.Cut(slow.What, ": ")
		fmt.Fprintf(b, "| %s | %d | %.0f | %s | %s |\n", slow.page(), len(page), figures.Quantile(times, 0.5), figures.Against(figures.Quantile(times, 0.98), goalOfInteraction), strings.ReplaceAll(what, "|", "\\|"))
	}
}
