package scenario

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// stormWriters is how many writes to the store are made at the same time.
const stormWriters = 16

// storm rewrites ConfigMaps unchanged, directly in the store. The API server sends an event for every write, but handles no write
// requests. So the cost of watches can be measured at rates that one machine could not reach otherwise.
func (r *runner) storm(ctx context.Context, i int, actor Actor) error {
	storm := actor.Storm
	if err := r.ensureNamespace(ctx, storm.Namespace); err != nil {
		return err
	}
	objects := r.made(actor.Name, storm.Namespace, ConfigMapKind, false)
	present, err := r.names(ctx, objects)
	if err != nil {
		return err
	}
	missing, _ := difference(actor.Name, storm.Objects, present)
	if err := createAll(ctx, objects, actor.Name, missing, func(int64) {}); err != nil {
		return err
	}
	store, err := r.host.OpenStore()
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }()
	if storm.Seconds > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(storm.Seconds)*time.Second)
		defer cancel()
	}
	r.updateActor(i, func(s *ActorStatus) { s.State = Running })
	r.blow(ctx, i, actor, store)
	return nil
}

// blow runs several writers until the context ends. Each rewrites its own objects in turn.
func (r *runner) blow(ctx context.Context, i int, actor Actor, store Store) {
	storm := actor.Storm
	limiter := rate.NewLimiter(rate.Limit(storm.PerSecond), stormWriters)
	var all sync.WaitGroup
	for first := range min(stormWriters, storm.Objects) {
		all.Go(func() {
			for n := first; limiter.Wait(ctx) == nil; n += stormWriters {
				if n >= storm.Objects {
					n = first
				}
				r.rewrite(ctx, i, store, fmt.Sprintf("/registry/configmaps/%s/%s", storm.Namespace, fillName(actor.Name, n+1)))
			}
		})
	}
	all.Wait()
}

func (r *runner) rewrite(ctx context.Context, i int, store Store, key string) {
	err := store.Rewrite(ctx, key)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		r.updateActor(i, func(s *ActorStatus) { s.Message = err.Error() })
	default:
		r.updateActor(i, func(s *ActorStatus) { s.countAct(change) })
	}
}
