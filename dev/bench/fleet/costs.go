package fleet

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// study has the readings from which costs are computed. Each differs from the one before in one thing.
type study struct {
	lab           *lab.Lab
	company       *company
	people        int
	subscriptions int

	unused, signedIn, visited, paged, sockets, following reading // while nothing is done
	signIn, firstPages, connect, subscribe               reading // while it is done
	writes, pages, events                                reading // beside visited, visited and following
	written, changed, opened, delivered                  int
	version                                              string
	tabs, shared                                         reading
	sharing                                              bool // whether Fieldmark can share watches
	reviews                                              reading
	reviewed                                             int
	clusters, clusterPeople                              reading
}

// Numbers of the study.
const (
	tabsEach     = 4    // tabs of a person, in the reading of tabs
	manyClusters = 1000 // in the reading of clusters
	costsFile    = "dev/bench/scale/costs.json"
)

// measureCosts measures what single things cost, and writes the file of the costs.
func measureCosts(ctx context.Context, l *lab.Lab) (*study, error) {
	s := &study{lab: l, version: l.Build, people: l.Plan.Sample, subscriptions: l.Plan.Subscriptions}
	if err := lab.MoreFiles(filesEach*s.people + 1000); err != nil {
		return nil, err
	}
	var err error
	if s.company, err = hire(ctx, l, "costs", s.people); err != nil {
		return nil, err
	}
	if s.sharing, err = canShare(ctx, l); err != nil {
		return nil, err
	}
	for _, step := range []func(context.Context) error{s.readPeople, s.readTabs, s.readShared, s.readReviews, s.readClusters} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	text, err := s.costs().Text()
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(costsFile, text, 0o644); err != nil { //nolint:gosec // it is part of the repository
		return nil, fmt.Errorf("writing the costs: %w", err)
	}
	return s, nil
}

// canShare tells whether this Fieldmark can share watches between people.
func canShare(ctx context.Context, l *lab.Lab) (bool, error) {
	text, err := exec.CommandContext(ctx, filepath.Join(l.Plan.Bin, "fieldmark"), "--help").CombinedOutput()
	if err != nil && len(text) == 0 {
		return false, fmt.Errorf("the flags of Fieldmark: %w", err)
	}
	return strings.Contains(string(text), lab.ShareFlag), nil
}

// one opens a fleet with one replica and calls do.
func (s *study) one(ctx context.Context, do func(context.Context, *fleet) error, args ...string) error {
	f, err := openFleet(ctx, s.lab, 1, args...)
	if err != nil {
		return err
	}
	defer f.close()
	return do(ctx, f)
}

// signIns signs people in.
func signIns(ctx context.Context, f *fleet, people []*person) error {
	return lab.Each(ctx, people, f.signIn)
}

// visits lets each person open a page.
func visits(ctx context.Context, f *fleet, people []*person) error {
	return lab.Each(ctx, people, func(ctx context.Context, p *person) error { return f.openPage(ctx, p, p.page()) })
}

// arrived signs people in, and lets each open a page.
func arrived(ctx context.Context, f *fleet, people []*person) error {
	if err := signIns(ctx, f, people); err != nil {
		return err
	}
	return visits(ctx, f, people)
}

// readPeople reads one replica while its people do more and more.
func (s *study) readPeople(ctx context.Context) error {
	return s.one(ctx, func(ctx context.Context, f *fleet) (err error) {
		signIn := func(ctx context.Context) error { return signIns(ctx, f, s.company.people) }
		visit := func(ctx context.Context) error { return visits(ctx, f, s.company.people) }
		for _, step := range []struct {
			name      string
			do        func(context.Context) error
			busy, now *reading
		}{
			{"a replica that nobody uses", func(context.Context) error { return nil }, &reading{}, &s.unused},
			{"people sign in", signIn, &s.signIn, &s.signedIn},
			{"each opens a page", visit, &s.firstPages, &s.visited},
		} {
			lab.Say(step.name)
			if *step.busy, err = f.during(ctx, step.do); err != nil {
				return err
			}
			if *step.now, err = f.hold(ctx, s.lab.Plan.Hold); err != nil {
				return err
			}
		}
		if err := s.readTraffic(ctx, f); err != nil {
			return err
		}
		return s.readSockets(ctx, f)
	})
}

// readTraffic reads later pages, and writes that nobody follows.
func (s *study) readTraffic(ctx context.Context, f *fleet) (err error) {
	lab.Say("writes that nobody follows")
	if s.writes, s.written, err = s.readChanges(ctx, f); err != nil {
		return err
	}
	lab.Say("more pages")
	t := &tally{}
	s.pages, err = f.during(ctx, func(ctx context.Context) error {
		arrive(ctx, float64(s.people)/10, s.lab.Plan.Hold, func(ctx context.Context, i int, due time.Time) {
			p := s.company.people[i%s.people]
			t.addCall(due, f.openPage(ctx, p, p.page()))
		})
		return t.first
	})
	s.opened = len(t.times)
	if err != nil {
		return err
	}
	s.paged, err = f.hold(ctx, s.lab.Plan.Hold)
	return err
}

