package assist

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/assist"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/patch"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/dryrun"
	"github.com/fieldmark/fieldmark/web/follow"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// Actions of the page's buttons.
const (
	doSend = "send"
	doPlan = "plan"
	doKeep = "keep" // don't send the step that waits

	doWatch   = "watch"   // watch until the field is quiet
	doUnwatch = "unwatch" // no longer
)

// Kinds of requests.
const (
	askLook  = "look"  // the object, to make a plan
	askDry   = "dry"   // a step as a dry run
	askReal  = "real"  // a step
	askAfter = "after" // the object after a step whose response isn't the object
	askMay   = "may"   // the permission

	askScalers  = "scalers"  // the autoscalers in the namespace
	askMayScale = "mayscale" // the permission to change one
	askTry      = "try"      // a way to stop a fight, as a dry run
)

// live is the state of the page in the browser. The copies of a Model share it, and only the newest copy is used.
type live struct {
	followed follow.Object
	past     memory
	again    bool // the page reads the object a second time, because the first version was older than the followed one

	may     call.May
	seq     int
	raw     *dryrun.Response // the current object, with secrets: requests contain its values
	looking int              // number of the look under way; 0 if there is none
	run     *run
	said    string // announced last

	fight   *assist.Fight // over the chosen field; nil: none is chosen
	scalers scalers
	trials  map[string]*trial
	vigil   *vigil // nil: the page doesn't watch whether the fight goes on
}

// run is a plan, and how far it is. Only one step is active at a time, the one with the index at:
//
//	look ──▶ begin ──▶ try: dry run ──▶ the reader sends ──▶ done ──▶ settle ──▶ try: dry run of the next step, or over
//	  ▲                   │ 409                               │ 409
//	  └───────────────────┴───────────────────────────────────┘ only if exact: the object has changed
//
// Before the first request is sent, a new version of the object leads to a new plan. After that, the plan stays. Only the next step gets another dry
// run then, and another request if exact (see replan and refresh). If the server refuses a sent step for another reason, the run sends nothing more.
//
// The requests come from plan, which has the values of Secrets. The view reads shown, which has the same steps without these values.
type run struct {
	plan  assist.Plan // as it is sent
	shown assist.Plan // as it is shown, without secrets
	err   error       // why there is no plan
	steps []*step
	at    int           // the next step to send
	state object.Object // the object before this step
	moved bool          // others have written the object between two steps

	exact bool         // the requests are right only for one version, so each version has others
	path  apipath.Path // of another object than the page's, which the steps write; zero: of the page's
}

// step is a step of a plan.
type step struct {
	seq      int
	dry      *dryrun.Response // nil: no dry run yet, or its response has not arrived
	would    *dryrun.Effect   // from the dry run
	foreseen *dryrun.Effect   // predicted, as long as no dry run is possible
	fresh    bool             // the dry run is of this version of the object
	sent     bool
	outrun   int    // how often the object changed before its dry run, one after the other
	late     bool   // the server refused it, because the object had changed; it can be sent again
	waits    bool   // the reader has sent it: it is sent when the object is in the state of the preview (see situation)
	made     string // the situation of the dry run
	promised string // the situation of the preview that the reader has sent
	resent   int    // how often it was sent again for that
	real     *dryrun.Response
	did      *dryrun.Effect
	err      error // why there is no effect
}

// mostOutrun is how often a dry run for one version is repeated for the next, before the page shows the refusal.
const mostOutrun = 5

// Awake implements page.Page.
func (m Model) Awake(now time.Time) (page.Page, []page.Cmd) {
	m.Now, m.live = now, &live{followed: follow.NewObject(m.Object, now)}
	m.live.past.see(m.Object)
	m.meet()
	m.Choice.From = m.chosen().From // fixed now: the first manager in managedFields changes with each write
	may, ask := call.MayI(askMay, m.Shell.Cluster.Slug, "patch", m.Path)
	m.live.may = may
	commands := append([]page.Cmd{ask, m.readObject()}, m.findScalers()...)
	if m.Type.Watchable() {
		commands = append(commands, page.Subscribe{ID: subscription, Cluster: m.Shell.Cluster.Slug, Path: m.Path.String(), As: wire.Object})
	}
	return m, commands
}

