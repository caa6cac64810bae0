package proxy

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/dev/bench/figures"
	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// pageTimes are medians over many alternating requests.
type pageTimes struct {
	api, page time.Duration // the API server's own answer for the first chunk; the whole page
	extra     time.Duration // median of the differences
	apiBytes  int64
	htmlBytes int64
	requests  int
}

// measurePage compares the collection page of all the pods with the API server's own time for the
// page's first chunk.
func measurePage(ctx context.Context, l *lab.Lab) (pageTimes, error) {
	const times = 60
	p := pageTimes{requests: times}
	var api, page, extra []time.Duration
	for i := range times + 5 {
		a, bytes, err := clock(ctx, l.Bare, l.Bare.Prefix+lab.PodsPath+"?limit=500", lab.AsTable)
		if err != nil {
			return p, err
		}
		h, html, err := clock(ctx, l.Fieldmark, "/c/"+lab.ContextName+lab.PodsPath, "text/html")
		if err != nil {
			return p, err
		}
		if p.apiBytes, p.htmlBytes = bytes, html; i < 5 {
			continue // warming up
		}
		api, page, extra = append(api, a), append(page, h), append(extra, h-a)
	}
	p.api, p.page, p.extra = figures.Middle(api), figures.Middle(page), figures.Middle(extra)
	return p, nil
}

// clock makes one request to a path of the origin. It returns how long the answer took, and its size.
func clock(ctx context.Context, t lab.Target, path, accept string) (time.Duration, int64, error) {
	start := time.Now()
	size, _, err := t.Send(ctx, http.MethodGet, path, nil, false, "Accept", accept)
	return time.Since(start), size, err
}

func (t pageTimes) WriteSection(b *strings.Builder, p lab.Plan) {
	fmt.Fprintf(b, "%d pods, first chunk of 500 rows; medians of %d alternating requests.\n\n"+
		"| | time | bytes |\n|---|---|---|\n| API server's own answer for the first chunk | %.1f ms | %d |\n| the page, HTML complete | %.1f ms | %d |\n"+
		"| **over the API server's own time** (median of the differences; goal ≤ 60 ms) | **%.1f ms** | |\n",
		p.Pods, t.requests, figures.MS(t.api), t.apiBytes, figures.MS(t.page), t.htmlBytes, figures.MS(t.extra))
}
