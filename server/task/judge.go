package task

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/lessons/room"
	"github.com/fieldmark/fieldmark/lessons/standing"
)

// Pauses between two judgements, if nothing happens in between: soon after the learner's last request, while somebody looks, and else.
const (
	soon     = 300 * time.Millisecond
	looking  = time.Second
	idle     = 10 * time.Second
	busyTime = 5 * time.Second
	lookTime = 30 * time.Second
	settle   = 20 * time.Millisecond // several signals of one request
)

// judgeOn judges the task again and again, until the context ends or nobody has looked at it for a long time.
func (r *run) judgeOn(ctx context.Context) {
	own, shared, cancel := r.log.view.Subscribe()
	defer cancel()
	for {
		r.judge(ctx)
		pause, over := r.pause()
		if over {
			return
		}
		select {
		case <-ctx.Done():
			return
		case _, open := <-own:
			if !open {
				return // the session has ended
			}
		case <-shared:
		case <-r.poke:
		case <-time.After(pause):
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(settle):
		}
	}
}

func (r *run) pause() (pause time.Duration, over bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.opt.Now()
	switch {
	case now.Sub(r.looked) > longest:
		return 0, true
	case r.standing.Phase == standing.Lost && now.Sub(r.standing.Ended) < busyTime:
		return soon, false
	case r.standing.Phase != standing.Working:
		return idle, false
	case now.Sub(r.worked) < busyTime:
		return soon, false
	case now.Sub(r.looked) < lookTime:
		return looking, false
	}
	return idle, false
}

// judge judges all goals and mistakes once.
func (r *run) judge(ctx context.Context) {
	before := r.phase()
	if before != standing.Working && !r.justLost() {
		return
	}
	made, news := r.log.fresh()
	if news {
		r.mu.Lock()
		r.worked = r.opt.Now()
		r.mu.Unlock()
	}
	j := judging{run: r, vars: r.vars(), made: made, states: map[string]lesson.Answer{}}
	if why := j.gone(ctx); why != "" {
		r.end(standing.Lost, why)
		return
	}
	goals := make([]standing.Goal, len(r.task.Goals))
	for i, g := range r.task.Goals {
		goals[i] = j.goal(ctx, i, g)
	}
	misses := j.misses(ctx)
	solved := !slices.ContainsFunc(goals, func(g standing.Goal) bool { return g.State != standing.Reached && g.State != standing.Kept })
	if solved && (!j.caughtUp(ctx) || r.log.behind()) {
		return // an event or a request that is on its way may break a goal; it has the task judged again
	}
	if ctx.Err() != nil {
		return
	}
	r.change(func(s *standing.Standing) {
		s.Misses, s.Writes = misses, r.log.sent
		if before == standing.Lost {
			return
		}
		s.Goals = goals
		switch {
		case slices.ContainsFunc(goals, func(g standing.Goal) bool { return g.State == standing.Broken }):
			s.Phase, s.Ended = standing.Lost, r.opt.Now()
		case solved:
			s.Phase, s.Ended, s.Misses = standing.Solved, r.opt.Now(), []int{}
		}
	})
}

// justLost tells whether the task was lost a moment ago. Then the request that did it may come to the wire log a little later than its effect, and the
// mistake is told then.
func (r *run) justLost() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.standing.Phase == standing.Lost && r.opt.Now().Sub(r.standing.Ended) < busyTime
}

func (r *run) phase() standing.Phase {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.standing.Phase
}

// judging is one judgement.
type judging struct {
	run    *run
	vars   lesson.Vars
	made   []lesson.Made            // the learner's requests since the last judgement
	states map[string]lesson.Answer // responses to the same request, asked for once
}

// gone says that the task's namespace is gone, or goes; empty: it is there.
func (j judging) gone(ctx context.Context) string {
	a, err := j.run.quietly(ctx, room.Get(room.Namespaces+"/"+j.run.standing.Namespace))
	phase, _ := lesson.Subject{Kind: lesson.JSON, Path: ".status.phase"}.Of(a, nil)
	if err == nil && (a.Status == status.CodeNotFound || phase == "Terminating") {
		return "The namespace of this task was deleted."
	}
	return ""
}

// state is the response to the request of a state, asked for once in a judgement.
func (j judging) state(ctx context.Context, g lesson.Goal) (lesson.Answer, error) {
	q, err := g.Request.Expanded(j.vars)
	if err != nil {
		return lesson.Answer{}, err
	}
	key := q.As + " " + q.Method + " " + q.Target + "\n" + q.Body
	if a, known := j.states[key]; known {
		return a, nil
	}
	a, err := j.run.quietly(ctx, q)
	if err == nil {
		j.states[key] = a
	}
	return a, err
}