// Update implements page.Page.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	switch msg := msg.(type) {
	case page.Tick:
		m.Now = msg.Now
		m.live.followed.Tick(msg.Now)
		return m, m.watched()
	case page.Received:
		return m.received(msg)
	case page.Connection:
		m.live.followed.Connect(msg)
		return m, m.watched()
	case page.Acted:
		if form, _, is := components.ReadCopy(msg.Action); is {
			return m, m.copied(form)
		}
		switch msg.Action {
		case doWatch:
			return m.watch()
		case doUnwatch:
			m.live.vigil = nil
		case doSend:
			return m.promise()
		case doKeep:
			if r := m.live.run; r != nil && r.at < len(r.steps) {
				r.steps[r.at].waits = false
			}
		case doPlan:
			return m.anew()
		}
	case page.Response:
		return m.fetched(msg)
	case page.Addressed:
		if msg.Query.Get(QueryPath) != m.Path.String() {
			return m, []page.Cmd{page.Navigate{Address: web.WithQuery(web.Tool(m.Shell.Cluster.Slug, web.Assist), msg.Query)}}
		}
		return m.choose(ParseChoice(msg.Query, m.shown()))
	}
	return m, nil
}

// choose makes a plan for another choice. It does nothing while a step is being sent.
func (m Model) choose(c Choice) (page.Page, []page.Cmd) {
	if m.sending() {
		return m, nil
	}
	if c.From == "" {
		c.From = c.settled(m.shown()).From
	}
	another, chosen := !c.same(m.Choice), c.Way != "" && c.Do == StopFight
	m.Choice = c
	m.Shell.Here = m.at(c)
	m.meet()
	next, commands := m.anew()
	commands = append(commands, m.findScalers()...)
	if another {
		commands = append([]page.Cmd{page.Remember{Address: m.Shell.Here}}, commands...)
	}
	if another {
		m.live.vigil = nil
	}
	if another && chosen {
		commands = append(commands, page.Focus{ID: "steps"}, page.Reveal{ID: "steps"})
	}
	return next, commands
}

// anew reads the object, and makes a new plan for it.
func (m Model) anew() (page.Page, []page.Cmd) {
	if m.sending() {
		return m, nil
	}
	m.live.run = nil
	return m, []page.Cmd{m.readObject()}
}

// readObject reads the object.
func (m Model) readObject() page.Cmd {
	m.live.seq++
	m.live.looking = m.live.seq
	m.live.followed.Ask()
	return m.fetch(dryrun.ID(askLook, m.live.seq))
}

func (m Model) fetch(id string) page.Cmd {
	return page.Get(id, m.Shell.Cluster.Slug, m.Path.String(), "application/json")
}

// fetched takes in a response.
func (m Model) fetched(f page.Response) (page.Page, []page.Cmd) {
	what, seq := dryrun.ParseID(f.ID)
	switch what {
	case askMay:
		m.live.may.Hear(f)
		return m, nil
	case askScalers:
		return m.foundScalers(f, seq)
	case askMayScale:
		m.live.scalers.may.Hear(f)
		return m, nil
	case askTry:
		m.triedWay(f, seq)
		return m, nil
	case askLook:
		if m.live.looking != seq {
			return m, nil
		}
		m.live.looking, m.live.raw = 0, dryrun.Read(f)
		return m.startPlan()
	}
	s := m.awaited(seq)
	if s == nil {
		return m, nil // of a former plan
	}
	switch what {
	case askDry:
		a := dryrun.Read(f)
		if m.live.run.exact && a.No != nil && a.No.Code == 409 && s.outrun < mostOutrun {
			s.outrun++
			return m, []page.Cmd{m.readObject()}
		}
		s.outrun = 0
		if m.tried(s, a); s.waits && m.prevents(false) == "" && s.made == s.promised {
			return m.sendNextStep()
		}
	case askReal:
		return m.done(s, dryrun.Read(f))
	case askAfter:
		return m.finishStep(s, dryrun.Read(f))
	}
	return m, m.say()
}

