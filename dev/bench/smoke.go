package main

import (
	"context"
	"fmt"
	"time"

	"github.com/fieldmark/fieldmark/dev/bench/smoke"
)

// smokePart is the name of the part that has no section in the report.
const smokePart = "smoke"

// smoke tells whether something became much slower, or records how fast everything is.
func (b *bencher) smoke(ctx context.Context) error {
	begun := time.Now()
	b.plan.Pods, b.plan.Connections = smoke.Pods, 1
	if err := b.prepare(ctx, pods); err != nil {
		return err
	}
	measure := smoke.Check
	if b.plan.Write {
		measure = smoke.Write
	}
	err := measure(ctx, b.lab)
	say(smokePart, begun)
	if err != nil {
		return fmt.Errorf("%s: %w", smokePart, err)
	}
	return nil
}
