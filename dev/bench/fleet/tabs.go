package fleet

import (
	"cmp"
	"context"
	"errors"
	"sync"

	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// tabsOf collects the followers that are opened at the same time.
type tabsOf struct {
	mu  sync.Mutex
	all []*follower
}

// openTabs opens one more tab of each person.
func (t *tabsOf) openTabs(ctx context.Context, f *fleet, people []*person, subscriptions int) error {
	return lab.Each(ctx, people, func(ctx context.Context, p *person) error { return t.openTab(ctx, f, p, subscriptions) })
}

// openTab opens a tab of a person.
func (t *tabsOf) openTab(ctx context.Context, f *fleet, p *person, subscriptions int) error {
	one, err := f.follow(ctx, p, subscriptions)
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all = append(t.all, one)
	return nil
}

// broken are the reasons why followers have ended or weren't current; at most the first few.
func broken(all []*follower) error {
	var errs []error
	for _, f := range all {
		_, trouble := f.troubles()
		if err := cmp.Or(f.failure(), trouble); err != nil && len(errs) < 3 {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func closeAll(all []*follower) {
	for _, f := range all {
		_ = f.close()
	}
}
