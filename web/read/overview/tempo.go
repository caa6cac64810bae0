package overview

import (
	"slices"
	"time"

	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/kube/health"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/words"
)

// bar is how many objects a manager wrote last in one part of the last 10 minutes.
type bar struct {
	X, Y, Height int
	Words        string
}

// Measures of the picture of a manager's writes, in pixels.
const (
	barStep   = 9
	barWidth  = 7
	barRoom   = 20
	leastBar  = 3
	tempoWide = barStep * health.Slots
)

// most is the highest number that a bar of these writes stands for.
func most(writes []health.Write) int {
	n := 1
	for _, w := range writes {
		n = max(n, slices.Max(w.When[:]))
	}
	return n
}

// bars are the bars of a manager, the oldest first. The highest of all managers is as high as the room.
func (m Model) bars(w health.Write, most int) (bars []bar) {
	for i, n := range w.When {
		if n == 0 {
			continue
		}
		height := max(leastBar, n*(barRoom-1)/most)
		since := health.Lately - time.Duration(i)*health.Lately/health.Slots
		bars = append(bars, bar{
			X: i * barStep, Y: barRoom - height, Height: height, Words: words.Count(int64(n), "object", "objects") + " " + table.Duration(since) + " ago",
		})
	}
	return bars
}

// tempoText says what the bars of a manager show.
func tempoText(bars []bar) string {
	all := make([]string, len(bars))
	for i, b := range bars {
		all[i] = b.Words
	}
	return owners.And(all)
}
