package act

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	plans "github.com/fieldmark/fieldmark/kube/act"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/dryrun"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// What the page does without being told otherwise.
const (
	tooMany    = 429
	missing    = 404
	retryAfter = 5 * time.Second  // between two tries, if the response doesn't say
	longest    = 60 * time.Second // between two tries, whatever the response says
	lookEvery  = 2 * time.Second  // between two reads of an object that the page doesn't follow

	looksEachSecond = 8 // such reads, of all objects together
)

// The reader starts jobs with send. Undos start with takeBack, and are Queued at once. Then responses and proceed move each job on:
//
//	Planned ── stage ──▶ Queued ── line ──▶ Sending ─┬─ OK ──────────▶ Accepted ── judge ──▶ Done or Failed
//	                                                 ├─ 429 ─────────▶ Waiting, then Queued again; Refused without Retry, or after until
//	                                                 ├─ 409 ─────────▶ Changed: proceed reads again for a new plan, and the reader must send that one
//	                                                 ├─ no response ─▶ Lost: it may have been carried out. The page neither repeats nor undoes it
//	                                                 └─ else ────────▶ Refused
//
// There are two exceptions. A 404 is Done if the goal accepts a missing object (Goal.Judge). AlreadyExists is a 409, but Refused.

// handleAction does the action of a button.
func (m Model) handleAction(action string) (Model, []page.Cmd) {
	l := m.live
	switch {
	case action == doTry:
		m.planAgain(l.items)
	case action == doAgain && !m.busy():
		m.planAgain(m.failed())
	case action == doCancel:
		l.line.dropDry(func(order) bool { return true })
	case action == doRest && !m.busy():
		m.tryAll(l.items)
	case action == doSend && m.unready() == "":
		if !m.Practice {
			l.asking = sending
			return m, []page.Cmd{page.Focus{ID: "confirm"}}
		}
		return m.sendItems()
	case action == doUndo && !m.busy():
		if !m.Practice {
			l.asking = undoing
			return m, []page.Cmd{page.Focus{ID: "confirm"}}
		}
		return m.takeBack()
	case action == doConfirm && l.asking == sending:
		return m.sendItems()
	case action == doConfirm && l.asking == undoing:
		return m.takeBack()
	case action == doLeave:
		l.asking = nothing
	case action == doStop:
		m.stop()
	}
	return m, nil
}

// sendItems sends the requests of all items whose dry runs passed.
func (m Model) sendItems() (Model, []page.Cmd) {
	m.live.asking = nothing
	if m.unready() != "" {
		return m, nil
	}
	for _, it := range m.live.items {
		if m.sendable(it) {
			m.stage(it, it.jobs[0].step.Stage)
		}
	}
	return m, shown()
}

// shown shows the state of the page.
func shown() []page.Cmd { return []page.Cmd{page.Focus{ID: "state"}, page.Reveal{ID: "state"}} }

// stage puts the requests of a stage into the line.
func (m Model) stage(it *item, stage int) {
	for _, j := range it.jobs {
		if j.step.Stage == stage && j.state == Planned {
			j.until = m.live.now.Add(it.plan.Patience)
			m.queue(it, j)
		}
	}
}

// planAgain reads items again, plans and tries them again, and asks again for the permissions.
func (m Model) planAgain(items []*item) {
	clear(m.live.may)
	m.reread(items...)
}

// failed are the items that can be done again.
func (m Model) failed() (all []*item) {
	if m.live == nil {
		return nil
	}
	for _, it := range m.live.items {
		if it.failed() {
			all = append(all, it)
		}
	}
	return all
}

// queue puts the request of a job into the line.
func (m Model) queue(it *item, j *job) {
	j.state = Queued
	m.live.line.addRequest(it, j, m.call(j.step, false), func(f page.Response) { m.answered(it, j, f) })
}

// answered takes in the response to a request.
func (m Model) answered(it *item, j *job, f page.Response) {
	l := m.live
	j.real = dryrun.Read(f)
	switch {
	case j.real.OK():
		j.did, j.state, j.since = it.effect(j.step, j.real, false), Accepted, l.now
		j.judge(answerOf(j), endedBy(j))
		if j.step.Again && !j.undo {
			m.findAgain(it, j)
		}
	case j.real.No.Code == 0:
		j.state = Lost
	case j.real.No.Code == missing && j.step.Goal.Kind == plans.Gone: // somebody else has deleted what this request deletes
		j.state, j.progress = Done, j.step.Goal.Judge(object.Object{}, true)
	case j.real.No.Code == tooMany && j.step.Retry:
		j.state, j.again = Waiting, l.now.Add(pause(f))
		if j.again.After(j.until) {
			j.state = Refused
		}
	case j.real.No.Code == status.CodeConflict && j.real.No.Reason != status.AlreadyExists:
		j.state = Changed
	default:
		j.state = Refused
	}
}

// endedBy tells whether a response says that the object is gone. To a deletion, that is a Status in place of the object.
func endedBy(j *job) bool {
	return j.step.Answer == plans.TheEnd && j.real.Object.Kind() == "Status"
}