// goal says how a goal stands.
func (j judging) goal(ctx context.Context, at int, g lesson.Goal) standing.Goal {
	r := j.run
	switch g.Kind {
	case lesson.GoalState:
		a, err := j.state(ctx, g)
		if err != nil {
			delete(r.holds, at) // nobody knows whether it was so all the time
			return standing.Goal{State: standing.Open, Why: err.Error()}
		}
		if v, ok := lesson.Holds(g.Statements, a, j.vars); !ok {
			delete(r.holds, at)
			return standing.Goal{State: standing.Open, Why: v.Words()}
		}
		return r.lasts(at, g)
	case lesson.GoalSeen:
		why := r.standing.Goals[at].Why
		r.met[at] = r.met[at] || j.sees(g, &why)
		if r.met[at] {
			return standing.Goal{State: standing.Reached}
		}
		return standing.Goal{State: standing.Open, Why: why}
	case lesson.GoalUnseen:
		r.met[at] = r.met[at] || j.sees(g, new(string))
		if r.met[at] {
			return standing.Goal{State: standing.Broken}
		}
		return standing.Goal{State: standing.Kept}
	case lesson.GoalNever:
		r.mu.Lock()
		defer r.mu.Unlock()
		switch w := r.watches[at]; {
		case w.broken:
			return standing.Goal{State: standing.Broken}
		case w.gap:
			return standing.Goal{State: standing.Unknown, Why: "Fieldmark’s watch had a gap, so it doesn’t know. Start over to be sure."}
		}
		return standing.Goal{State: standing.Kept}
	}
	return j.answered(at, g)
}

// lasts says how a state stands that is so now.
func (r *run) lasts(at int, g lesson.Goal) standing.Goal {
	since, known := r.holds[at]
	if !known {
		since = r.opt.Now()
		r.holds[at] = since
	}
	if so := int(r.opt.Now().Sub(since).Seconds()); so < g.Hold {
		return standing.Goal{State: standing.Open, Why: fmt.Sprintf("It has been so for %d of %d seconds.", so, g.Hold)}
	}
	return standing.Goal{State: standing.Reached}
}

// sees tells whether one of the learner's requests is the one that a goal speaks of. If one comes near, why says what it lacks.
func (j judging) sees(g lesson.Goal, why *string) bool {
	for _, m := range j.made {
		if !g.Fits(m, j.vars) {
			continue
		}
		v, ok := lesson.Holds(g.Statements, m.Response, j.vars)
		if ok {
			return true
		}
		*why = "Your request " + m.Method + " " + m.Path + ": " + v.Words()
	}
	return false
}

func (j judging) answered(at int, g lesson.Goal) standing.Goal {
	j.run.mu.Lock()
	text, given := j.run.answers[at]
	j.run.mu.Unlock()
	if !given {
		return standing.Goal{State: standing.Open}
	}
	now := standing.Goal{State: standing.Open, Answer: text}
	switch c, known := g.Chosen(text, j.vars); {
	case known && c.Right:
		now.State, now.Said = standing.Reached, j.vars.Fill(c.Because)
	case known:
		now.Said = j.vars.Fill(c.Because)
	default:
		now.Why = "That isn’t it."
	}
	return now
}

// misses are the places of the mistakes that were made. A mistake that is a request stays; one that is a state goes with it.
func (j judging) misses(ctx context.Context) []int {
	all := []int{}
	for i, m := range j.run.task.Misses {
		if len(m.When) > 0 && j.missed(ctx, i, m) {
			all = append(all, i)
		}
	}
	return all
}

// conditions begin at this place among what was met, after the goals.
func (r *run) condition(miss, at int) int { return len(r.task.Goals) + 100*(miss+1) + at }

func (j judging) missed(ctx context.Context, miss int, m lesson.Miss) bool {
	all := true
	for i, g := range m.When {
		if g.Kind == lesson.GoalSeen {
			at := j.run.condition(miss, i)
			j.run.met[at] = j.run.met[at] || j.sees(g, new(string))
			all = all && j.run.met[at]
			continue
		}
		a, err := j.state(ctx, g)
		_, ok := lesson.Holds(g.Statements, a, j.vars)
		all = all && err == nil && ok
	}
	return all
}
