package check

import (
	"context"
	"io"
	"sync"

	"github.com/fieldmark/fieldmark/lessons/lesson"
)

// Options say how lessons are tried.
type Options struct {
	Client   *Client
	Parallel int       // how many at a time, at most
	Log      io.Writer // each exchange; nil: none
	Kubectl  *Kubectl  // to try each lesson a second time with kubectl; nil: they are not
	// Retry tries a lesson that failed once more, with nothing beside it: some of what lessons say of streams is true of a server that has time for them.
	Retry bool
}

// All tries lessons, several at a time, and after them, one by one, those that must be alone, and those that are tried once more. It
// tells of each when it is done.
func All(ctx context.Context, o Options, all []lesson.Lesson, done func(Report)) {
	o.schedule(all, func(l lesson.Lesson) Report { return Run(ctx, o, l) }, done)
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
