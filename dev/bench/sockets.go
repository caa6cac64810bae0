package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// socketCosts are what open pages cost Fieldmark while nothing changes.
type socketCosts []pose

// pose is a number of open pages, and what Fieldmark needs for them.
type pose struct {
	name     string
	sockets  int
	share    int      // sockets of one session, whose subscriptions share feeds
	each     int      // subscriptions of a socket
	args     []string // of Fieldmark
	cost     weight
	sessions int
}

// weight is what a process needs.
type weight struct {
	heap       float64 // bytes in use after a garbage collection
	stacks     float64 // bytes
	resident   float64 // bytes
	goroutines float64
}

// shared is how many pages of one session Fieldmark accepts.
const shared = 16

// poses differ in one thing at a time, so that the differences are the costs of a socket, a subscription, a feed and a record.
func poses(sockets int) []pose {
	return []pose{
		{name: "pages without subscriptions, a session each", sockets: sockets, share: 1},
		{name: "pages of a session each", sockets: sockets / 10, share: 1, each: len(quiet)},
		{name: "pages of a session each", sockets: sockets, share: 1, each: len(quiet)},
		{name: "the same, without a record of requests", sockets: sockets, share: 1, each: len(quiet), args: []string{"--no-record"}},
		{name: "pages, 16 of each session", sockets: sockets / shared * shared, share: shared, each: len(quiet)},
	}
}

// measureSockets weighs Fieldmark in each pose.
func (l *lab) measureSockets(ctx context.Context) (socketCosts, error) {
	var all socketCosts
	unused := map[bool]weight{}
	for _, p := range poses(l.plan.sessions) {
		say(fmt.Sprintf("%d %s, %d subscriptions each", p.sockets, p.name, p.each))
		if err := l.weighPose(ctx, &p, unused); err != nil {
			return nil, fmt.Errorf("%d %s: %w", p.sockets, p.name, err)
		}
		say(fmt.Sprintf("%.1f kB of heap a page, %.1f goroutines", p.of(p.cost.heap)/1000, p.of(p.cost.goroutines)))
		all = append(all, p)
	}
	return all, nil
}

// weighPose weighs a new Fieldmark with the open pages of a pose. unused are the weights of those without pages, with a record and
// without.
func (l *lab) weighPose(ctx context.Context, p *pose, unused map[bool]weight) (err error) {
	busy := l.fieldmark
	defer func() { l.fieldmark = busy }()
	if l.fieldmark, err = l.startFieldmark(ctx, p.args...); err != nil {
		return err
	}
	defer l.stopLast()
	pid := l.pidOfLast()
	before, known := unused[p.args == nil]
	if !known {
		if before, err = l.weightOf(ctx, pid); err != nil {
			return err
		}
		unused[p.args == nil] = before
	}
	open, err := l.openQuiet(ctx, p)
	defer func() { open.close() }()
	if err != nil {
		return err
	}
	after, err := l.weightOf(ctx, pid)
	p.cost = weight{after.heap - before.heap, after.stacks - before.stacks, after.resident - before.resident, after.goroutines - before.goroutines}
	return err
}

// openQuiet opens the sockets of a pose, and waits until each has everything that it follows.
func (l *lab) openQuiet(ctx context.Context, p *pose) (open sockets, err error) {
	cookie := ""
	for i := range p.sockets {
		if i%p.share == 0 {
			p.sessions++
			if cookie, err = l.signIn(ctx); err != nil {
				return open, err
			}
		}
		s, err := l.dial(ctx, cookie)
		if err != nil {
			return open, err
		}
		open = append(open, s)
		if err := s.followQuiet(p.each); err != nil {
			return open, err
		}
		go s.receive(&arrivals{at: map[string]time.Time{}})
	}
	return open, nil
}

// followQuiet subscribes to so many collections that don't change.
func (s *socket) followQuiet(n int) error {
	for i, path := range quiet[:n] {
		if err := s.subscribe(i+1, path); err != nil {
			return err
		}
	}
	return s.synced(n)
}

// collections is how many garbage collections must pass before a process is weighed. By then, what was only needed to open the pages is
// free. If nothing happens, Fieldmark collects garbage every 30 seconds.
const collections = 3

