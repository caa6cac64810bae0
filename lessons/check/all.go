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
}

// All tries lessons, several at a time, and after them, one by one, those that must be alone. It tells of each when it is done.
func All(ctx context.Context, o Options, all []lesson.Lesson, done func(Report)) {
	var together, alone []lesson.Lesson
	for _, l := range all {
		if l.Alone {
			alone = append(alone, l)
		} else {
			together = append(together, l)
		}
	}
	var mu sync.Mutex
	try := func(l lesson.Lesson) {
		report := Run(ctx, o, l)
		mu.Lock()
		defer mu.Unlock()
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
}
