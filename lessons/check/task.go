package check

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/lessons/standing"
)

// Time limits for what a task comes to. A start that is solved by itself would be so at the first judgement.
const (
	beginTime = 3 * time.Minute
	judgeTime = 45 * time.Second
	calmTime  = 400 * time.Millisecond
)

// taskType is the media type for how a task stands.
const taskType = "application/vnd.fieldmark.task+json"

// trial is a task that is being tested, on the judge that learners have.
type trial struct {
	*run
	task lesson.Task
	o    Options
	// broken are the places of goals that a mistake has broken.
	broken map[int]bool
}

// RunTask tests a task: its start doesn't solve it, its solution does, by requests and with kubectl, and each mistake is told by its own sentence.
func RunTask(ctx context.Context, o Options, of lesson.Task) Report {
	begun := time.Now()
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	t := &trial{run: o.newRun(lesson.Lesson{ID: of.ID, File: of.File}), task: of, o: o, broken: map[int]bool{}}
	t.report.Lesson = of.ID + " (task)"
	if !of.Range.Holds(o.Version) {
		t.report.Skips = []lesson.Skip{{Line: 1, What: "task", Range: of.Range}}
		return t.report
	}
	defer t.act(context.WithoutCancel(ctx), url.Values{"act": {"stop"}}) //nolint:errcheck // the server removes it, too
	t.solves(ctx, nil)
	for i, m := range of.Misses {
		t.misses(ctx, i, m)
	}
	t.unbreakable()
	if t.report.OK() && o.commands(of.File) {
		t.report.Commanded = []string{of.File}
		t.solves(ctx, o.Kubectl)
	}
	t.report.Took = time.Since(begun)
	return t.report
}

// solves begins the task, does what its solution says, and expects that it is solved.
func (t *trial) solves(ctx context.Context, by *Kubectl) {
	what := "the solution"
	if by != nil {
		what = "the solution with kubectl"
	}
	now, ok := t.begin(ctx)
	if !ok {
		return
	}
	if by == nil {
		t.answersWrongly(ctx)
	}
	if t.way(ctx, t.task.Solution, by); !t.report.OK() {
		return
	}
	for i, g := range t.task.Goals {
		for _, c := range g.Choices {
			if c.Right {
				t.give(ctx, i, c)
			}
		}
	}
	now, ok = t.until(ctx, now.Revision, judgeTime, func(s standing.Standing) bool { return s.Phase == standing.Solved || s.Phase == standing.Lost })
	if !ok || now.Phase != standing.Solved {
		t.fail(1, "%s doesn't solve the task: %s", what, t.told(now))
	}
}

// begin begins the task anew, and expects that its start alone neither solves it nor is a mistake.
func (t *trial) begin(ctx context.Context) (standing.Standing, bool) {
	if err := t.act(ctx, url.Values{"act": {"begin"}}); err != nil {
		t.fail(1, "the task doesn't begin: %v", err)
		return standing.Standing{}, false
	}
	now, ok := t.until(ctx, 0, beginTime, func(s standing.Standing) bool { return s.Phase != standing.Preparing })
	if ok && now.Phase == standing.Working {
		time.Sleep(calmTime)
		now, ok = t.until(ctx, 0, judgeTime, func(standing.Standing) bool { return true })
	}
	switch {
	case ok && len(now.Goals) != len(t.task.Goals):
		t.fail(1, "the server has another version of this task; build it again")
		return now, false
	case !ok || now.Phase == standing.Failed:
		t.fail(1, "the task can't begin: %s", t.told(now))
		return now, false
	case now.Phase != standing.Working:
		t.fail(1, "the start alone is %s: %s", now.Phase, t.told(now))
		return now, false
	case len(now.Misses) > 0:
		t.fail(t.task.Misses[now.Misses[0]].Line, "the start alone is taken for this mistake")
	}
	t.vars = now.Vars
	return now, true
}