// awaited is the step that a response belongs to; nil if it belongs to none. Each dry run and each send gives the step a new seq, so responses to
// earlier ones are dropped.
func (m Model) awaited(seq int) *step {
	r := m.live.run
	if r == nil || r.at >= len(r.steps) || r.steps[r.at].seq != seq {
		return nil
	}
	return r.steps[r.at]
}

// startPlan makes the plan for the object that was read, with a dry run of the first step.
func (m Model) startPlan() (page.Page, []page.Cmd) {
	if !m.live.raw.OK() {
		return m, m.say()
	}
	m.live.past.see(m.live.raw.Object.Masked())
	commands := append(m.replan(), m.say()...)
	commands = append(commands, m.tryWays()...)
	if m.behind() {
		commands = append(commands, m.readObject())
	}
	return m, commands
}

// newRun makes a plan for an object.
func newRun(c Choice, o object.Object, past *memory) *run {
	r := &run{state: o, exact: c.Do == StopFight}
	if r.plan, r.err = c.plan(o, past); r.err != nil {
		return r
	}
	if r.shown, r.err = c.plan(o.Masked(), past); r.err != nil {
		return r
	}
	for range r.plan.Steps {
		r.steps = append(r.steps, &step{})
	}
	if s, ok := c.scaler(past); ok {
		r.state, r.path = object.Object{Fields: s.Object}, scalerPath(o, s)
	}
	return r
}

// elsewhere tells whether the steps write another object than the page's.
func (r *run) elsewhere() bool { return r.path.IsResource() }

// over tells whether all steps are done.
func (r *run) over() bool { return len(r.steps) > 0 && r.at >= len(r.steps) }

// request is a step as a request on its object.
func (m Model) request(r *run, p patch.Request) call.Call {
	path := m.Path
	if r.elsewhere() {
		path = r.path
	}
	if p.Subresource != "" {
		path = apipath.SubresourceOf(path, p.Subresource)
	}
	target := path.String()
	if len(p.Query) > 0 {
		target += "?" + p.Query.Encode()
	}
	return call.New(m.Shell.Cluster.Slug, p.Method, target, p.ContentType, p.Body)
}

// try makes a dry run of the next step. With keep, the page shows the former result until the response arrives.
func (m Model) try(keep bool) []page.Cmd {
	r := m.live.run
	if r.err != nil || r.at >= len(r.steps) {
		return nil
	}
	m.refresh()
	m.live.seq++
	s := r.steps[r.at]
	if s.seq, s.fresh = m.live.seq, false; !keep {
		s.dry, s.would, s.foreseen, s.err = nil, nil, nil, nil
	}
	return []page.Cmd{m.request(r, r.plan.Steps[r.at].Request).Dry().Send(dryrun.ID(askDry, s.seq))}
}

// refresh makes the next step right for the newest version, if its request names the version.
func (m Model) refresh() {
	r := m.live.run
	if !r.exact || r.elsewhere() || r.at == 0 {
		return
	}
	for _, s := range newRun(m.Choice, r.state, &m.live.past).plan.Steps {
		if s.Title == r.plan.Steps[r.at].Title {
			r.plan.Steps[r.at] = s
		}
	}
	for _, s := range newRun(m.Choice, r.state.Masked(), &m.live.past).plan.Steps {
		if s.Title == r.shown.Steps[r.at].Title {
			r.shown.Steps[r.at] = s
		}
	}
}

// tried takes in the dry run of a step, and predicts the effects of the steps after it.
func (m Model) tried(s *step, a *dryrun.Response) {
	r := m.live.run
	s.dry, s.would, s.err, s.fresh = a, nil, nil, true
	if !a.OK() {
		return
	}
	s.made = m.situation(a)
	s.would, s.err = effect(r.state, a.Object)
	if s.err != nil {
		return
	}
	state := a.Object
	for _, later := range r.steps[r.at+1:] {
		next, err := m.chosen().foreseen(state)
		if err != nil {
			later.err = err
			return
		}
		later.foreseen, later.err = effect(state, next)
		state = next
	}
}

