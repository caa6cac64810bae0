package proxy

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/fieldmark/fieldmark/dev/bench/figures"
	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// recordingCost is the cost of recording every request.
type recordingCost struct {
	scenes []recordedScene
	rounds int
	span   time.Duration
}

// recordedScene compares a Fieldmark that keeps a record with one that doesn't.
type recordedScene struct {
	scene scene
	// ratios of throughput, one figure a round.
	ratios []float64
	// without and with the record.
	ways [2]recordedWay
}

// recordedWay is the result of one of both in all rounds.
type recordedWay struct {
	lab.Target
	requests  int
	processor float64         // seconds
	times     []time.Duration // of this round
}

const (
	recordingRounds = 12
	recordingSpan   = 2 * time.Second
)

// measureRecording compares Fieldmark with one that keeps no record, at the same time.
func measureRecording(ctx context.Context, l *lab.Lab) (cost recordingCost, err error) {
	cost.rounds, cost.span = recordingRounds, recordingSpan
	var ways [2]recordedWay
	before := len(l.Running)
	defer func() {
		for len(l.Running) > before {
			l.StopLast()
		}
	}()
	for i, args := range [][]string{{"--no-record"}, nil} {
		if ways[i].Target, err = l.StartFieldmark(ctx, args...); err != nil {
			return cost, err
		}
	}
	for _, s := range scenes {
		result := recordedScene{scene: s, ways: ways}
		if err := weigh(ctx, l, &result); err != nil {
			return cost, fmt.Errorf("%s: %w", s.name, err)
		}
		cost.scenes = append(cost.scenes, result)
	}
	return cost, nil
}

// weigh measures one kind of request. After a round to warm up, every connection sends requests to both in turn,
// request by request. So other load on the machine affects both equally.
func weigh(ctx context.Context, l *lab.Lab, r *recordedScene) error {
	for round := range recordingRounds + 1 {
		before := [2]float64{lab.CPU(r.ways[0].PID), lab.CPU(r.ways[1].PID)}
		if err := inTurn(ctx, l, r); err != nil {
			return err
		}
		if round > 0 {
			r.ratios = append(r.ratios, figures.Middle(r.ways[0].times).Seconds()/figures.Middle(r.ways[1].times).Seconds())
		}
		for i := range r.ways {
			w := &r.ways[i]
			if round > 0 {
				w.requests += len(w.times)
				w.processor += lab.CPU(w.PID) - before[i]
			}
			w.times = nil
		}
	}
	return nil
}

// inTurn is one round.
func inTurn(ctx context.Context, l *lab.Lab, r *recordedScene) error {
	var mu sync.Mutex
	var failed error
	var wg sync.WaitGroup
	start := time.Now()
	for connection := range l.Plan.Connections {
		wg.Go(func() {
			var times [2][]time.Duration
			var err error
			for n := connection; time.Since(start) < recordingSpan && err == nil; n++ {
				var took time.Duration
				t := r.ways[n%2].Target
				took, _, err = clock(ctx, t, t.Prefix+r.scene.path, r.scene.accept)
				times[n%2] = append(times[n%2], took)
			}
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failed = err
			}
			for i := range times {
				r.ways[i].times = append(r.ways[i].times, times[i]...)
			}
		})
	}
	wg.Wait()
	return failed
}

func (c recordingCost) WriteSection(b *strings.Builder, p lab.Plan) {
	fmt.Fprintf(b, "A Fieldmark that records every request beside one started with `--no-record`: %d connections ask the one and the other in turn,\n"+
		"request by request, in %d rounds of %.0f s each. Throughput is told as a ratio, by the median time of a request (goal: no more than 3 %% less);\n"+
		"in brackets the quartiles of the rounds. Processor time is that of all of Fieldmark.\n\n"+
		"| request | requests | recorded to not recorded | goal | processor a request, not recorded | recorded |\n|---|---|---|---|---|---|\n",
		p.Connections, c.rounds, c.span.Seconds())
	for _, s := range c.scenes {
		fmt.Fprintf(b, "| %s | %d | **%.3f** (%.3f–%.3f) | ≥ 0.97 | %s | %s |\n", s.scene.name, s.ways[0].requests+s.ways[1].requests,
			figures.Quantile(s.ratios, 0.5), figures.Quantile(s.ratios, 0.25), figures.Quantile(s.ratios, 0.75), s.ways[0].each(), s.ways[1].each())
	}
}

// each is the processor time of a request.
func (w recordedWay) each() string {
	if runtime.GOOS != "linux" || w.requests == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f µs", 1e6*w.processor/float64(w.requests))
}
