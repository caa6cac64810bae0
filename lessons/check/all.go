package check

import (
	"context"
	"io"
	"sync"

	"github.com/fieldmark/fieldmark/kube/release"
	"github.com/fieldmark/fieldmark/lessons/lesson"
)

// Options are the options for testing lessons.
type Options struct {
	Client   *Client
	Version  release.Version // of the server: what isn't true for it is skipped; see Client.Version
	Parallel int             // the maximum number of lessons at the same time
	Log      io.Writer       // receives a line for each request; nil: none
	Kubectl  *Kubectl        // to test each lesson a second time with kubectl; nil: don't
	// Proved tells whether kubectl is left out for a file of a lesson or task, because it has passed before. Nil: it is never left out.
	Proved func(file string) bool
	// Tasks are the tasks to test after their lessons, by the ids of these. A case has no lesson: it stands for one with its id.
	Tasks map[string]lesson.Task
	// TasksOnly leaves the lessons out.
	TasksOnly bool
	// Retry tests a failed lesson once more, alone, because some checks of streams fail if the server is too busy.
	Retry bool
}

// All tests lessons, several at the same time. After them, it tests lessons that must run alone, and lessons to test once more, one by
// one. It calls done after each lesson.
func All(ctx context.Context, o Options, all []lesson.Lesson, done func(Report)) {
	o.schedule(all, func(l lesson.Lesson) Report { return o.both(ctx, l) }, done)
}

// both tests a lesson, and its task.
func (o Options) both(ctx context.Context, l lesson.Lesson) Report {
	r := Report{Lesson: l.ID}
	of, has := o.Tasks[l.ID]
	if !o.TasksOnly && !of.Case {
		r = Run(ctx, o, l)
	}
	if !has {
		return r
	}
	t := RunTask(ctx, o, of)
	r.Failures, r.Skips = append(r.Failures, t.Failures...), append(r.Skips, t.Skips...)
	r.Commanded = append(r.Commanded, t.Commanded...)
	r.Requests, r.Judged, r.Proved, r.Commands, r.Took = r.Requests+t.Requests, r.Judged+t.Judged, r.Proved+t.Proved, r.Commands+t.Commands, r.Took+t.Took
	return r
}

// commands tells whether to test a file with kubectl.
func (o Options) commands(file string) bool {
	return o.Kubectl != nil && (o.Proved == nil || !o.Proved(file))
}

func (o Options) schedule(all []lesson.Lesson, run func(lesson.Lesson) Report, done func(Report)) {
	var together, alone, again []lesson.Lesson
	for _, l := range all {
		if l.Alone {
			alone = append(alone, l)
		} else {
			together = append(together, l)
		}
	}
	var mu sync.Mutex
	earlier := map[string][]Failure{}
	try := func(l lesson.Lesson) {
		report := run(l)
		mu.Lock()
		defer mu.Unlock()
		if o.Retry && !report.OK() {
			again, earlier[l.ID] = append(again, l), report.Failures
			return
		}
		done(report)
	}
	next := make(chan lesson.Lesson)
	var workers sync.WaitGroup
	for range max(1, o.Parallel) {
		workers.Go(func() {
			for l := range next {
				try(l)
			}
		})
	}
	for _, l := range together {
		next <- l
	}
	close(next)
	workers.Wait()
	for _, l := range alone {
		try(l)
	}
	for _, l := range again {
		report := run(l)
		report.Earlier = earlier[l.ID]
		done(report)
	}
}