// effect compares two versions of the object.
func effect(before, after object.Object) (*dryrun.Effect, error) {
	if before.Kind() != after.Kind() {
		return nil, errors.New("the response has another kind of object, so it doesn’t show the owners")
	}
	e, err := dryrun.Compare(before, after)
	return &e, err
}

// sending tells whether a step is being sent. If a successful response isn't the object, this stays true until the object has been read (askAfter).
func (m Model) sending() bool {
	r := m.live.run
	return r != nil && r.at < len(r.steps) && r.steps[r.at].sent && (r.steps[r.at].real == nil || r.steps[r.at].real.OK())
}

// failed tells whether the API server refused a step. Then nothing more is sent.
func (m Model) failed() bool {
	r := m.live.run
	return r != nil && r.at < len(r.steps) && r.steps[r.at].real != nil && !r.steps[r.at].real.OK()
}

// unready says why the reader can't send the next step now; empty if that is possible.
func (m Model) unready() string {
	if m.live != nil && m.live.run != nil && m.live.run.at < len(m.live.run.steps) && m.live.run.steps[m.live.run.at].waits {
		return "Fieldmark sends the step when the object is in the state of the preview again."
	}
	return m.prevents(false)
}

// prevents says why the next step can't be sent now; empty if it can. With stale, its dry run may be of an earlier version.
func (m Model) prevents(stale bool) string {
	if m.live == nil {
		return "Fieldmark sends the dry run when its program has started."
	}
	r, may := m.live.run, m.live.may
	if r != nil && r.elsewhere() {
		may = m.live.scalers.may
	}
	if why := may.Not(m.Shell.Limit()); why != "" {
		return why
	}
	switch {
	case m.live.followed.Gone():
		return "The object has been deleted."
	case r == nil && m.live.looking > 0:
		return "Fieldmark is reading the object."
	case r == nil || r.err != nil || r.at >= len(r.steps):
		return "The plan has no step to send."
	case m.sending():
		return "Fieldmark is sending the step."
	case m.failed():
		return "The API server refused the step, so Fieldmark stopped. Plan again with the current object."
	case r.steps[r.at].dry == nil, m.careful() && !stale && !r.steps[r.at].fresh:
		return "Fieldmark is waiting for the dry run."
	case !r.steps[r.at].dry.OK():
		return "The API server refuses the step."
	case m.careful() && r.steps[r.at].would != nil && len(r.steps[r.at].would.Values) > 0:
		return "In this version, nobody else owns the field, so this apply would change its value. Wait until another manager owns the field."
	}
	return ""
}

// careful tells whether the next step ends the fight, so that it must not change a value: a manager gives the field up.
func (m Model) careful() bool {
	r := m.live.run
	return m.Choice.Do == StopFight && m.Choice.Way != WayLimit && r.at == len(r.steps)-1
}

// promise sends the next step. If the object has changed since the preview, the step waits until the object is in the state of the preview again: in
// a fight, it changes all the time.
func (m Model) promise() (page.Page, []page.Cmd) {
	if m.unready() != "" && !m.outdated() {
		return m, nil
	}
	s := m.live.run.steps[m.live.run.at]
	s.promised, s.resent = s.made, 0
	if m.prevents(false) != "" {
		s.waits = true
		return m, m.say()
	}
	return m.sendNextStep()
}

// outdated tells whether the next step could be sent, if its preview were not of an earlier version of the object.
func (m Model) outdated() bool {
	r := m.live.run
	if r == nil || !r.exact || r.elsewhere() || r.at >= len(r.steps) {
		return false
	}
	s := r.steps[r.at]
	return !s.fresh && !s.waits && s.dry != nil && m.prevents(true) == ""
}

