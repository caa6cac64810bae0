package fleet

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/fieldmark/fieldmark/dev/bench/lab"
	"github.com/fieldmark/fieldmark/dev/bench/scale"
)

// loadTimes are what many people at two replicas needed, beside what the model says.
type loadTimes struct {
	people, subscriptions int
	design                scale.Design
	think                 time.Duration
	changes               float64       // asked, a second
	waited                time.Duration // length of the measurement

	unused     float64 // watches of the API server's own
	ramp       reading
	steady     reading
	signIns    *tally // until a person's socket was current
	pages      *tally
	late       *tally // how late pages were requested, which says how busy the machine was
	writes     *tally
	delays     []time.Duration
	missing    int // changes that didn't arrive, and no later one of the same object either
	superseded int // changes that didn't arrive because a later one of the same object did
	broken     int // sockets that ended
	troubles   int // how often subscriptions weren't current
	firstError error
	predicted  scale.Need
	costs      scale.Costs
}

// loadReplicas is the number of replicas under load.
const loadReplicas = 2

// peoplePerSecond is how fast people arrive, and steadyFor how long is measured then.
const (
	peoplePerSecond = 20
	steadyFor       = 3 * time.Minute
)

// measureLoad lets many people sign in, opens their sockets, and then lets them open pages while what they follow changes. Pages and changes happen at
// random moments that don't depend on how fast earlier ones were.
func measureLoad(ctx context.Context, l *lab.Lab) (*loadTimes, error) {
	t := &loadTimes{people: l.Plan.People, subscriptions: l.Plan.Subscriptions, think: l.Plan.Think, changes: l.Plan.Changes, waited: steadyFor, signIns: &tally{}, pages: &tally{}, late: &tally{}}
	if t.design = scale.Tabs; l.Plan.Share {
		t.design = scale.Verified
	}
	if err := lab.MoreFiles(filesEach*t.people + 1000); err != nil {
		return nil, err
	}
	var err error
	if t.costs, err = scale.Measured(); err != nil {
		return nil, err
	}
	company, err := hire(ctx, l, "load", t.people)
	if err != nil {
		return nil, err
	}
	f, err := openFleet(ctx, l, loadReplicas, t.arguments()...)
	if err != nil {
		return nil, err
	}
	defer f.close()
	idle, err := readCounts(ctx, l)
	if err != nil {
		return nil, err
	}
	t.unused = idle.watches
	lab.Say(fmt.Sprintf("%d people arrive", t.people))
	var tabs tabsOf
	defer func() { closeAll(tabs.all) }()
	if t.ramp, err = f.during(ctx, func(ctx context.Context) error { return t.arrive(ctx, f, company, &tabs) }); err != nil {
		return nil, err
	}
	if err := lab.Pause(ctx, l.Plan.Hold); err != nil { // until what was only needed to arrive is free
		return nil, err
	}
	lab.Say("they read")
	if err := t.measureSteady(ctx, f, company, tabs.all); err != nil {
		return nil, err
	}
	t.predicted = scale.Predict(t.costs, t.load())
	return t, nil
}

// arguments are more arguments of the replicas.
func (t *loadTimes) arguments() []string {
	if t.design == scale.Verified {
		return []string{"--" + lab.ShareFlag}
	}
	return nil
}

// load is the load, as the model knows it.
func (t *loadTimes) load() scale.Load {
	pages := 1 / t.think.Seconds()
	return scale.Load{
		People: float64(t.people), Clusters: 1, Tabs: 1, Subscriptions: float64(t.subscriptions), Followers: teamSize, Replicas: loadReplicas, Design: t.design,
		Pages: pages, Events: t.changes * teamSize / float64(t.people), Writes: t.changes,
		Visits: visitsAtFirst + pages*t.waited.Seconds()/2,
	}
}

// visitsAtFirst are the requests with which a person arrives: to sign in, a page, and a socket. While they read, each replica has seen half of the later
// ones on average.
const visitsAtFirst = 3

// arrive lets people sign in, one after the other, without waiting for earlier ones. Each opens a page, and its socket.
func (t *loadTimes) arrive(ctx context.Context, f *fleet, c *company, tabs *tabsOf) error {
	var running sync.WaitGroup
	for i, p := range c.people {
		due := time.Now().Add(time.Second / peoplePerSecond)
		running.Go(func() {
			began := time.Now()
			t.signIns.addCall(began, t.enter(ctx, f, p, tabs))
		})
		if err := lab.Pause(ctx, time.Until(due)); err != nil {
			return err
		}
		if i%500 == 499 {
			lab.Say(fmt.Sprintf("%d people have arrived", i+1))
		}
	}
	running.Wait()
	if len(t.signIns.times) == 0 {
		return t.signIns.first
	}
	return nil
}

// enter signs a person in, and opens a page with its socket.
func (t *loadTimes) enter(ctx context.Context, f *fleet, p *person, tabs *tabsOf) error {
	if err := f.signIn(ctx, p); err != nil {
		return err
	}
	if err := f.openPage(ctx, p, p.page()); err != nil {
		return err
	}
	return tabs.openTab(ctx, f, p, t.subscriptions)
}

// measureSteady lets people open pages, and changes what they follow.
func (t *loadTimes) measureSteady(ctx context.Context, f *fleet, c *company, followers []*follower) error {
	var made *changes
	var err error
	t.steady, err = f.during(ctx, func(ctx context.Context) error {
		var beside sync.WaitGroup
		beside.Go(func() { made, t.writes = c.change(ctx, f.lab, t.changes, t.waited) })
		arrive(ctx, float64(t.people)/t.think.Seconds(), t.waited, func(ctx context.Context, i int, due time.Time) {
			p := followers[(i*7919)%len(followers)].person // in an order in which neighbors aren't of one team
			t.late.addCall(due, nil)
			t.pages.addCall(due, f.openPage(ctx, p, p.page()))
		})
		beside.Wait()
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	arrived := awaitDeliveries(ctx, func() delivered { return made.deliveries(followers) })
	t.missing, t.superseded, t.delays = arrived.missing, arrived.superseded, arrived.delays
	for _, one := range followers {
		n, why := one.troubles()
		t.troubles += n
		ended := one.failure()
		if ended != nil {
			t.broken++
		}
		t.firstError = cmp.Or(t.firstError, why, ended)
	}
	t.firstError = cmp.Or(t.signIns.first, t.pages.first, t.writes.first, t.firstError)
	return nil
}

// errors is the number of arrivals, pages, writes, subscriptions, sockets and events that failed.
func (t *loadTimes) errors() int {
	return t.signIns.errors + t.pages.errors + t.writes.errors + t.broken + t.troubles + t.missing
}
