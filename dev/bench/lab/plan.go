package lab

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"
)

// Plan has the settings of a run.
type Plan struct {
	Bin         string // folder of the programs
	Report      string
	Write       bool   // whether to record ratios instead of comparing them
	Parts       string // names with commas between them; empty for all
	Rounds      int
	Span        time.Duration // of one measurement within a round
	Connections int
	Pods        int
	Events      int // a second, while pages follow
	Sessions    int // idle sessions
	Large       int // objects in the very large collection

	People        int           // in the shared mode, under load
	Sample        int           // people with whom single costs are measured
	Subscriptions int           // of each of their pages
	Share         bool          // whether people under load share watches
	Think         time.Duration // between two pages of a person, on average
	Changes       float64       // of objects that people follow, a second
	Hold          time.Duration // length of one reading
}

// Say tells somebody who waits what happens now.
func Say(words string) { fmt.Fprintln(os.Stderr, "bench:", words) }

// Findings are the results of a part. They write the text of its section.
type Findings interface {
	WriteSection(b *strings.Builder, p Plan)
}

// Measurement measures a part. Parts that need no programs get no lab.
type Measurement func(context.Context, *Lab) (Findings, error)

// Of makes a measurement of a function with its own type of findings.
func Of[F Findings](measure func(context.Context, *Lab) (F, error)) Measurement {
	return func(ctx context.Context, l *Lab) (Findings, error) { return measure(ctx, l) }
}

// InTurn measures several ways in each of some rounds. Each round begins with another way, so no way has a better position in all rounds.
func InTurn(rounds, ways int, measure func(way int) error) error {
	for round := range rounds {
		for i := range ways {
			if err := measure((round + i) % ways); err != nil {
				return err
			}
		}
	}
	return nil
}
