package scenario

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/time/rate"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// act is one thing that an actor does to one object.
type act int

const (
	creation act = iota
	change
	deletion
	nothing // no write was necessary
)

// churnAct returns what the nth write (from 0) does, and to which object. The
// writes go round: every object is created, changed twice, deleted, and so on;
// neighbours are a step apart, so that all three kinds happen all the time.
func churnAct(n int64, objects int) (act, int) {
	object := int(n % int64(objects))
	switch round := n / int64(objects); {
	case round == 0:
		return creation, object
	default:
		switch (round + int64(object)) % 4 {
		case 0:
			return deletion, object
		case 1:
			return creation, object
		}
		return change, object
	}
}

// churn writes until the context ends, or for as long as it was told.
func (r *runner) churn(ctx context.Context, i int, actor Actor) error {
	churn := actor.Churn
	if err := r.ensureNamespace(ctx, churn.Namespace); err != nil {
		return err
	}
	if churn.Seconds > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(churn.Seconds)*time.Second)
		defer cancel()
	}
	r.updateActor(i, func(s *ActorStatus) { s.State = Running })
	objects := r.made(actor.Name, churn.Namespace, churn.Kind, true)
	limiter := rate.NewLimiter(rate.Limit(churn.PerSecond), 1)
	for n := int64(0); limiter.Wait(ctx) == nil; n++ {
		what, number := churnAct(n, churn.Objects)
		done, err := objects.do(ctx, what, fmt.Sprintf("%s-%03d", actor.Name, number), n)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			// The API server may be down; Scenarios do that on purpose.
			r.updateActor(i, func(s *ActorStatus) { s.Message = err.Error() })
			continue
		}
		r.updateActor(i, func(s *ActorStatus) { s.countAct(done) })
	}
	return nil
}

// do does one act, or the closest possible one, and returns what it did: an
// object to create may exist already, and an object to change may have been
// deleted.
func (m made) do(ctx context.Context, what act, name string, n int64) (act, error) {
	switch what {
	case creation:
		err := m.create(ctx, name, int(n))
		if apierrors.IsAlreadyExists(err) {
			return change, m.touch(ctx, name, n)
		}
		return creation, err
	case change:
		err := m.touch(ctx, name, n)
		if apierrors.IsNotFound(err) {
			return creation, m.create(ctx, name, int(n))
		}
		return change, err
	}
	err := m.remove(ctx, name)
	if apierrors.IsNotFound(err) {
		return deletion, nil
	}
	return deletion, err
}

func (s *ActorStatus) countAct(what act) {
	s.Message = ""
	switch what {
	case creation:
		s.Created++
	case change:
		s.Updated++
	case deletion:
		s.Deleted++
	}
}
