package fleet

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fieldmark/fieldmark/dev/bench/figures"
	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// spreads are what one replica and two replicas serve, round by round.
type spreads struct {
	rounds []spreadRound
	asked  float64 // requests at the API server in the whole measurement, for so many pages
	pages  int
}

// spreadRound is one round.
type spreadRound struct{ one, two served }

// served is how much was served in a time.
type served struct {
	requests  int
	seconds   float64
	processor []float64 // of each replica that served, in seconds
	generator float64   // processor time of this program, with the proxy
}

func (s served) perSecond() float64 { return float64(s.requests) / s.seconds }

// used is the part of a core that each replica had, on average.
func (s served) used() float64 {
	sum := 0.0
	for _, one := range s.processor {
		sum += one
	}
	return sum / s.seconds / float64(len(s.processor))
}

const (
	// spreadPage needs no API server.
	spreadPage = "/learn"
	// allowance is the part of a core that a replica gets. The machine must have more than two of them, and what the proxy and this program take.
	allowance = 0.25
	// spreadPeople are the people who request pages at the same time.
	spreadPeople = 16
)

// measureSpread compares two replicas with one. Each replica gets the same small part of a core, because two replicas, the proxy and this program share
// the cores of one machine: without that, the machine would be measured, and not the replicas.
func measureSpread(ctx context.Context, l *lab.Lab) (*spreads, error) {
	company, err := hire(ctx, l, "spread", spreadPeople)
	if err != nil {
		return nil, err
	}
	f, err := openFleet(ctx, l, 2)
	if err != nil {
		return nil, err
	}
	defer f.close()
	both := slices.Clone(f.robin.replicas)
	if err := f.warm(ctx, company.people, both); err != nil {
		return nil, err
	}
	before, err := readCounts(ctx, l)
	if err != nil {
		return nil, err
	}
	s := &spreads{}
	for range l.Plan.Rounds {
		var r spreadRound
		if r.one, err = f.serve(ctx, company.people, both[:1]); err != nil {
			return nil, err
		}
		if r.two, err = f.serve(ctx, company.people, both); err != nil {
			return nil, err
		}
		s.rounds = append(s.rounds, r)
		s.pages += r.one.requests + r.two.requests
	}
	after, err := readCounts(ctx, l)
	s.asked = after.requests - before.requests
	return s, err
}

// warm signs people in, and opens the page at each replica.
func (f *fleet) warm(ctx context.Context, people []*person, replicas []string) error {
	if err := lab.Each(ctx, people, f.signIn); err != nil {
		return err
	}
	for _, address := range replicas {
		f.robin.set(address)
		if err := lab.Each(ctx, people, func(ctx context.Context, p *person) error { return f.openPage(ctx, p, spreadPage) }); err != nil {
			return err
		}
	}
	return nil
}

// serve lets people request pages from some of the replicas, each the next page when the last one has arrived.
func (f *fleet) serve(ctx context.Context, people []*person, addresses []string) (served, error) {
	f.robin.set(addresses...)
	ctx, cancel := context.WithTimeout(ctx, max(2*f.lab.Plan.Span, 5*time.Second))
	defer cancel()
	serving := slices.DeleteFunc(slices.Clone(f.replicas), func(r *lab.Shared) bool { return !slices.Contains(addresses, r.Address) })
	var limiting, asking sync.WaitGroup
	for _, r := range serving {
		limiting.Go(func() { ration(ctx, r.PID()) })
	}
	s, t, begun, before := served{}, &tally{}, time.Now(), f.cpus()
	for _, p := range people {
		asking.Go(func() {
			for ctx.Err() == nil {
				began := time.Now()
				if err := f.openPage(ctx, p, spreadPage); ctx.Err() == nil {
					t.addCall(began, err)
				}
			}
		})
	}
	<-ctx.Done()
	s.seconds, s.requests = time.Since(begun).Seconds(), len(t.times)
	for i, now := range f.cpus() {
		if spent := now - before[i]; i < len(f.replicas) && slices.Contains(serving, f.replicas[i]) {
			s.processor = append(s.processor, spent)
		} else if i > len(f.replicas) {
			s.generator = spent
		}
	}
	asking.Wait()
	limiting.Wait()
	return s, t.first
}

// ration halts a process whenever it has had more than its allowance, until ctx ends. What the process doesn't use is lost.
func ration(ctx context.Context, pid int) {
	const look, saved = 2 * time.Millisecond, 0.02
	defer func() { _ = lab.Resume(pid) }()
	left, last, used := saved, time.Now(), lab.CPU(pid)
	for lab.Pause(ctx, look) == nil {
		now, spent := time.Now(), lab.CPU(pid)
		left = min(left+allowance*now.Sub(last).Seconds(), saved) - (spent - used)
		last, used = now, spent
		if left < 0 {
			_ = lab.Halt(pid)
		} else {
			_ = lab.Resume(pid)
		}
	}
}

func (s *spreads) WriteSection(b *strings.Builder, p lab.Plan) {
	var ratios, costs []float64
	fmt.Fprintf(b, "%d people, each signed in with a token of its own, request the field guide's map, one page after the other and each over a new connection. No page waits\n"+
		"for the API server: it completed %.3f requests a page. Two replicas, the proxy and the program that measures share the machine, so each replica gets\n"+
		"%.0f %% of a core: it is halted whenever it has had more. This shows that two replicas don't wait for each other. It doesn't show what a whole core\n"+
		"serves, nor a network. Where a replica used less than it was allowed, other programs had the machine. %d rounds.\n\n"+
		"| round | one replica | two replicas | ratio | a replica used | processor a page, one | two | this program and the proxy |\n|---|---|---|---|---|---|---|---|\n",
		spreadPeople, s.asked/float64(s.pages), 100*allowance, p.Rounds)
	for i, r := range s.rounds {
		one, two := r.one.used()/r.one.perSecond(), 2*r.two.used()/r.two.perSecond()
		ratios, costs = append(ratios, r.two.perSecond()/r.one.perSecond()), append(costs, two/one)
		fmt.Fprintf(b, "| %d | %.0f pages/s | %.0f pages/s | %.2f | %.0f %%, %.0f %% of a core | %.2f ms | %.2f ms | %.0f %% |\n", i+1, r.one.perSecond(), r.two.perSecond(),
			ratios[i], 100*r.one.used(), 100*r.two.used(), 1e3*one, 1e3*two, 100*r.two.generator/r.two.seconds)
	}
	fmt.Fprintf(b, "\nTwo replicas serve **%.2f** times the pages of one (median; %.2f–%.2f; goal ≥ 1.8). A page costs %.2f times the processor time.\n",
		figures.Middle(ratios), slices.Min(ratios), slices.Max(ratios), figures.Middle(costs))
}
