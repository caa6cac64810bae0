package pages

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/dev/bench/browser"
	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// checkVisit is what was seen of a check of many documents, in milliseconds.
type checkVisit struct {
	frames
	Took   float64 `json:"took"`   // until all documents were judged
	Load   float64 `json:"load"`   // processor time of the main thread
	Block  float64 `json:"block"`  // the longest task of at least 50 ms; 0: there was none
	Blocks float64 `json:"blocks"` // tasks of at least 50 ms
}

// checkVisits are all of them.
type checkVisits []checkVisit

const (
	checkedDocuments = 500
	checkRounds      = 3
)

// measureCheckPage checks many files on the check page in a real browser.
func measureCheckPage(ctx context.Context, l *lab.Lab) (checkVisits, error) {
	var visits checkVisits
	err := browser.Run(ctx, &visits, "pages/checkpage", l.Fieldmark.Origin, l.Token, "/c/"+lab.ContextName+"/-/check", strconv.Itoa(checkedDocuments), strconv.Itoa(checkRounds))
	return visits, err
}

func (all checkVisits) WriteSection(b *strings.Builder, _ lab.Plan) {
	fmt.Fprintf(b, "%d Deployments with six containers each, as files on the check page in Chromium. None of the objects exists, so each has a dry run.\n"+
		"Milliseconds, but where it says otherwise; medians of %d visits with the range beside them.\n\n| | | goal |\n|---|---|---|\n", checkedDocuments, len(all))
	writeLines(b, all, []line[checkVisit]{
		{"every document judged", "", func(v checkVisit) float64 { return v.Took }},
		{"processor time of the main thread until then", "", func(v checkVisit) float64 { return v.Load }},
		{"longest task of the main thread of 50 or more, if there was one", "≤ 50", func(v checkVisit) float64 { return v.Block }},
		{"tasks of 50 or more", "0", func(v checkVisit) float64 { return v.Blocks }},
		{"frame, 95th percentile", "", func(v checkVisit) float64 { return v.P95 }},
		{"frame, longest", "", func(v checkVisit) float64 { return v.Max }},
	})
}
