package main

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
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
	target
	requests  int
	processor float64         // seconds
	times     []time.Duration // of this round
}

const (
	recordingRounds = 12
	recordingSpan   = 2 * time.Second
)

// measureRecording compares Fieldmark with one that keeps no record, at the same time.
func (l *lab) measureRecording(ctx context.Context) (cost recordingCost, err error) {
	cost.rounds, cost.span = recordingRounds, recordingSpan
	var ways [2]recordedWay
	before := len(l.running)
	defer func() {
		for len(l.running) > before {
			l.stopLast()
		}
	}()
	for i, args := range [][]string{{"--no-record"}, nil} {
		if ways[i].target, err = l.startFieldmark(ctx, args...); err != nil {
			return cost, err
		}
	}
	for _, s := range scenes {
		result := recordedScene{scene: s, ways: ways}
		if err := l.weigh(ctx, &result); err != nil {
			return cost, fmt.Errorf("%s: %w", s.name, err)
		}
		cost.scenes = append(cost.scenes, result)
	}
	return cost, nil
}

// weigh measures one kind of request. After a round to warm up, every connection sends requests to both in turn,
// request by request. So other load on the machine affects both equally.
func (l *lab) weigh(ctx context.Context, r *recordedScene) error {
	for round := range recordingRounds + 1 {
		before := [2]float64{cpu(r.ways[0].pid), cpu(r.ways[1].pid)}
		if err := l.inTurn(ctx, r); err != nil {
			return err
		}
		if round > 0 {
			r.ratios = append(r.ratios, middle(r.ways[0].times).Seconds()/middle(r.ways[1].times).Seconds())
		}
		for i := range r.ways {
			w := &r.ways[i]
			if round > 0 {
				w.requests += len(w.times)
				w.processor += cpu(w.pid) - before[i]
			}
			w.times = nil
		}
	}
	return nil
}

// inTurn is one round.
func (l *lab) inTurn(ctx context.Context, r *recordedScene) error {
	var mu sync.Mutex
	var failed error
	var wg sync.WaitGroup
	start := time.Now()
	for connection := range l.plan.connections {
		wg.Go(func() {
			var times [2][]time.Duration
			var err error
			for n := connection; time.Since(start) < recordingSpan && err == nil; n++ {
				var took time.Duration
				took, err = r.ways[n%2].once(ctx, r.scene)
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

// once makes one request.
func (t target) once(ctx context.Context, s scene) (time.Duration, error) {
	begun := time.Now()
	_, _, err := t.sendRequest(ctx, http.MethodGet, t.prefix+s.path, s.accept, nil, false)
	return time.Since(begun), err
}

func (c recordingCost) writeSection(b *strings.Builder, p plan) {
	fmt.Fprintf(b, "A Fieldmark that records every request beside one started with `--no-record`: %d connections ask the one and the other in turn,\n"+
		"request by request, in %d rounds of %.0f s each. Throughput is told as a ratio, by the median time of a request (goal: no more than 3 %% less);\n"+
		"in brackets the quartiles of the rounds. Processor time is that of all of Fieldmark.\n\n"+
		"| request | requests | recorded to not recorded | goal | processor a request, not recorded | recorded |\n|---|---|---|---|---|---|\n",
		p.connections, c.rounds, c.span.Seconds())
	for _, s := range c.scenes {
		fmt.Fprintf(b, "| %s | %d | **%.3f** (%.3f–%.3f) | ≥ 0.97 | %s | %s |\n", s.scene.name, s.ways[0].requests+s.ways[1].requests,
			quantileOf(s.ratios, 0.5), quantileOf(s.ratios, 0.25), quantileOf(s.ratios, 0.75), s.ways[0].each(), s.ways[1].each())
	}
}

// each is the processor time of a request.
func (w recordedWay) each() string {
	if runtime.GOOS != "linux" || w.requests == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f µs", 1e6*w.processor/float64(w.requests))
}

func quantileOf(all []float64, q float64) float64 {
	sorted := slices.Clone(all)
	slices.Sort(sorted)
	return sorted[int(q*float64(len(sorted)-1))]
}
