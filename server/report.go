package main

import (
	"context"
	"log/slog"
	"time"

	"github.com/fieldmark/fieldmark/server/practice"
)

// reporter tells the terminal about the practice cluster, each piece of news once.
type reporter struct {
	log  *slog.Logger
	told map[string]string // by step, the state that was told last
}

func newReporter(log *slog.Logger) *reporter {
	return &reporter{log: log, told: map[string]string{}}
}

// report is called after each change, one call at a time.
func (r *reporter) report(g practice.Progress) {
	for _, s := range g.Steps {
		if r.told[s.Name] == s.State+s.Message {
			continue
		}
		r.told[s.Name] = s.State + s.Message
		level := slog.LevelInfo
		if s.State == practice.Failed {
			level = slog.LevelError
		}
		after := (time.Duration(s.ElapsedMs) * time.Millisecond).Round(100 * time.Millisecond)
		r.log.Log(context.Background(), level, "practice cluster", "step", s.Name, "state", s.State, "after", after.String(), "message", s.Message)
	}
}
