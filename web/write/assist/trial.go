package assist

import (
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/assist"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/dryrun"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// mostResults is for how many different owners of the field a way is tried, and mostTries how often at most.
const (
	mostResults = 4
	mostTries   = 12
	mostTrials  = 32 // ways that were ever tried: an autoscaler wants another limit each time
)

// trial is the dry run of a way, for each owner that the field had.
type trial struct {
	seq     int    // under way; 0: none
	tries   int    // so far
	while   string // the owners of the field in the request under way
	run     *run   // the plan under way
	results []result
	no      *status.Status // the last refusal
	nothing string         // why the way has no request
}

// result is what a way does while the field has certain owners.
type result struct {
	while   string // the owners, in words
	outcome assist.Outcome
	effect  *dryrun.Effect // on another object; nil: the way writes the page's object
	err     error
	at      time.Time
}

// owning are the owners of the field now, in words.
func owning(o object.Object, field string) string {
	var names []string
	f := assist.NewFight(field)
	f.See(o.Masked().Fields, time.Time{})
	for _, w := range f.Wants {
		names = append(names, w.Words())
	}
	slices.Sort(names)
	if len(names) == 0 {
		return "nobody"
	}
	return strings.Join(names, " and ")
}

// tryWays tries the ways that have no result for the owners that the field has now.
func (m Model) tryWays() []page.Cmd {
	l := m.live
	if l.fight == nil || m.Choice.Do != StopFight || !l.raw.OK() {
		return nil
	}
	while := owning(l.raw.Object, l.fight.Path)
	var commands []page.Cmd
	for _, c := range m.cards() {
		if c.choice.Way == "" {
			continue
		}
		t := l.trials[c.key()]
		if t == nil && len(l.trials) == mostTrials {
			continue
		}
		if t == nil {
			t = &trial{}
			l.trials[c.key()] = t
		}
		if t.seq > 0 || t.tries == mostTries || len(t.results) == mostResults || t.known(while) || t.no != nil {
			continue
		}
		t.run = newRun(c.choice, l.raw.Object, &l.past)
		if t.run.err != nil || len(t.run.steps) == 0 {
			t.nothing = t.run.plan.Nothing
			continue
		}
		l.seq++
		t.tries++
		t.seq, t.while, t.nothing = l.seq, while, ""
		commands = append(commands, m.request(t.run, t.run.plan.Steps[0].Request).Dry().Send(dryrun.ID(askTry, t.seq)))
	}
	return commands
}

// known tells whether there is a result for these owners of the field.
func (t *trial) known(while string) bool {
	return slices.ContainsFunc(t.results, func(r result) bool { return r.while == while })
}

// triedWay takes in the dry run of a way.
func (m Model) triedWay(f page.Response, seq int) {
	for key, t := range m.live.trials {
		if t.seq != seq {
			continue
		}
		t.seq = 0
		a := dryrun.Read(f)
		if t.no = a.No; t.no != nil && t.no.Code == 409 {
			t.no = nil // for another version
		}
		if !a.OK() || a.Object.Meta("resourceVersion") != t.run.state.Meta("resourceVersion") {
			return // refused, or of another version: a dry run doesn't change the resourceVersion
		}
		t.results = append(t.results, m.resultOf(key, t, a.Object))
		slices.SortFunc(t.results, func(a, b result) int { return strings.Compare(a.while, b.while) })
		return
	}
}

// resultOf compares the object before the way with the object after its last step. The steps after the first one are predicted.
func (m Model) resultOf(key string, t *trial, after object.Object) result {
	r := result{while: t.while, at: m.Now}
	before := t.run.state
	if t.run.elsewhere() {
		r.effect, r.err = effect(before, after)
		return r
	}
	for _, c := range m.cards() {
		for i := 1; c.key() == key && i < len(t.run.steps) && r.err == nil; i++ {
			after, r.err = c.choice.foreseen(after)
		}
	}
	if r.err != nil || before.Kind() != after.Kind() {
		after = before
	}
	masked := before.Masked()
	var involved []ownership.Manager
	for _, p := range m.parties() {
		involved = append(involved, p.Manager)
	}
	r.outcome = assist.OutcomeOf(masked.Fields, after.MaskedBeside(before).Fields, m.Choice.contested(), involved)
	return r
}

// trialOf is what is known of a way; nil: nothing yet.
func (m Model) trialOf(c card) *trial {
	if m.live == nil {
		return nil
	}
	return m.live.trials[c.key()]
}

// scalers are the HorizontalPodAutoscalers of the object, as the page found them.
type scalers struct {
	seq  int // of the request under way; 0: none
	read bool
	more bool           // the namespace has more autoscalers than the page reads
	no   *status.Status // why they can't be read
	may  call.May       // whether the reader may change the first one
}

// mostScalers is how many autoscalers of the namespace are read.
const mostScalers = "200"

// findScalers reads the autoscalers in the object's namespace, if the fight is over the number of replicas.
func (m Model) findScalers() []page.Cmd {
	_, serves := m.Type.Subresource("scale")
	if m.Choice.contested() != replicas || !serves || !m.Type.Namespaced || m.live.scalers.seq > 0 {
		return nil
	}
	m.live.seq++
	m.live.scalers.seq = m.live.seq
	path := apipath.Collection("autoscaling", "v2", m.Path.Namespace, "horizontalpodautoscalers").String() + "?limit=" + mostScalers
	return []page.Cmd{page.Get(dryrun.ID(askScalers, m.live.seq), m.Shell.Cluster.Slug, path, "application/json")}
}

// foundScalers takes in the autoscalers.
func (m Model) foundScalers(f page.Response, seq int) (page.Page, []page.Cmd) {
	s := &m.live.scalers
	if s.seq != seq {
		return m, nil
	}
	a := dryrun.Read(f)
	s.seq, s.read, s.no, s.more = 0, true, a.No, false
	if !a.OK() {
		return m, nil
	}
	s.more = a.Object.Meta("continue") != ""
	items, _ := a.Object.Fields["items"].([]any)
	var all []map[string]any
	for _, item := range items {
		if o, is := item.(map[string]any); is {
			o["apiVersion"], o["kind"] = "autoscaling/v2", "HorizontalPodAutoscaler" // items of a list have no type
			all = append(all, o)
		}
	}
	m.live.past.scalers = assist.ScalersOf(all, m.Type.GroupVersion(), m.Type.Kind, m.Path.Name)
	var commands []page.Cmd
	if found := m.live.past.scalers; len(found) > 0 {
		var ask page.Cmd
		s.may, ask = call.MayI(askMayScale, m.Shell.Cluster.Slug, "patch", scalerPath(m.Object, found[0]))
		commands = append(commands, ask)
	}
	if m.live.raw.OK() && m.Choice.Way == WayLimit && !m.live.run.under() {
		commands = append(commands, m.replan()...)
	}
	return m, append(commands, m.tryWays()...)
}