// misses goes a wrong way, and expects that its sentence comes, and no other one.
func (t *trial) misses(ctx context.Context, at int, m lesson.Miss) {
	now, ok := t.begin(ctx)
	if !ok {
		return
	}
	failures := len(t.report.Failures)
	if t.way(ctx, m.Way, nil); len(t.report.Failures) > failures {
		return
	}
	told := func(s standing.Standing) bool {
		if len(m.When) == 0 {
			return s.Phase == standing.Lost
		}
		return slices.Contains(s.Misses, at)
	}
	now, ok = t.until(ctx, now.Revision, judgeTime, func(s standing.Standing) bool { return told(s) || s.Phase == standing.Solved })
	t.report.Judged++
	if len(t.breakable()) > 0 { // it may be broken a little later than the sentence comes
		last, _ := t.until(ctx, now.Revision-1, calmTime, func(s standing.Standing) bool { return s.Phase == standing.Lost })
		for _, i := range t.breakable() {
			t.broken[i] = t.broken[i] || i < len(last.Goals) && last.Goals[i].State == standing.Broken
		}
	}
	switch {
	case now.Phase == standing.Solved:
		t.fail(m.Line, "the wrong way %s solves the task", m.Name)
	case !ok:
		t.fail(m.Line, "the sentence of %s doesn't come: %s", m.Name, t.told(now))
	case len(m.When) > 0 && len(now.Misses) > 1:
		t.fail(m.Line, "other sentences come with that of %s: %v", m.Name, now.Misses)
	}
}

// breakable are the places of the goals that can only be broken.
func (t *trial) breakable() (all []int) {
	for i, g := range t.task.Goals {
		if g.Kind.Broken() {
			all = append(all, i)
		}
	}
	return all
}

// unbreakable fails for goals that can only be broken, and that no mistake of the task has broken: nothing shows that they can be.
func (t *trial) unbreakable() {
	for _, i := range t.breakable() {
		if t.report.Proved++; !t.broken[i] {
			t.fail(t.task.Goals[i].Line, "no mistake of the task breaks this goal, so nothing proves that it can be broken; write a miss that does")
		}
	}
}

// way sends requests and waits for checks, as a step of a lesson.
func (t *trial) way(ctx context.Context, blocks []lesson.Block, by *Kubectl) {
	t.kubectl = by
	t.step(ctx, lesson.Step{Blocks: blocks})
	t.kubectl = nil
}

// answersWrongly gives each wrong answer that is explained, and expects its explanation.
func (t *trial) answersWrongly(ctx context.Context) {
	for i, g := range t.task.Goals {
		for _, c := range g.Choices {
			if c.Right || c.Text == "*" {
				continue
			}
			t.give(ctx, i, c)
			now, ok := t.until(ctx, 0, judgeTime, func(s standing.Standing) bool { return s.Goals[i].Said != "" })
			t.report.Judged++
			if said := t.vars.Fill(c.Because); !ok || now.Goals[i].Said != said || now.Goals[i].State == standing.Reached {
				t.fail(c.Line, "the answer %q isn't told what the task says of it, but %q", c.Text, now.Goals[i].Said)
			}
		}
	}
}

// give gives an answer.
func (t *trial) give(ctx context.Context, goal int, c lesson.Choice) {
	text, err := t.vars.Expand(c.Text)
	if err == nil {
		err = t.act(ctx, url.Values{"act": {"give"}, "goal": {strconv.Itoa(goal)}, "answer": {text}})
	}
	if err != nil {
		t.fail(c.Line, "the answer can't be given: %v", err)
	}
}

// told says how a task stands.
func (t *trial) told(s standing.Standing) string {
	said := []string{string(s.Phase) + " " + s.Why}
	for i, g := range s.Goals {
		said = append(said, fmt.Sprintf("line %d is %s %s", t.task.Goals[i].Line, g.State, g.Why))
	}
	return strings.Join(said, "; ")
}

func (t *trial) address() string {
	if t.task.Case {
		return t.client.server + "/learn/cases/" + t.task.ID
	}
	return t.client.server + "/learn/" + t.task.ID + "/task"
}

// act sends a form of the task's page.
func (t *trial) act(ctx context.Context, form url.Values) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, t.address(), strings.NewReader(form.Encode()))
	if err != nil {
		return fmt.Errorf("making the request: %w", err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Authorization", "Bearer "+t.client.token)
	answer, err := t.client.http.Do(r)
	if err != nil {
		return fmt.Errorf("no response: %w", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusSeeOther {
		body, _ := io.ReadAll(io.LimitReader(answer.Body, 2000))
		return fmt.Errorf("%s: %s", answer.Status, status.Excerpt(body, 300))
	}
	return nil
}

// until waits until a task stands as it should. The first request has the revision 0, so that it is answered at once.
func (t *trial) until(ctx context.Context, revision uint64, most time.Duration, so func(standing.Standing) bool) (now standing.Standing, ok bool) {
	for until := time.Now().Add(most); time.Now().Before(until) && ctx.Err() == nil; {
		var s *standing.Standing
		if err := t.client.get(ctx, t.address()+"?revision="+strconv.FormatUint(revision, 10), taskType, &s); err != nil || s == nil {
			time.Sleep(firstPause)
			continue
		}
		now, revision = *s, s.Revision
		if so(now) {
			return now, true
		}
	}
	return now, false
}
