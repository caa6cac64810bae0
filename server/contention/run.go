package contention

import (
	"context"
	"runtime/debug"
	"sync"
	"time"

	"github.com/fieldmark/fieldmark/kube/contention"
	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/status"
)

// pace has the waiting times of a scan.
type pace struct {
	// look is how often the scan checks whether it must end.
	look time.Duration
	// arrive bounds how long the first lists may take. After it, or once they are complete, the time of watching begins.
	arrive time.Duration
}

func usualPace() pace {
	return pace{look: 200 * time.Millisecond, arrive: 2 * time.Minute}
}

// atOnce is how many types are listed at the same time. After its list, each type is watched.
const atOnce = 4

// run is one scan.
type run struct {
	scans *Scans
	key   key
	plan  Plan
	began time.Time
	turns chan struct{} // held by types that are being read
	login <-chan struct{}

	mu    sync.Mutex
	scan  *contention.Scan // nil once it has ended
	until time.Time        // zero: the first lists still arrive
	ended report.Phase     // empty: the scan runs
	final report.Run
}

func newRun(s *Scans, k key, p Plan, login <-chan struct{}) *run {
	return &run{
		scans: s, key: k, plan: p, login: login, began: s.opt.Now(), turns: make(chan struct{}, atOnce),
		scan: contention.New(p.Types, p.Served, contention.Usual()),
	}
}

// followTypes follows all types until the time is over, or ctx ends.
func (r *run) followTypes(ctx context.Context) {
	ctx, end := context.WithCancel(ctx)
	var followers sync.WaitGroup
	for i, t := range r.plan.Types {
		f := &follower{run: r, index: i}
		followers.Go(func() { r.guard(ctx, f, t) })
	}
	look := time.NewTicker(r.scans.pace.look)
	defer look.Stop()
	for r.goesOn() {
		select {
		case <-look.C:
		case <-ctx.Done():
			r.stop()
		}
	}
	end()
	followers.Wait()
	r.close()
}

// guard keeps a panic in one type from ending the process.
func (r *run) guard(ctx context.Context, f *follower, of discovery.Type) {
	defer func() {
		if p := recover(); p != nil {
			r.scans.opt.Log.Error("a scan panicked", "panic", p, "stack", string(debug.Stack()))
			f.state(report.Refused, status.Status{Code: status.CodeInternalError, Message: "A bug in Fieldmark stopped the scan of this type. Fieldmark's log has the details."})
		}
	}()
	f.follow(ctx, of)
}

// goesOn tells whether the scan continues. It starts the time of watching once all types have been listed.
func (r *run) goesOn() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.scans.opt.Now()
	switch {
	case r.ended != "":
	case r.until.IsZero() && r.failed():
		r.ended = report.Failed
	case r.until.IsZero():
		if r.scan.Settled() || now.Sub(r.began) >= r.scans.pace.arrive {
			r.until = now.Add(r.plan.Lasts)
		}
	case !now.Before(r.until):
		r.ended = report.Done
	}
	return r.ended == ""
}

// failed tells whether no type can be read.
func (r *run) failed() bool {
	for _, t := range r.scan.Types() {
		if t.State != report.Refused {
			return false
		}
	}
	return true
}

// stop ends the scan before its time, unless it has ended.
func (r *run) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended == "" {
		r.ended = report.Stopped
	}
}

// close keeps the findings of the scan, and frees everything else.
func (r *run) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.final, r.scan = r.now(), nil
}

func (r *run) show() report.Run {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.scan == nil {
		return r.final
	}
	return r.now()
}

// now is the current state of the run. The caller holds the lock.
func (r *run) now() report.Run {
	now := r.scans.opt.Now()
	shown := report.Run{
		Phase: report.Arriving, Types: r.plan.Named, Namespace: r.plan.Namespace, Began: r.began,
		Lasts: r.plan.Lasts, Left: r.plan.Lasts, Report: r.scan.Report(now),
	}
	if !r.until.IsZero() {
		shown.Phase, shown.Left = report.Watching, max(r.until.Sub(now), 0)
	}
	shown.Watched = shown.Lasts - shown.Left
	if r.ended != "" {
		shown.Phase, shown.Left = r.ended, 0
	}
	return shown
}

// with calls tell with the scan, unless the scan has ended.
func (r *run) with(tell func(s *contention.Scan)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	tell(r.scan)
}
