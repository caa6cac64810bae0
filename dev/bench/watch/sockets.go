package watch

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/fieldmark/fieldmark/dev/bench/lab"
	"github.com/fieldmark/fieldmark/dev/bench/socket"
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
	cost     lab.Weight
	sessions int
}

// poses differ in one thing at a time, so that the differences are the costs of a socket, a subscription, a feed and a record.
func poses(sockets int) []pose {
	return []pose{
		{name: "pages without subscriptions, a session each", sockets: sockets, share: 1},
		{name: "pages of a session each", sockets: sockets / 10, share: 1, each: len(socket.Quiet)},
		{name: "pages of a session each", sockets: sockets, share: 1, each: len(socket.Quiet)},
		{name: "the same, without a record of requests", sockets: sockets, share: 1, each: len(socket.Quiet), args: []string{"--no-record"}},
		{name: "pages, 16 of each session", sockets: sockets / socket.Shared * socket.Shared, share: socket.Shared, each: len(socket.Quiet)},
	}
}

// measureSockets weighs Fieldmark in each pose.
func measureSockets(ctx context.Context, l *lab.Lab) (socketCosts, error) {
	var all socketCosts
	unused := map[bool]lab.Weight{}
	for _, p := range poses(l.Plan.Sessions) {
		lab.Say(fmt.Sprintf("%d %s, %d subscriptions each", p.sockets, p.name, p.each))
		if err := weighPose(ctx, l, &p, unused); err != nil {
			return nil, fmt.Errorf("%d %s: %w", p.sockets, p.name, err)
		}
		lab.Say(fmt.Sprintf("%.1f kB of heap a page, %.1f goroutines", p.of(p.cost.Heap)/1000, p.of(p.cost.Goroutines)))
		all = append(all, p)
	}
	return all, nil
}

// weighPose weighs a new Fieldmark with the open pages of a pose. unused are the weights of those without pages, with a record and
// without.
func weighPose(ctx context.Context, l *lab.Lab, p *pose, unused map[bool]lab.Weight) (err error) {
	fieldmark, err := l.StartFieldmark(ctx, p.args...)
	if err != nil {
		return err
	}
	defer l.StopLast()
	before, known := unused[p.args == nil]
	if !known {
		if before, err = lab.Weigh(ctx, fieldmark, fieldmark.PID); err != nil {
			return err
		}
		unused[p.args == nil] = before
	}
	p.sessions = p.sockets / p.share
	open, err := socket.OpenQuiet(ctx, fieldmark, p.sessions, p.share, p.each, func(int) url.Values { return url.Values{"token": {l.Token}} })
	defer func() { open.Close() }()
	if err != nil {
		return err
	}
	after, err := lab.Weigh(ctx, fieldmark, fieldmark.PID)
	p.cost = after.Less(before)
	return err
}

// of is a socket's part of a cost.
func (p pose) of(cost float64) float64 { return cost / float64(p.sockets) }

func (all socketCosts) WriteSection(b *strings.Builder, _ lab.Plan) {
	fmt.Fprintf(b, "What open pages cost Fieldmark while nothing changes, after %d garbage collections. The pages follow %d collections of the practice\n"+
		"cluster's shop. Pages of the same session share a watch for each collection (a feed). Each line is a Fieldmark that was started for it.\n\n"+
		"| pages | of sessions | subscriptions each | heap a page | stacks a page | resident a page | goroutines a page |\n|---|---|---|---|---|---|---|\n",
		lab.Collections, len(socket.Quiet))
	for _, p := range all {
		fmt.Fprintf(b, "| %d %s | %d | %d | **%.1f kB** | %.1f kB | %.0f kB | %.1f |\n", p.sockets, p.name, p.sessions, p.each,
			p.of(p.cost.Heap)/1000, p.of(p.cost.Stacks)/1000, p.of(p.cost.Resident)/1000, p.of(p.cost.Goroutines))
	}
	b.WriteString("\n")
	all.derive(b)
}

// derive writes what the differences say about single parts.
func (all socketCosts) derive(b *strings.Builder) {
	empty, alone, silent, together := all[0], all[2], all[3], all[4]
	heap := func(p pose) float64 { return p.of(p.cost.Heap + p.cost.Stacks) }
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
