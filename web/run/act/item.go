package act

import (
	"slices"
	"time"

	plans "github.com/fieldmark/fieldmark/kube/act"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/dryrun"
	"github.com/fieldmark/fieldmark/web/follow"
)

// item is a target with its plan, and what became of it.
type item struct {
	Target
	place    int // of the target; it names the row
	plan     plans.Plan
	jobs     []*job
	past     []*job         // of plans before this one, if they were sent
	followed *follow.Object // nil: the page doesn't follow the object, and reads it again and again
	raced    *raced         // the API server refused a request, because the object had changed
	reading  int            // requests under way that read the target again
	finding  int            // requests under way that read what the plan needs again, while it is being carried out
	halt     []string       // why the plan wasn't carried out to its end
	next     Target         // what these requests have brought
}

// raced is how an object changed between the version of a plan and the request.
type raced struct {
	read   bool // the current version has been read
	effect dryrun.Effect
	err    error
}

// job is one request of a plan.
type job struct {
	step plans.Step
	undo bool // it takes back a step of a former plan
	late bool // its need was found while the plan was being carried out, so it has no dry run

	trying bool             // the dry run is in the line, or under way
	dry    *dryrun.Response // nil: none has arrived
	would  *dryrun.Effect   // what the dry run, or a prediction, changes; nil: unknown

	state    State
	real     *dryrun.Response // the newest response
	did      *dryrun.Effect   // what the request changed; nil: unknown
	tries    int
	again    time.Time // when the request is sent again, while Waiting
	until    time.Time // when the page gives up
	since    time.Time // when the API server accepted the request
	progress plans.Progress
	looking  bool // the object of the goal is being read
	looked   time.Time
}

// State is how far a job is.
type State string

// The states. Planned, Queued, Sending, Waiting and Accepted aren't final.
const (
	Planned  State = "planned"
	Queued   State = "queued"   // it will be sent when requests before it have been answered
	Sending  State = "sending"  // the request is under way
	Waiting  State = "waiting"  // the API server refused it for now (429)
	Accepted State = "accepted" // the goal isn't reached yet
	Done     State = "done"
	Refused  State = "refused"
	Changed  State = "changed" // refused, because the object isn't as it was when the plan was made
	Lost     State = "lost"    // there was no response, so nobody knows whether it was carried out
	Failed   State = "failed"  // it was accepted, but the goal won't be reached
	Stopped  State = "stopped" // the reader stopped it before it was accepted
)

// active tells whether a job needs the page.
func (j *job) active() bool {
	return slices.Contains([]State{Queued, Sending, Waiting, Accepted}, j.state)
}

// writing tells whether a job still has to be accepted.
func (j *job) writing() bool { return slices.Contains([]State{Queued, Sending, Waiting}, j.state) }

// accepted tells whether the API server accepted the request.
func (j *job) accepted() bool { return slices.Contains([]State{Accepted, Done, Failed}, j.state) }

// call is the request of a job, or its dry run.
func (m Model) call(s plans.Step, dry bool) call.Call {
	target, body := s.Target(), s.Request.Body
	if dry {
		target, body = s.DryTarget(), s.DryBody()
	}
	return call.New(m.Shell.Cluster.Slug, s.Request.Method, target, s.Request.ContentType, body)
}

// planned makes the plans of items, for the chosen act and options.
func (m Model) planned(items []*item) {
	a, ok := m.chosenAct()
	chosen := m.chosen()
	for _, it := range items {
		it.plan, it.jobs, it.raced = plans.Plan{}, nil, nil
		if !ok || it.Problem != nil {
			continue
		}
		it.plan = a.Plan(m.subject(it.Target), it.Found, chosen)
		for _, s := range it.plan.Steps {
			it.jobs = append(it.jobs, &job{step: s, state: Planned})
		}
	}
}

// items are the targets with their plans. On the server, they are made for each view.
func (m Model) items() []*item {
	if m.live != nil {
		return m.live.items
	}
	var all []*item
	for i, t := range m.Targets {
		it := &item{Target: t, place: i}
		all = append(all, it)
	}
	m.planned(all)
	return all
}

// all are the jobs of all plans, in the order of their items.
func (m Model) jobs() (all []*job) {
	for _, it := range m.items() {
		all = append(all, it.jobs...)
	}
	return all
}

// is tells whether an item has an active job.
func (it *item) is(active func(*job) bool) bool { return slices.ContainsFunc(it.jobs, active) }

// effect is what a request changes, by the response to it or to its dry run. It is compared with the newest version that the page knows from before
// the request: others may have written since the plan was made.
func (it *item) effect(s plans.Step, a *dryrun.Response, dry bool) *dryrun.Effect {
	var after object.Object
	switch {
	case !a.OK():
		return nil
	case s.Answer == plans.TheObject && s.Path == it.Path:
		after = a.Object
	case s.After != nil:
		after = *s.After
	default:
		return nil
	}
	was := it.Object
	if f := it.followed; f != nil && f.Live() && !f.Gone() && s.Answer == plans.TheObject {
		seen, answered := f.Object.Meta("resourceVersion"), after.Meta("resourceVersion")
		if object.Older(was.Meta("resourceVersion"), seen) && (object.Older(seen, answered) || dry && seen == answered) {
			was = f.Object
		}
	}
	e, err := dryrun.Compare(was, after)
	if err != nil {
		return nil
	}
	return &e
}

// sendable tells whether the dry runs of an item, and the reader's permissions, allow to send its requests.
func (m Model) sendable(it *item) bool {
	if m.not(it) != "" {
		return false
	}
	for _, j := range it.jobs {
		if j.state != Planned || j.dry == nil || !j.dry.OK() && !j.later() {
			return false
		}
	}
	return len(it.jobs) > 0
}

// untried tells whether the dry run of a job was neither sent nor is it going to be.
func (j *job) untried() bool { return j.dry == nil && !j.trying && !j.late && j.state == Planned }

// failed tells whether requests or dry runs of an item failed, so that it can be done again.
func (it *item) failed() bool {
	return slices.ContainsFunc(it.jobs, func(j *job) bool {
		refused := j.state == Planned && j.dry != nil && !j.dry.OK() && !j.later()
		return refused || slices.Contains([]State{Refused, Changed, Lost, Failed, Stopped}, j.state)
	})
}

// later tells whether the API server refuses the request only for now, and the page tries it again.
func (j *job) later() bool {
	return j.step.Retry && j.dry != nil && j.dry.No != nil && j.dry.No.Code == tooMany
}
