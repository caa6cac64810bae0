package people

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fieldmark/fieldmark/dev/bench/figures"
	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// floods are what one person does to a shared Fieldmark, beside what others feel of it.
type floods []flooding

// flooding is one kind of flood.
type flooding struct {
	name string
	// attempt is one act of the flood. It returns the status code.
	attempt func(*visitor, context.Context) (int, error)
	// quiet and flooded are how long requests of the others took, in rounds that alternate.
	quiet, flooded []time.Duration
	// accepted and refused count the acts of the flood. Refused are those with 429.
	accepted, refused int64
}

const (
	// floodRate is how many acts of a flood begin in a second: ten times what a person may do on average. More would measure this machine, on which
	// the flood runs, too.
	floodRate = 500
	// otherPause is how long one of the others waits before each request at least: nobody reaches a limit.
	otherPause = 25 * time.Millisecond
	// heldOpen is how many responses a slow reader has open and doesn't read.
	heldOpen = 64
)

func allFloods() floods {
	held := make(chan io.Closer, heldOpen)
	return floods{
		{name: "requests", attempt: (*visitor).small},
		{name: "large lists", attempt: (*visitor).large},
		{name: "slow readers of large lists", attempt: func(p *visitor, ctx context.Context) (int, error) { return p.holds(ctx, held) }},
		{name: "writes", attempt: (*visitor).writes},
		{name: "sockets", attempt: (*visitor).connects},
	}
}

// measureFlood lets one person do much more than one person may, and measures what others wait for.
func measureFlood(ctx context.Context, l *lab.Lab) (floods, error) {
	place, err := openFlooded(ctx, l)
	if err != nil {
		return nil, err
	}
	defer place.close()
	all := allFloods()
	for i := range all {
		lab.Say("a flood of " + all[i].name)
		if err := place.measure(ctx, &all[i], l.Plan); err != nil {
			return nil, fmt.Errorf("a flood of %s: %w", all[i].name, err)
		}
		lab.Say(fmt.Sprintf("p99 %s, and %s without it", within(all[i].flooded, 0.99), within(all[i].quiet, 0.99)))
	}
	return all, nil
}

// measure alternates rounds without and with the flood.
func (f *flooded) measure(ctx context.Context, k *flooding, p lab.Plan) error {
	for round := range p.Rounds {
		times, err := f.others(ctx, p)
		if err != nil {
			return err
		}
		k.quiet = append(k.quiet, times...)
		flood, err := f.visitor(ctx, fmt.Sprintf("flood-%s-%d", strings.ReplaceAll(k.name, " ", "-"), round))
		if err != nil {
			return err
		}
		stop := flood.floods(ctx, k)
		times, err = f.others(ctx, p)
		if stop(); err != nil {
			return err
		}
		k.flooded = append(k.flooded, times...)
	}
	return nil
}

// others lets some people request a little again and again, and returns how long each request took.
func (f *flooded) others(ctx context.Context, p lab.Plan) ([]time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, p.Span)
	defer cancel()
	var mu sync.Mutex
	var times []time.Duration
	var trouble error
	var all sync.WaitGroup
	for i := range p.Connections {
		one, err := f.visitor(ctx, fmt.Sprint("other-", i))
		if err != nil {
			return nil, err
		}
		all.Go(func() {
			mine, err := one.repeats(ctx)
			mu.Lock()
			defer mu.Unlock()
			times = append(times, mine...)
			if err != nil {
				trouble = err
			}
		})
	}
	all.Wait()
	return times, trouble
}

// repeats sends requests until ctx ends, each some time after the one before.
func (p *visitor) repeats(ctx context.Context) (times []time.Duration, err error) {
	pauses := time.NewTicker(otherPause)
	defer pauses.Stop()
	for {
		select {
		case <-ctx.Done():
			return times, nil
		case <-pauses.C:
		}
		begun := time.Now()
		code, err := p.small(ctx)
		took := time.Since(begun)
		if err == nil && code != http.StatusOK {
			err = fmt.Errorf("%s gets the status code %d", p.name, code)
		}
		if err == nil {
			times = append(times, took)
		} else if ctx.Err() == nil {
			return times, err
		}
	}
}

// floods begins the acts of a flood at its rate. stop ends them.
func (p *visitor) floods(ctx context.Context, k *flooding) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	begins := time.NewTicker(time.Second / floodRate)
	all.Go(func() {
		defer begins.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-begins.C:
			}
			all.Go(func() {
				switch code, err := k.attempt(p, ctx); {
				case err != nil:
				case code == http.StatusTooManyRequests:
					atomic.AddInt64(&k.refused, 1)
				default:
					atomic.AddInt64(&k.accepted, 1)
				}
			})
		}
	})
	return func() {
		cancel()
		all.Wait()
	}
}

// within is the time within which this part of all were done.
func within(times []time.Duration, part float64) time.Duration {
	return figures.Quantile(times, part).Round(10 * time.Microsecond)
}

func (f floods) WriteSection(b *strings.Builder, p lab.Plan) {
	fmt.Fprintf(b, "One person does %d things a second, ten times the average that one person may do. %d other people request a small list again and again, "+
		"%d rounds of %s without and with the flood. The API server of this part responds at once, and everything runs on this machine. "+
		"A flood also takes time of its processors, so this is more than others would feel elsewhere.\n\n", floodRate, p.Connections, p.Rounds, p.Span)
	b.WriteString("| a flood of | its acts accepted | refused (429) | p50 of the others | p99 without | p99 with | ratio |\n|---|--:|--:|--:|--:|--:|--:|\n")
	for _, k := range f {
		quiet, flooded := within(k.quiet, 0.99), within(k.flooded, 0.99)
		fmt.Fprintf(b, "| %s | %d | %d | %s | %s | %s | %.2f |\n", k.name, k.accepted, k.refused, within(k.flooded, 0.5), quiet, flooded,
			float64(flooded)/float64(max(quiet, 1)))
	}
}