// weightOf weighs the process of Fieldmark in local mode.
func (l *lab) weightOf(ctx context.Context, pid int) (weight, error) {
	return l.weightAt(ctx, l.fieldmark, pid)
}

// weightAt waits for these collections, and weighs a process directly after the last. monitor has the metrics of the process.
func (l *lab) weightAt(ctx context.Context, monitor target, pid int) (weight, error) {
	const every = 200 * time.Millisecond
	first := -1.0
	for {
		m, err := monitor.metrics(ctx)
		if err != nil {
			return weight{}, err
		}
		if first < 0 {
			first = m["go_gc_duration_seconds_count"]
		}
		if m["go_gc_duration_seconds_count"] >= first+collections {
			return weight{
				heap: m["go_memstats_heap_alloc_bytes"], stacks: m["go_memstats_stack_inuse_bytes"], resident: float64(resident(pid)), goroutines: m["go_goroutines"],
			}, nil
		}
		select {
		case <-ctx.Done():
			return weight{}, ctx.Err()
		case <-time.After(every):
		}
	}
}

// metrics are those of Fieldmark that have no labels.
func (t target) metrics(ctx context.Context) (map[string]float64, error) {
	_, text, err := t.sendRequest(ctx, http.MethodGet, "/metrics", "", nil, true)
	if err != nil {
		return nil, err
	}
	return withoutLabels(text), nil
}

// withoutLabels reads the metrics of a text that have no labels.
func withoutLabels(text []byte) map[string]float64 {
	values := map[string]float64{}
	for line := range bytes.Lines(text) {
		name, number, ok := strings.Cut(strings.TrimSpace(string(line)), " ")
		if value, err := strconv.ParseFloat(number, 64); ok && err == nil {
			values[name] = value
		}
	}
	return values
}

// of is a socket's part of a cost.
func (p pose) of(cost float64) float64 { return cost / float64(p.sockets) }

func (all socketCosts) writeSection(b *strings.Builder, _ plan) {
	fmt.Fprintf(b, "What open pages cost Fieldmark while nothing changes, after %d garbage collections. The pages follow %d collections of the practice\n"+
		"cluster's shop. Pages of the same session share a watch for each collection (a feed). Each line is a Fieldmark that was started for it.\n\n"+
		"| pages | of sessions | subscriptions each | heap a page | stacks a page | resident a page | goroutines a page |\n|---|---|---|---|---|---|---|\n",
		collections, len(quiet))
	for _, p := range all {
		fmt.Fprintf(b, "| %d %s | %d | %d | **%.1f kB** | %.1f kB | %.0f kB | %.1f |\n", p.sockets, p.name, p.sessions, p.each,
			p.of(p.cost.heap)/1000, p.of(p.cost.stacks)/1000, p.of(p.cost.resident)/1000, p.of(p.cost.goroutines))
	}
	b.WriteString("\n")
	all.derive(b)
}

// derive writes what the differences say about single parts.
func (all socketCosts) derive(b *strings.Builder) {
	empty, alone, silent, together := all[0], all[2], all[3], all[4]
	heap := func(p pose) float64 { return p.of(p.cost.heap + p.cost.stacks) }
	subscriptions := float64(alone.each)
	perSubscription := (heap(alone) - heap(empty)) / subscriptions
	// A shared page has the same subscriptions, and a part of the feeds.
	perFeed := (heap(alone) - heap(together)) / (subscriptions * (1 - 1/float64(together.share)))
	fmt.Fprintf(b, "Heap and stacks: a page without subscriptions needs **%.1f kB**. A subscription with a feed of its own needs **%.1f kB**: %.1f kB for the feed and\n"+
		"its watch, and %.1f kB for the subscription itself. The record of requests is %.1f kB of that. A page whose feeds other pages of the session\n"+
		"have already needs **%.1f kB** in all.\n",
		heap(empty)/1000, perSubscription/1000, perFeed/1000, (perSubscription-perFeed)/1000, (heap(alone)-heap(silent))/subscriptions/1000,
		(heap(empty)+(perSubscription-perFeed)*subscriptions)/1000)
}