// answerOf is the object in a response, for the goal; empty if the response has another object.
func answerOf(j *job) object.Object {
	if (j.step.Answer == plans.TheObject || j.step.Answer == plans.TheEnd) && j.step.Path == j.step.Goal.Path {
		return j.real.Object
	}
	return object.Object{}
}

// pause is how long to wait until a request is tried again.
func pause(f page.Response) time.Duration {
	seconds, err := strconv.Atoi(strings.TrimSpace(request.Field(f.Header, "retry-after")))
	if err != nil || seconds <= 0 {
		return retryAfter
	}
	return min(time.Duration(seconds)*time.Second, longest)
}

// handleObject takes in a version of the object that the page follows. A version from before the request says nothing.
func (j *job) handleObject(o object.Object, gone bool) {
	if gone || !object.Older(o.Meta("resourceVersion"), j.real.Object.Meta("resourceVersion")) {
		j.judge(o, gone)
	}
}

// judge says how far a job is on the way to its goal. An object without fields says nothing, unless there is no goal.
func (j *job) judge(o object.Object, gone bool) {
	if o.Fields == nil && !gone && j.step.Goal.Kind != plans.Done {
		return
	}
	j.progress = j.step.Goal.Judge(o, gone)
	switch {
	case j.progress.Reached:
		j.state = Done
	case j.progress.Failed:
		j.state = Failed
	}
}

// proceed does what is due: requests of the next stage, those that the API server refused for now, and reads of objects that change. It runs after
// most messages, so it starts nothing that is already under way.
func (m Model) proceed() {
	pause := m.lookPause()
	for _, it := range m.live.items {
		for _, j := range it.jobs {
			switch {
			case j.state == Waiting && !m.live.now.Before(j.again):
				m.queue(it, j)
			case j.state == Accepted:
				m.checkGoal(it, j, pause)
			case j.state == Done && j.step.Goal.Kind == plans.Replicas && it.followed != nil && it.followed.Live():
				j.handleObject(it.followed.Object, it.followed.Gone()) // an autoscaler may write its own number
			}
		}
		m.advance(it)
		if it.is((*job).active) || it.reading > 0 || it.raced != nil {
			continue
		}
		if it.is(func(j *job) bool { return j.state == Changed }) {
			m.reread(it)
			it.raced = &raced{}
		}
	}
}

// advance begins the next stage of an item, when all requests of the stages before are accepted. Their goals may still be open. If a job ends
// unaccepted, later stages don't begin. In the last stage, jobs that extend added still begin.
func (m Model) advance(it *item) {
	begun := it.is(func(j *job) bool { return j.state != Planned })
	if !begun || it.finding > 0 {
		return
	}
	for _, j := range it.jobs {
		if j.state == Planned {
			m.stage(it, j.step.Stage)
			return
		}
		if !j.accepted() && (j.active() || !last(it, j)) {
			return
		}
	}
}

// findAgain reads what the plan needs once more, after a step that asks for it.
func (m Model) findAgain(it *item, j *job) {
	a, chosen := m.chosenAct()
	if !chosen {
		return
	}
	s, found := m.subject(it.Target), plans.Found{}
	s.Object = j.real.Object
	reads := a.Reads(s)
	it.finding = len(reads)
	for _, r := range reads {
		x := call.New(m.Shell.Cluster.Slug, request.Get, r.Target(), "", nil)
		m.live.line.addRequest(it, nil, x, func(f page.Response) {
			found[r.Name] = resultOf(f)
			if it.finding--; it.finding == 0 {
				it.extend(a.Plan(s, found, m.chosen()), reads, found)
			}
		})
	}
}

// extend adds the steps of a newer plan to the plan that is being carried out. If the newer plan needs a choice, or couldn't be made, the requests
// that aren't sent yet are stopped.
func (it *item) extend(newer plans.Plan, reads []plans.Read, found plans.Found) {
	it.halt = slices.Sorted(maps.Values(newer.Wrong))
	for _, r := range reads {
		if no := found[r.Name].No; no != nil && r.Required {
			it.halt = append(it.halt, "The API server refused to list "+r.What+" again: "+no.Message)
		}
	}
	if len(it.halt) > 0 {
		for _, j := range it.jobs {
			if j.state == Planned {
				j.state = Stopped
			}
		}
		return
	}
	for _, s := range newer.Steps {
		if !it.is(func(j *job) bool { return j.step.Same(s) }) {
			it.jobs = append(it.jobs, &job{step: s, state: Planned, late: true})
		}
	}
}

// last tells whether a job is of the last stage.
func last(it *item, j *job) bool { return it.jobs[len(it.jobs)-1].step.Stage == j.step.Stage }

