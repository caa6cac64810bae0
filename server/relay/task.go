package relay

import (
	"cmp"
	"sync"
	"time"
)

// task is something that a connection does now and then: a sign of life, a ping, telling what happened. In between it is only a timer.
// A goroutine that waits would need several kilobytes in each of many open pages.
//
//	idle ──in──▶ waiting ──time──▶ running ──▶ idle, or waiting again if do or in asked for it
type task struct {
	conn *conn
	do   func() (next time.Duration) // 0: do doesn't run again by itself

	mu      sync.Mutex
	timer   *time.Timer
	waiting bool
	running bool
	asked   time.Duration // in was called while do was running
	over    bool
}

// in lets the task run after a time, unless it is waiting already. It doesn't block.
func (e *task) in(after time.Duration) {
	after = max(after, 1)
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.over || e.waiting:
	case e.running:
		e.asked = after
	default:
		e.wait(after)
	}
}

// wait sets the timer. The caller holds the lock.
func (e *task) wait(after time.Duration) {
	e.waiting = true
	if e.timer == nil {
		e.timer = time.AfterFunc(after, e.runOnce)
		return
	}
	e.timer.Reset(after)
}

func (e *task) runOnce() {
	if !e.startRun() {
		return
	}
	defer e.conn.all.Done()
	var next time.Duration
	e.conn.guarded(func() { next = e.do() })
	e.done(next)
}

// startRun counts a run, so that the connection waits for its end. No run begins after end.
func (e *task) startRun() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.waiting = false
	if e.over {
		return false
	}
	e.running = true
	e.conn.all.Add(1)
	return true
}

func (e *task) done(next time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	next = cmp.Or(next, e.asked)
	e.running, e.asked = false, 0
	if next > 0 && !e.over {
		e.wait(next)
	}
}

// stopRuns lets the task never run again. A run that has begun goes on to its end.
func (e *task) stopRuns() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.over = true
	if e.timer != nil {
		e.timer.Stop()
	}
}
