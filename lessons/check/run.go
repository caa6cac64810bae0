package check

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/fieldmark/fieldmark/kube/release"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/lessons/lesson"
)

// longest is the time limit of a lesson.
const longest = 10 * time.Minute

// run is a lesson that is being tested.
type run struct {
	client  *Client
	lesson  lesson.Lesson
	version release.Version
	log     io.Writer // each exchange; nil: none
	vars    lesson.Vars
	answers map[string]lesson.Answer
	sent    map[string]lesson.Request // by the names of the requests
	took    map[string]time.Duration  // by the names of the requests, until the whole response was there
	streams map[string]*stream
	report  Report
	// evidence has the statements that were checked.
	evidence []evidence
	// unusable says, by the name of a request, why kubectl's response can't be used for all checks.
	unusable map[string]string
	kubectl  *Kubectl // makes the requests; nil: they are sent directly
	mark     uint64   // the newest request in the wire log before the next commands of kubectl
}

// Run tests what is true for the server's version in a lesson, and proves its checks. With kubectl, it tests that a second time.
func Run(ctx context.Context, o Options, l lesson.Lesson) Report {
	begun := time.Now()
	skips := l.Skips(o.Version)
	l = l.On(o.Version)
	r := o.newRun(l)
	r.once(ctx)
	if r.report.OK() {
		r.prove()
	}
	report := r.report
	if report.OK() && o.commands(l.File) {
		report.Commanded = []string{l.File}
		again := o.newRun(l)
		again.withKubectl(ctx, *o.Kubectl)
		report.Commands = again.report.Commands
		for _, f := range again.report.Failures {
			f.What = "with kubectl: " + f.What
			report.Failures = append(report.Failures, f)
		}
	}
	report.Took, report.Skips = time.Since(begun), skips
	return report
}

func (o Options) newRun(l lesson.Lesson) *run {
	unique := letters()
	return &run{
		client: o.Client, lesson: l, version: o.Version, log: o.Log, answers: map[string]lesson.Answer{}, sent: map[string]lesson.Request{}, took: map[string]time.Duration{}, streams: map[string]*stream{}, unusable: map[string]string{},
		vars: lesson.Vars{lesson.Unique: unique, lesson.Namespace: "learn-" + l.ID + "-" + unique}, report: Report{Lesson: l.ID},
	}
}

// once tests the lesson from its first to its last step. In any case, it removes the objects of the lesson.
func (r *run) once(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	defer r.cleanUpLesson(context.WithoutCancel(ctx))
	if err := r.prepare(ctx); err != nil {
		r.fail(1, "%v", err)
		return
	}
	r.steps(ctx)
}

// letters are six random letters for names.
func letters() string { return strings.ToLower(rand.Text()[:6]) }

func (r *run) fail(line int, format string, args ...any) {
	r.report.Failures = append(r.report.Failures, Failure{File: r.lesson.File, Line: line, What: fmt.Sprintf(format, args...)})
}

// excerpt adds the response to the request with this name to the last failure.
func (r *run) excerpt(of string, a lesson.Answer) {
	const most = 600
	text := fmt.Sprintf("the response: %d %s", a.Status, http.StatusText(a.Status))
	switch {
	case r.unusable[of] != "":
		text += "\n" + r.unusable[of]
	case !utf8.Valid(a.Body):
		text += fmt.Sprintf("\n%d bytes that are not text", len(a.Body))
	case len(a.Body) > 0:
		text += "\n" + status.Excerpt(a.Body, most)
	}
	r.report.Failures[len(r.report.Failures)-1].Excerpt = text
}

func (r *run) steps(ctx context.Context) {
	for i, step := range r.lesson.Steps {
		r.step(ctx, step)
		if n := len(r.lesson.Steps) - 1 - i; !r.report.OK() && n > 0 {
			r.fail(r.lesson.Steps[i+1].Line, "not tested, and no later step, because of this failure")
			return
		}
	}
}

