package scenario

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

const (
	publishInterval = time.Second
	retryInterval   = time.Second
)

// runner works on one form of one Scenario.
type runner struct {
	*controller
	scenario *Scenario
	cancel   context.CancelFunc
	done     chan struct{}

	mu     sync.Mutex
	status Status
	// published is the last status that the API server has taken.
	published []byte
}

func newRunner(c *controller, scenario *Scenario) *runner {
	return &runner{controller: c, scenario: scenario, done: make(chan struct{}), status: initialStatus(scenario)}
}

func (r *runner) same(s *Scenario) bool { return formOf(r.scenario) == formOf(s) }

func (r *runner) stop() {
	r.cancel()
	<-r.done
}

// retryUntilDone does the work, and does it again after a failure until it succeeds.
func (r *runner) retryUntilDone(ctx context.Context) {
	work := r.bringAbout
	if r.scenario.DeletionTimestamp != nil {
		work = r.cleanUp
	}
	for ctx.Err() == nil {
		err := work(ctx)
		if err == nil || ctx.Err() != nil {
			return
		}
		r.log.Warn("a Scenario failed and is tried again", "scenario", r.scenario.Name, "error", err)
		pause(ctx, retryInterval)
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

func (r *runner) bringAbout(ctx context.Context) error {
	if err := r.addFinalizer(ctx); err != nil {
		return err
	}
	if err := r.publish(ctx); err != nil {
		return err
	}
	stop := r.publishRegularly(ctx)
	err := r.doFaults(ctx)
	if err == nil {
		r.playActors(ctx)
	}
	stop()
	return errors.Join(err, r.publish(ctx))
}

func (r *runner) doFaults(ctx context.Context) error {
	for i, fault := range r.scenario.Spec.Faults {
		if !fault.due(r.fault(i)) {
			continue
		}
		r.updateFault(i, func(s *FaultStatus) { s.State, s.Message = Working, "" })
		err := r.doFault(ctx, i, fault)
		r.updateFault(i, func(s *FaultStatus) {
			s.State, s.Message, s.Run = Holding, "", fault.Run
			if err != nil {
				s.State, s.Message, s.Run = Failed, err.Error(), 0
			}
		})
		if err != nil {
			return fmt.Errorf("%s: %w", fault.Name, err)
		}
	}
	return nil
}

func (r *runner) doFault(ctx context.Context, i int, fault Fault) error {
	switch {
	case fault.Fill != nil:
		return r.fill(ctx, i, fault)
	case fault.Compact != nil:
		return r.compact(ctx, i, *fault.Compact)
	case fault.Restart != nil:
		return r.restart(ctx, *fault.Restart)
	case fault.Corrupt != nil:
		return r.corrupt(ctx, *fault.Corrupt)
	case fault.Crashes != nil:
		return r.crash(ctx, i, *fault.Crashes)
	}
	return errors.New("the fault has no kind, such as fill or compact")
}

func (r *runner) restart(ctx context.Context, restart Restart) error {
	r.cluster.Lock()
	defer r.cluster.Unlock()
	// While the API server is down, the status can't be written.
	if err := r.publish(ctx); err != nil {
		return err
	}
	return r.takeDown(ctx, time.Duration(restart.DownSeconds)*time.Second)
}

// courtesy is how long the API server stays up before a restart, so that the client that created the Scenario gets its
// response.
const courtesy = time.Second

func (r *runner) takeDown(ctx context.Context, down time.Duration) error {
	pause(ctx, courtesy)
	return r.host.RestartAPIServer(ctx, down)
}

func (r *runner) fault(i int) FaultStatus {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.status.Faults[i]
}

func (r *runner) actor(i int) ActorStatus {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.status.Actors[i]
}

func (r *runner) updateFault(i int, change func(*FaultStatus)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.status.Faults[i])
}

func (r *runner) updateActor(i int, change func(*ActorStatus)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.status.Actors[i])
}

// publish writes the status as it is now, unless that was written already.
func (r *runner) publish(ctx context.Context) error {
	r.mu.Lock()
	r.status.judge()
	patch, err := json.Marshal(map[string]any{"status": r.status})
	known := bytes.Equal(patch, r.published)
	r.mu.Unlock()
	if err != nil || known {
		return err
	}
	_, err = r.scenarios.Patch(ctx, r.scenario.Name, types.MergePatchType, patch,
		metav1.PatchOptions{FieldManager: Manager}, "status")
	if apierrors.IsNotFound(err) { // the Scenario was deleted by force, so there is no status to write
		return nil
	}
	if err == nil {
		r.mu.Lock()
		r.published = patch
		r.mu.Unlock()
	}
	return err
}

// publishRegularly publishes until the returned function is called.
func (r *runner) publishRegularly(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		ticker := time.NewTicker(publishInterval)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				// The next tick tries again, and the end of the work publishes anyway.
				if err := r.publish(ctx); err != nil && ctx.Err() == nil {
					r.log.Debug("writing the status of a Scenario failed", "scenario", r.scenario.Name, "error", err)
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return func() {
		cancel()
		<-done
	}
}

func (r *runner) addFinalizer(ctx context.Context) error {
	return r.changeFinalizers(ctx, func(names []string) []string {
		if slices.Contains(names, Finalizer) {
			return names
		}
		return append(names, Finalizer)
	})
}

func (r *runner) removeFinalizer(ctx context.Context) error {
	return r.changeFinalizers(ctx, func(names []string) []string {
		return slices.DeleteFunc(names, func(name string) bool { return name == Finalizer })
	})
}

// changeFinalizers changes the current list of finalizers. If another client
// changes the object at the same time, it fails, and the work is tried again.
func (r *runner) changeFinalizers(ctx context.Context, change func([]string) []string) error {
	current, err := r.scenarios.Get(ctx, r.scenario.Name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) || err == nil && current.GetUID() != r.scenario.UID {
		return nil
	}
	if err != nil {
		return err
	}
	before := current.GetFinalizers()
	after := change(slices.Clone(before))
	if slices.Equal(before, after) {
		return nil
	}
	current.SetFinalizers(after)
	_, err = r.scenarios.Update(ctx, current, metav1.UpdateOptions{FieldManager: Manager})
	return err
}