// checkGoal judges the object of a job's goal. If the page doesn't follow it, it is read, some time after the last read.
func (m Model) checkGoal(it *item, j *job, pause time.Duration) {
	now := m.live.now
	if it.followed != nil && it.followed.Live() && j.step.Goal.Path == it.Path {
		j.handleObject(it.followed.Object, it.followed.Gone()) // it may have reached the goal before the response arrived
		return
	}
	if j.looking || now.Sub(j.looked) < pause {
		return
	}
	j.looking, j.looked = true, now
	x := call.New(m.Shell.Cluster.Slug, request.Get, j.step.Goal.Path.String(), "", nil)
	m.live.line.addRequest(it, nil, x, func(f page.Response) {
		j.looking, j.looked = false, m.live.now
		switch a := dryrun.Read(f); {
		case j.state != Accepted:
		case a.OK():
			j.judge(a.Object, false)
		case a.Missing():
			j.judge(object.Object{}, true)
		}
	})
}

// lookPause is the time between two reads of an object. The more objects have a goal, the longer it is: the page reads a few objects each second.
func (m Model) lookPause() time.Duration {
	return max(lookEvery, time.Duration(m.jobCount(Accepted))*time.Second/looksEachSecond)
}

// stop stops what isn't accepted yet. Requests under way can't be taken back; the page follows what was accepted.
func (m Model) stop() {
	for _, j := range m.live.line.stop() {
		j.state = Stopped
	}
	for _, it := range m.live.items {
		if it.finding > 0 {
			m.forget(it)
		}
	}
	for _, j := range m.jobs() {
		if j.state == Waiting || j.state == Planned {
			j.state = Stopped
		}
		if j.state == Sending {
			j.until = m.live.now // it isn't tried again
		}
	}
}

// forget drops an item's reads and dry runs, so it waits for none of them.
func (m Model) forget(it *item) {
	m.live.line.drop(it)
	it.reading, it.finding = 0, 0
	for _, j := range it.jobs {
		j.looking = false
	}
}

// undoes are the steps that take back what was accepted, the last one first.
func (it *item) undoes() (steps []plans.Step) {
	for _, j := range slices.Backward(slices.Concat(it.past, it.jobs)) {
		if j.step.Undo != nil && j.accepted() && !j.undo {
			steps = append(steps, *j.step.Undo)
		}
	}
	return steps
}

// undoes are the steps that take back what the page has done.
func (m Model) undoes() (steps []plans.Step) {
	if m.live == nil {
		return nil
	}
	for _, it := range m.live.items {
		steps = append(steps, it.undoes()...)
	}
	return steps
}

// takeBack sends the steps that take back what was accepted. Their jobs have no until, so a 429 refuses them at once.
func (m Model) takeBack() (Model, []page.Cmd) {
	m.live.asking = nothing
	for _, it := range m.live.items {
		steps := it.undoes()
		if len(steps) == 0 {
			continue
		}
		m.forget(it)
		it.past, it.jobs, it.raced = nil, nil, nil
		for _, s := range steps {
			j := &job{step: s, undo: true}
			it.jobs = append(it.jobs, j)
			m.queue(it, j)
		}
	}
	return m, shown()
}

// reread reads items again, with what their plans need, and then makes their plans again.
func (m Model) reread(items ...*item) {
	a, chosen := m.chosenAct()
	for _, it := range items {
		if it.is((*job).writing) || it.reading > 0 || it.Path.Name == "" {
			continue
		}
		m.forget(it)
		it.next = Target{Path: it.Path, Type: it.Type, Found: plans.Found{}, At: m.live.now}
		reads := []plans.Read{}
		if chosen {
			reads = a.Reads(m.subject(it.Target))
		}
		it.reading = 1 + len(reads)
		if it.followed != nil {
			it.followed.Ask()
		}
		m.readTarget(it, it.Path.String(), func(f page.Response) { it.found(dryrun.Read(f)) })
		for _, r := range reads {
			m.readTarget(it, r.Target(), func(f page.Response) { it.next.Found[r.Name] = resultOf(f) })
		}
	}
}

// readTarget reads something that an item needs. After the last of them, the item gets its plan.
func (m Model) readTarget(it *item, target string, take func(page.Response)) {
	x := call.New(m.Shell.Cluster.Slug, request.Get, target, "", nil)
	m.live.line.addRequest(it, nil, x, func(f page.Response) {
		take(f)
		if it.reading--; it.reading == 0 {
			m.refreshed(it)
		}
	})
}

// resultOf is the response to a Read.
func resultOf(f page.Response) plans.Result {
	if !f.OK() {
		no := status.Parse(f.Status, f.Body)
		return plans.Result{No: &no}
	}
	r, err := ReadResult(f.Body)
	if err != nil {
		r.No = &status.Status{Code: f.Status, Message: "Fieldmark can’t read the response: " + err.Error()}
	}
	return r
}

// found takes in the current version of an item's object.
func (it *item) found(a *dryrun.Response) {
	if a.OK() {
		it.next.Object = a.Object.Masked()
		return
	}
	problem := call.Refusal(a.No)
	it.next.Problem = &problem
}

// refreshed makes the plan of an item again, with what was read.
func (m Model) refreshed(it *item) {
	before, race := it.Object, it.raced
	it.Target = it.next
	if it.followed != nil && it.Problem == nil {
		it.followed.Take(it.Object)
	}
	m.plan(it)
	if race != nil && !race.read {
		race.read = true
		if it.Problem == nil {
			race.effect, race.err = dryrun.Compare(before, it.Object)
		}
		it.raced = race
	}
}
