package check

import (
	"context"
	"sync"
	"time"

	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/lessons/recording"
)

// Record does lessons once, and returns the responses. It makes the checks of the lessons, and doesn't prove that they can fail. Of a lesson that failed,
// nothing is recorded.
func Record(ctx context.Context, o Options, all []lesson.Lesson, done func(Report)) map[string]recording.Lesson {
	var mu sync.Mutex
	kept := map[string]recording.Lesson{}
	o.schedule(all, func(l lesson.Lesson) Report {
		begun := time.Now()
		r := o.newRun(l.On(o.Version))
		r.once(ctx)
		r.report.Took, r.report.Skips = time.Since(begun), l.Skips(o.Version)
		if r.report.OK() {
			mu.Lock()
			defer mu.Unlock()
			kept[l.ID] = r.responses()
		}
		return r.report
	}, done)
	return kept
}

// responses are those to all requests that were sent.
func (r *run) responses() recording.Lesson {
	l := recording.Lesson{Vars: r.vars, Responses: map[string]recording.Response{}}
	for name, q := range r.sent {
		l.Responses[name] = recording.Of(q, r.answer(name), r.took[name])
	}
	return l
}
