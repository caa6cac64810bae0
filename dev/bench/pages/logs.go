package pages

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/dev/bench/browser"
	"github.com/fieldmark/fieldmark/dev/bench/figures"
	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// logTimes are the costs of pages of logs: times in milliseconds, memory in bytes.
type logTimes struct {
	Kubectl  []float64 `json:"kubectl"` // from the start of the program to its first line
	Page     []float64 `json:"page"`    // from the start of the navigation until a frame has its first line
	Followed frames    `json:"followed"`
	Full     frames    `json:"full"` // while the oldest lines are dropped
	Memory   float64   `json:"memory"`
}

const (
	logRounds     = 9
	logRate       = 5000    // lines a second
	logTotal      = 900_000 // lines, which are about 100 MB
	logLineLength = 112
)

// measureLogs opens pages of logs in a real browser.
func measureLogs(ctx context.Context, l *lab.Lab) (logTimes, error) {
	var times logTimes
	err := browser.Run(ctx, &times, "pages/logs", l.Fieldmark.Origin, l.Token, filepath.Join(l.Plan.Bin, "kubectl"), l.Kubeconfig(), lab.ContextName,
		strconv.Itoa(logRounds), strconv.Itoa(logRate), strconv.Itoa(logTotal))
	return times, err
}

func (t logTimes) WriteSection(b *strings.Builder, _ lab.Plan) {
	fmt.Fprintf(b, "The log of a container that writes %d lines a second, in Chromium. The first line: milliseconds, medians of %d visits with the range beside\n"+
		"them. kubectl includes its own start.\n\n| | kubectl logs | page | goal |\n|---|---|---|---|\n| first line | %s | %s | ≤ 100 ms more |\n\n",
		logRate, logRounds, figures.Spread("%.0f", t.Kubectl), figures.Spread("%.0f", t.Page))
	fmt.Fprintf(b, "| frames, in milliseconds | p50 | p95 | max | goal |\n|---|---|---|---|---|\n| while the log is followed | %.1f | %.1f | %.0f | p95 ≤ 17 |\n"+
		"| after %d MB, while lines are dropped | %.1f | %.1f | %.0f | |\n\nMemory of the page's programs after %d MB of logs: **%.0f MB** (goal: ≤ 150 MB).\n",
		t.Followed.P50, t.Followed.P95, t.Followed.Max, logTotal*logLineLength>>20, t.Full.P50, t.Full.P95, t.Full.Max, logTotal*logLineLength>>20, t.Memory/(1<<20))
}
