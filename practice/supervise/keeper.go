package supervise

import (
	"context"
	"sync"
	"time"
)

// Keeper keeps one component running: a component that ends by itself is started again, by Rule.
//
//	Launch ──▶ runs ──▶ ends ──▶ Rule: wait ──▶ Needs ──▶ Start ──▶ runs (Ready ──▶ Back)
//	                      └────▶ Rule: too often ──▶ GivenUp
type Keeper struct {
	Rule Rule
	// Start starts the component. An error counts as a death.
	Start func() (*Process, error)
	// Needs waits for whatever the component can't start without; nil waits for nothing.
	Needs func(context.Context) error
	// Ready waits until a restarted component does its work; nil waits for nothing.
	Ready func(context.Context) error
	// Died is called after a death. The component is started again after wait.
	Died func(death *Death, wait time.Duration)
	// Back is called when the component works again.
	Back func()
	// GivenUp is called when the component died too often. Keep ends then.
	GivenUp func(death *Death)

	mu      sync.Mutex
	process *Process
	// ordered is the restart that Restart ordered.
	ordered *order
	deaths  []time.Time
}

// order is a restart on purpose: how long to stay down, and what is closed when a new process has been started.
type order struct {
	down    time.Duration
	taken   bool // it has explained a death; it explains only one
	started chan struct{}
}

// Launch starts the component for the first time. Call Keep after it.
func (k *Keeper) Launch() error {
	process, err := k.Start()
	if err == nil {
		k.replace(process)
	}
	return err
}

// Process is the process that was started last, or nil.
func (k *Keeper) Process() *Process {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.process
}

// Keep restarts the component until the context ends or the component is given up. It doesn't stop the component.
func (k *Keeper) Keep(ctx context.Context) {
	for {
		process := k.Process()
		select {
		case <-process.Done():
		case <-ctx.Done():
			return
		}
		if !k.revive(ctx, process.Death()) {
			return
		}
	}
}

// revive starts the component again after a death.
func (k *Keeper) revive(ctx context.Context, death *Death) bool {
	for {
		wait, ordered, again := k.judge(death)
		if !again {
			k.GivenUp(death)
			return false
		}
		if !ordered {
			k.Died(death, wait)
		}
		if !pause(ctx, wait) || !persist(ctx, k.Needs) {
			return false
		}
		process, err := k.Start()
		if err == nil {
			k.replace(process)
			go k.welcome(ctx, process)
			return true
		}
		death = &Death{Component: death.Component, How: err.Error(), LogPath: death.LogPath}
	}
}

// judge decides what follows a death. A restart on purpose doesn't count as a death.
func (k *Keeper) judge(death *Death) (wait time.Duration, ordered, again bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.ordered != nil && !k.ordered.taken {
		k.ordered.taken = true
		return k.ordered.down, true, true
	}
	k.deaths = append(k.deaths, time.Now())
	wait, again = k.Rule.Next(k.deaths)
	if !again {
		death.Times, death.Within = k.Rule.recent(k.deaths), k.Rule.Within
	}
	return wait, false, again
}

func (k *Keeper) replace(process *Process) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.process = process
	if k.ordered != nil {
		close(k.ordered.started)
		k.ordered = nil
	}
}

// welcome waits until a new process works, and calls Back. If the process ends before, Keep handles its death.
func (k *Keeper) welcome(ctx context.Context, process *Process) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-process.Done():
			cancel()
		case <-ctx.Done():
		}
	}()
	if persist(ctx, k.Ready) {
		k.Back()
	}
}

// persist waits until the condition holds; false: the context has ended.
func persist(ctx context.Context, condition func(context.Context) error) bool {
	for ctx.Err() == nil {
		if condition == nil || condition(ctx) == nil {
			return ctx.Err() == nil
		}
		pause(ctx, betweenAttempts)
	}
	return false
}

// betweenAttempts is the pause between two attempts, for a condition that fails at once.
const betweenAttempts = 100 * time.Millisecond

// Restart ends the component as a crash would, leaves it down for a while, and returns when it has been started again.
// One restart at a time.
func (k *Keeper) Restart(ctx context.Context, down time.Duration) error {
	o := &order{down: down, started: make(chan struct{})}
	k.mu.Lock()
	k.ordered = o
	process := k.process
	k.mu.Unlock()
	process.Kill()
	select {
	case <-o.started:
		return nil
	case <-ctx.Done(): // the component comes back nevertheless
		return ctx.Err()
	}
}

// pause waits; false: the context has ended.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