// readChanges reads while ConfigMaps of all teams change.
func (s *study) readChanges(ctx context.Context, f *fleet) (r reading, written int, err error) {
	r, err = f.during(ctx, func(ctx context.Context) error {
		_, t := s.company.change(ctx, s.lab, s.lab.Plan.Changes, s.lab.Plan.Hold)
		written = len(t.times)
		return t.first
	})
	return r, written, err
}

// readSockets reads sockets without subscriptions, with them, and with events.
func (s *study) readSockets(ctx context.Context, f *fleet) (err error) {
	if s.connect, s.sockets, err = s.readFollowers(ctx, f, s.people, 1, 0); err != nil {
		return err
	}
	lab.Say("the same, with subscriptions")
	followers, busy, err := s.follow(ctx, f, s.people, 1, s.subscriptions)
	defer closeAll(followers)
	if err != nil {
		return err
	}
	s.subscribe = busy
	if s.following, err = f.hold(ctx, s.lab.Plan.Hold); err != nil {
		return err
	}
	lab.Say("the same, while objects change")
	s.events, err = s.readEvents(ctx, f, followers)
	return errors.Join(err, broken(followers))
}

// readEvents reads while objects change that all people follow.
func (s *study) readEvents(ctx context.Context, f *fleet, followers []*follower) (reading, error) {
	var made *changes
	r, err := f.during(ctx, func(ctx context.Context) error {
		var t *tally
		made, t = s.company.change(ctx, s.lab, s.lab.Plan.Changes, s.lab.Plan.Hold)
		return t.first
	})
	if err != nil {
		return r, err
	}
	arrived := awaitDeliveries(ctx, func() delivered { return made.deliveries(followers) })
	if arrived.missing > 0 {
		return r, fmt.Errorf("%d events didn't arrive", arrived.missing)
	}
	s.changed, s.delivered = len(made.made), len(arrived.delays)
	return r, nil
}

// readFollowers opens sockets, and reads while they are opened and while they are open.
func (s *study) readFollowers(ctx context.Context, f *fleet, people, tabs, subscriptions int) (busy, now reading, err error) {
	lab.Say(fmt.Sprintf("%d sockets of %d people, with %d subscriptions each", people*tabs, people, subscriptions))
	followers, busy, err := s.follow(ctx, f, people, tabs, subscriptions)
	defer closeAll(followers)
	if err != nil {
		return busy, now, err
	}
	now, err = f.hold(ctx, s.lab.Plan.Hold)
	return busy, now, errors.Join(err, broken(followers))
}

// follow opens the tabs of people.
func (s *study) follow(ctx context.Context, f *fleet, people, tabs, subscriptions int) (all []*follower, busy reading, err error) {
	var opening tabsOf
	busy, err = f.during(ctx, func(ctx context.Context) error {
		for range tabs {
			if err := opening.openTabs(ctx, f, s.company.people[:people], subscriptions); err != nil {
				return err
			}
		}
		return nil
	})
	return opening.all, busy, err
}

// readTabs reads people with several tabs, which share watches.
func (s *study) readTabs(ctx context.Context) error {
	return s.one(ctx, func(ctx context.Context, f *fleet) error {
		people := s.company.people[:s.people/tabsEach]
		if err := arrived(ctx, f, people); err != nil {
			return err
		}
		var err error
		_, s.tabs, err = s.readFollowers(ctx, f, len(people), tabsEach, s.subscriptions)
		return err
	})
}

// readShared reads people of teams who share watches, if Fieldmark can do that.
func (s *study) readShared(ctx context.Context) error {
	if !s.sharing {
		return nil
	}
	return s.one(ctx, func(ctx context.Context, f *fleet) error {
		if err := arrived(ctx, f, s.company.people); err != nil {
			return err
		}
		var err error
		_, s.shared, err = s.readFollowers(ctx, f, s.people, 1, s.subscriptions)
		return err
	}, "--"+lab.ShareFlag)
}

// readClusters reads a replica with many clusters, before and after people sign in.
func (s *study) readClusters(ctx context.Context) error {
	lab.Say(fmt.Sprintf("%d clusters", manyClusters))
	names := []string{lab.ContextName}
	for i := range manyClusters - 1 {
		names = append(names, fmt.Sprintf("%s-%d", lab.ContextName, i+1))
	}
	file, err := s.lab.WriteClusters(s.lab.Bare.Origin, s.lab.Bare.Authority, names...)
	if err != nil {
		return err
	}
	return s.one(ctx, func(ctx context.Context, f *fleet) (err error) {
		if s.clusters, err = f.hold(ctx, s.lab.Plan.Hold); err != nil {
			return err
		}
		if err := arrived(ctx, f, s.company.people); err != nil {
			return err
		}
		s.clusterPeople, err = f.hold(ctx, s.lab.Plan.Hold)
		return err
	}, "--clusters", file)
}
