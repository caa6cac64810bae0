package start

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/dev/bench/figures"
	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// The parts of this family.
var (
	Starts    = lab.Of(measureStarts)
	FirstPage = lab.Of(measureFirstPage)
)

// startTimes are the times of all starts.
type startTimes []time.Duration

// measureStarts measures the time from starting fieldmark without a practice cluster to its ready line.
func measureStarts(ctx context.Context, l *lab.Lab) (startTimes, error) {
	var times startTimes
	for range l.Plan.Rounds {
		start := time.Now()
		if _, err := l.StartFieldmark(ctx); err != nil {
			return nil, fmt.Errorf("starting fieldmark: %w", err)
		}
		times = append(times, time.Since(start))
		l.StopLast()
	}
	return times, nil
}

func (all startTimes) WriteSection(b *strings.Builder, _ lab.Plan) {
	fmt.Fprintf(b, "`bin/fieldmark --practice off`, from its start to the line that says it is ready: **%.0f ms** (median of %d; goal ≤ 500 ms).\n",
		figures.MS(figures.Middle(all)), len(all))
}