// step sends the requests of a step and checks the responses. Predictions are last, because they need the responses.
func (r *run) step(ctx context.Context, step lesson.Step) {
	r.idle(ctx, step)
	for _, b := range step.Blocks {
		switch {
		case ctx.Err() != nil:
			r.fail(b.Line, "not tested: %v", context.Cause(ctx))
			return
		case b.Request != nil:
			if !r.request(ctx, b) {
				return
			}
		case b.Check != nil:
			r.check(ctx, b)
		case b.Stop != nil:
			if s := r.streams[b.Stop.Of]; s != nil {
				s.stopWatch()
			}
		case b.Notes != nil:
			r.notes(*b.Notes)
		case b.Recorded != nil:
			r.recording(b.Line, *b.Recorded)
		}
	}
	for _, b := range step.Blocks {
		if b.Predict != nil {
			r.predict(*b.Predict)
		}
	}
}

// request sends a request; false: there is no response, so the lesson can't continue.
func (r *run) request(ctx context.Context, b lesson.Block) bool {
	q, err := b.Request.Expanded(r.vars)
	if err != nil {
		r.fail(b.Line, "%v", err)
		return false
	}
	r.report.Requests++
	r.sent[q.Name] = q
	if r.kubectl != nil {
		return r.byKubectl(ctx, b, q)
	}
	return r.sendDirectly(ctx, b, q)
}

// sendDirectly sends a request directly, without kubectl.
func (r *run) sendDirectly(ctx context.Context, b lesson.Block, q lesson.Request) bool {
	if q.Watch {
		s, err := r.client.watch(ctx, q)
		if err != nil {
			r.fail(b.Line, "%s %s: %v", q.Method, q.Target, err)
			return false
		}
		r.streams[q.Name] = s
		r.logRequest(q, s.now())
		return true
	}
	begun := time.Now()
	a, err := r.client.sendRequest(ctx, q)
	if err != nil {
		r.fail(b.Line, "%s %s: %v", q.Method, q.Target, err)
		return false
	}
	r.answers[q.Name], r.took[q.Name] = a, time.Since(begun)
	r.logRequest(q, a)
	return true
}

// entryHeader is the response header with the number of the request in the wire log.
const entryHeader = "Fieldmark-Request"

// logRequest logs a request, and remembers its number in the wire log.
func (r *run) logRequest(q lesson.Request, a lesson.Answer) {
	if id, ok := (lesson.Subject{Kind: lesson.HeaderOf, Name: entryHeader}).Of(a, nil); ok {
		n, _ := strconv.ParseUint(id, 10, 64)
		r.mark = max(r.mark, n)
	}
	if r.log == nil {
		return
	}
	as := ""
	if q.As != "" {
		as = " as " + q.As
	}
	_, _ = fmt.Fprintf(r.log, "%s: %s %s%s → %d, %d bytes\n", r.lesson.ID, q.Method, q.Target, as, a.Status, a.Size)
}

// answer is the response to a request, as far as it has arrived.
func (r *run) answer(name string) lesson.Answer {
	if s := r.streams[name]; s != nil {
		return s.now()
	}
	return r.answers[name]
}

// The waits between two checks of something that may change.
const (
	firstPause = 100 * time.Millisecond
	lastPause  = time.Second
	streamWait = 10 * time.Second // for a stream, unless the lesson says otherwise
)

