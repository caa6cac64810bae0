package scenario

import (
	"context"
	"errors"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// writeLimit bounds the time of one write. An API server that hangs must not stop the next write.
const writeLimit = 10 * time.Second

// playActors lets all actors write until each has finished or the context ends.
func (r *runner) playActors(ctx context.Context) {
	var all sync.WaitGroup
	for i, actor := range r.scenario.Spec.Actors {
		if r.actor(i).State != Finished {
			all.Go(func() { r.play(ctx, i, actor) })
		}
	}
	all.Wait()
}

// play lets one actor write. What fails is tried again, while the others go on.
func (r *runner) play(ctx context.Context, i int, actor Actor) {
	for ctx.Err() == nil {
		err := r.perform(ctx, i, actor)
		if ctx.Err() != nil {
			return
		}
		if err == nil {
			r.updateActor(i, func(s *ActorStatus) { s.State, s.Message = Finished, "" })
			return
		}
		r.updateActor(i, func(s *ActorStatus) { s.State, s.Message = Failed, err.Error() })
		r.log.Warn("an actor failed and is tried again", "scenario", r.scenario.Name, "actor", actor.Name, "error", err)
		pause(ctx, retryInterval)
	}
}

func (r *runner) perform(ctx context.Context, i int, actor Actor) error {
	switch {
	case actor.Churn != nil:
		return r.churn(ctx, i, actor)
	case actor.Storm != nil:
		return r.storm(ctx, i, actor)
	case actor.GitOps != nil:
		return r.gitOps(ctx, i, *actor.GitOps)
	case actor.Autoscaler != nil:
		return r.autoscale(ctx, i, *actor.Autoscaler)
	case actor.Injector != nil:
		return r.inject(ctx, i, *actor.Injector)
	case actor.Legacy != nil:
		return r.applyAsOfOld(ctx, i, *actor.Legacy)
	case actor.Reporter != nil:
		return r.report(ctx, i, *actor.Reporter)
	case actor.Follower != nil:
		return r.follow(ctx, i, *actor.Follower)
	case actor.Writer != nil:
		return r.write(ctx, i, *actor.Writer)
	}
	return errors.New("the actor has no kind, such as churn or gitops")
}

// rhythm is when an actor writes: first after a while, then again and again.
type rhythm struct{ first, every time.Duration }

func everySeconds(seconds int) rhythm { return rhythm{every: time.Duration(seconds) * time.Second} }

// offbeat is the same rhythm, later by half of its interval.
func (r rhythm) offbeat() rhythm { return rhythm{first: r.every / 2, every: r.every} }

// repeat writes in a rhythm until the context ends; n counts the writes from 0. A failed write is reported and
// not repeated: the next one follows when it is due. It returns an error if the written object was deleted, because then
// everything must be created again.
func (r *runner) repeat(ctx context.Context, i int, beat rhythm, write func(ctx context.Context, n int64) (act, error)) error {
	r.updateActor(i, func(s *ActorStatus) { s.State = Running })
	pause(ctx, beat.first)
	ticker := time.NewTicker(beat.every)
	defer ticker.Stop()
	for n := int64(0); ctx.Err() == nil; n++ {
		once, cancel := context.WithTimeout(ctx, writeLimit)
		done, err := write(once, n)
		cancel()
		switch {
		case apierrors.IsNotFound(err):
			return err
		case err != nil:
			r.updateActor(i, func(s *ActorStatus) { s.Message = err.Error() })
		default:
			r.updateActor(i, func(s *ActorStatus) { s.countAct(done) })
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
		}
	}
	return nil
}