// situation is the state of the object that matters for a step: who owns the field before and after it, and whether the value changes. The value itself
// doesn't matter, because an autoscaler writes another one each time.
func (m Model) situation(dry *dryrun.Response) string {
	o := assist.OutcomeOf(m.live.run.state.Fields, dry.Object.Fields, m.Choice.contested(), nil)
	all := []string{strconv.FormatBool(o.Old == o.New)}
	for _, f := range o.Fates {
		all = append(all, fmt.Sprintf("%s %t %t", f.Key(), f.Before, f.After))
	}
	slices.Sort(all[1:])
	return strings.Join(all, "\n")
}

// sendNextStep sends the next step.
func (m Model) sendNextStep() (page.Page, []page.Cmd) {
	r := m.live.run
	s := r.steps[r.at]
	m.live.seq++
	s.seq, s.sent, s.late, s.waits = m.live.seq, true, false, false
	return m, []page.Cmd{m.request(r, r.plan.Steps[r.at].Request).Send(dryrun.ID(askReal, s.seq))}
}

// done takes in the response to a step. If exact, a 409 says that the object has changed and nothing was written. The step is sent again when the
// object is in the state of the preview again, a few times.
func (m Model) done(s *step, a *dryrun.Response) (page.Page, []page.Cmd) {
	s.real = a
	switch {
	case !a.OK() && a.No.Code == 409 && m.live.run.exact:
		s.real, s.sent, s.late = nil, false, true
		if s.resent++; s.resent <= mostOutrun && !m.live.run.elsewhere() {
			s.waits = true
		}
		return m, []page.Cmd{m.readObject()}
	case !a.OK():
		return m, m.say()
	case a.Object.Kind() != m.live.run.state.Kind():
		return m, []page.Cmd{m.fetch(dryrun.ID(askAfter, s.seq))}
	}
	return m.finishStep(s, a)
}

// finishStep shows the effect of a step, and makes a dry run of the next one. The step counts as done, even if the new object can't be read.
func (m Model) finishStep(s *step, after *dryrun.Response) (page.Page, []page.Cmd) {
	r := m.live.run
	r.at++
	if !after.OK() {
		s.err = fmt.Errorf("the new object can’t be read: %s", after.No)
		return m, append(m.try(false), m.say()...)
	}
	s.did, s.err = effect(r.state, after.Object)
	r.state, r.moved = after.Object, false
	if r.over() && !r.elsewhere() {
		m.live.past = memory{scalers: m.live.past.scalers}
		m.live.past.see(after.Object.Masked())
	}
	commands := append(m.ended(), m.try(false)...)
	return m, append(append(commands, m.focus()...), m.say()...)
}

// focus moves the focus to the next step or to the end, because the button that was used is gone.
func (m Model) focus() []page.Cmd {
	next := "over"
	if !m.live.run.over() {
		next = fmt.Sprintf("step-%d", m.live.run.at)
	}
	return []page.Cmd{page.Focus{ID: next}, page.Reveal{ID: next}}
}

// say announces the state to screen readers, if it has changed.
func (m Model) say() []page.Cmd {
	words := m.sum()
	if words == m.live.said || words == "" {
		return nil
	}
	m.live.said = words
	return []page.Cmd{page.Announce{Words: words}}
}

// sum is the state in a sentence; empty if there is nothing to say.
func (m Model) sum() string {
	l := m.live
	if l != nil && l.vigil != nil {
		return l.vigil.sum(m)
	}
	switch {
	case l == nil || l.raw == nil || l.run == nil && l.looking > 0:
		return ""
	case !l.raw.OK():
		return "Fieldmark can’t read the object."
	case l.run == nil:
		return ""
	case l.run.err != nil:
		return l.run.err.Error()
	case len(l.run.steps) == 0:
		return l.run.plan.Nothing
	case l.run.over():
		return "Done."
	case m.failed():
		return fmt.Sprintf("The API server refused step %d.", l.run.at+1)
	case l.run.steps[l.run.at].dry == nil:
		return ""
	case !l.run.steps[l.run.at].dry.OK():
		return fmt.Sprintf("The API server refused the dry run of step %d.", l.run.at+1)
	}
	return fmt.Sprintf("Step %d of %d is ready to send.", l.run.at+1, len(l.run.steps))
}