// check checks a response, repeatedly if the response may change.
func (r *run) check(ctx context.Context, b lesson.Block) {
	c := *b.Check
	within := time.Duration(c.Within) * time.Second
	if c.Get == "" && r.streams[c.Of] != nil && within == 0 {
		within = streamWait
	}
	// A request that changes nothing is sent again, too, because it may be about what takes effect a little later.
	q := r.sent[c.Of]
	again := c.Get == "" && within > 0 && !q.Watch && (q.Reads() || q.Dry())
	until, pause := time.Now().Add(within), firstPause
	for {
		a, err := r.checkedAnswer(ctx, c)
		if err != nil {
			r.fail(b.Line, "GET %s: %v", c.Get, err)
			return
		}
		if again && len(judge(c.Statements, a, r.vars)) > 0 {
			if later, err := r.client.sendRequest(ctx, q); err == nil {
				r.answers[c.Of], a = later, later
			}
		}
		wrong := judge(c.Statements, a, r.vars)
		if len(wrong) == 0 || !time.Now().Add(pause).Before(until) {
			r.noteResult(c, a, wrong, within)
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
		pause = min(2*pause, lastPause)
	}
}

// checkedAnswer is the response for a check.
func (r *run) checkedAnswer(ctx context.Context, c lesson.Check) (lesson.Answer, error) {
	if c.Get == "" {
		return r.answer(c.Of), nil
	}
	target, err := r.vars.Expand(c.Get)
	if err != nil {
		return lesson.Answer{}, err
	}
	q := lesson.Request{Method: http.MethodGet, Target: target, Header: []lesson.Header{{Name: "Accept", Value: "application/json"}}}
	a, err := r.client.sendRequest(ctx, q)
	if err == nil {
		r.logRequest(q, a)
	}
	return a, err
}

// judge returns the verdicts on statements that are false. Values that a statement keeps are available to the statements after it.
func judge(all []lesson.Statement, a lesson.Answer, vars lesson.Vars) []lesson.Verdict {
	vars = maps.Clone(vars)
	var wrong []lesson.Verdict
	for _, s := range all {
		if v := s.Judge(a, vars); !v.OK {
			wrong = append(wrong, v)
		}
	}
	return wrong
}

// noteResult notes the result of a check.
func (r *run) noteResult(c lesson.Check, a lesson.Answer, wrong []lesson.Verdict, within time.Duration) {
	for _, s := range c.Statements {
		r.seen(s, a, r.vars, true, s.Line)
		s.Judge(a, r.vars)
	}
	r.report.Judged += len(c.Statements)
	for _, v := range wrong {
		waited := ""
		if within > 0 {
			waited = fmt.Sprintf(", even after %v", within)
		}
		r.fail(v.Statement.Line, "%s: %s%s", v.Statement, verdictText(v), waited)
		r.excerpt(c.Of, a)
	}
}

// verdictText says what a statement expected and what the response has.
func verdictText(v lesson.Verdict) string {
	came := v.Came
	if v.Absent {
		came = "nothing"
	}
	const most = 300
	return fmt.Sprintf("expected that the value %s, but it is %s", v.Expected, status.Excerpt([]byte(came), most))
}

// notes reports remarks about values that the response doesn't have.
func (r *run) notes(n lesson.Notes) {
	a := r.answer(n.Of)
	for _, note := range n.Notes {
		r.report.Judged++
		if _, ok := note.At.Of(a, r.vars); !ok {
			r.fail(note.Line, "the note on %s: the response to %s has no such value", note.At, n.Of)
			r.excerpt(n.Of, a)
		}
	}
}

// predict checks that the right choices are right and the wrong choices are wrong.
func (r *run) predict(p lesson.Predict) {
	a := r.answer(p.Of)
	if p.Value != nil {
		r.value(p, a)
		return
	}
	for _, c := range p.Choices {
		if c.If == nil {
			continue
		}
		r.report.Judged++
		r.seen(*c.If, a, r.vars, c.Right, c.If.Line)
		v := c.If.Judge(a, r.vars)
		switch {
		case c.Right && !v.OK:
			r.fail(c.If.Line, "the right choice is wrong. %s: %s", v.Statement, verdictText(v))
			r.excerpt(p.Of, a)
		case !c.Right && v.OK:
			r.fail(c.If.Line, "a wrong choice is right, because this is true: %s", v.Statement)
			r.excerpt(p.Of, a)
		}
	}
}

// value checks that the value to predict is one of the right ones, and none of the wrong ones.
func (r *run) value(p lesson.Predict, a lesson.Answer) {
	r.report.Judged++
	came, ok := p.Value.Of(a, r.vars)
	if !ok {
		r.fail(p.Line, "answer %s: the response to %s has no such value", p.Value, p.Of)
		r.excerpt(p.Of, a)
		return
	}
	for _, c := range p.Choices {
		text, err := r.vars.Expand(c.Text)
		if err != nil {
			r.fail(c.Line, "%v", err)
			continue
		}
		if c.Right != (text == came) && text != "*" {
			r.fail(c.Line, "the lesson says that %s is %s, but the value is %s", text, map[bool]string{true: "right", false: "wrong"}[c.Right], came)
			r.excerpt(p.Of, a)
		}
	}
}
