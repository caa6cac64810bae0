package handover

import (
	"bytes"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// The page follows its object: lists and plan are of the newest version. Managers that fight over a field own it in turns, and one that
// owns nothing else leaves the record in between. So the page remembers who owned what since it was opened:
//
//	version   owns .spec.replicas        listed          plan
//	1         gitops                     gitops          hand over from gitops
//	2         autoscaler                 both            the same, and that it changes hands
//	3         gitops                     both            the same
//
// Once a sequence is done, the memory begins again: what the sequence took from a manager is no fight.

// subscription is the id of the page's subscription to its object.
const subscription = 1

// memory is who owned what in the versions that the page has seen. The zero value is empty; nil remembers nothing.
type memory struct {
	managers []ownership.Manager        // in the order in which they came
	fields   map[string]map[string]bool // by a manager's key: each path that it owned, and whether it lost it since
}

// see takes a version in.
func (r *memory) see(o object.Object) {
	if r.fields == nil {
		r.fields = map[string]map[string]bool{}
	}
	blame := ownership.Parse(o.Fields).On(manifest.Tree(o.Fields), nil)
	for _, m := range blame.Record.Managers() {
		if r.fields[key(m.Manager)] == nil {
			r.managers = append(r.managers, m.Manager)
			r.fields[key(m.Manager)] = map[string]bool{}
		}
	}
	for _, m := range r.managers {
		owned := r.fields[key(m)]
		now := map[string]bool{}
		for _, f := range heldBy(blame, m) {
			now[f.path] = true
			if _, known := owned[f.path]; !known {
				owned[f.path] = false
			}
		}
		for path := range owned {
			owned[path] = owned[path] || !now[path]
		}
	}
}

// manager finds one that was seen.
func (r *memory) manager(wanted string) (ownership.Manager, bool) {
	if r == nil {
		return ownership.Manager{}, false
	}
	if i := slices.IndexFunc(r.managers, func(m ownership.Manager) bool { return key(m) == wanted }); i >= 0 {
		return r.managers[i], true
	}
	return ownership.Manager{}, false
}

// contested tells whether a manager lost one of these fields since the page was opened.
func (r *memory) contested(from ownership.Manager, paths []string) bool {
	return r != nil && slices.ContainsFunc(paths, func(path string) bool { return r.fields[key(from)][path] })
}

// fields are those that a manager holds, and those that it held and the object still has, each at the same place whoever holds it.
func (m Model) fields(from string) []field {
	o := m.shown()
	all := fieldsOf(o, from)
	past := m.past()
	if past == nil || len(past.fields[from]) == 0 {
		return all
	}
	now := map[string]bool{}
	for _, f := range all {
		now[f.path] = true
	}
	blame := ownership.Parse(o.Fields).On(manifest.Tree(o.Fields), nil)
	for path := range past.fields[from] {
		if nodes := blame.Find(path); !now[path] && len(nodes) > 0 {
			all = append(all, field{path: path, value: brief(nodes[0]), lost: true})
		}
	}
	slices.SortStableFunc(all, func(a, b field) int { return strings.Compare(a.path, b.path) })
	return all
}

// steady puts the managers of a record in the order in which they came, with those that left it in between.
func (m Model) steady(all []ownership.Share) []ownership.Share {
	past := m.past()
	if past == nil {
		return all
	}
	var steady []ownership.Share
	for _, known := range past.managers {
		i := slices.IndexFunc(all, func(s ownership.Share) bool { return key(s.Manager) == key(known) })
		if i >= 0 {
			steady = append(steady, all[i])
			continue
		}
		left := ownership.Share{}
		left.Manager = known
		steady = append(steady, left)
	}
	return steady
}

// keyed is the manager that a key names, whether or not anybody is called so.
func keyed(text string) (ownership.Manager, bool) {
	parts := strings.Split(text, "|")
	n := len(parts)
	if n < 4 || parts[n-3] != ownership.Apply && parts[n-3] != ownership.Update {
		return ownership.Manager{}, false
	}
	return ownership.Manager{Name: strings.Join(parts[:n-3], "|"), Operation: parts[n-3], Subresource: parts[n-2], APIVersion: parts[n-1]}, true
}

// past is what the page remembers; nil on the server.
func (m Model) past() *memory {
	if m.live == nil {
		return nil
	}
	return &m.live.past
}

// received takes in a message about the object, and has the page catch up with it.
func (m Model) received(msg page.Received) (page.Page, []page.Cmd) {
	l := m.live
	before := l.followed.Version()
	l.followed.Hear(msg.Message)
	if l.followed.Version() != before && !l.followed.Gone() {
		l.past.see(l.followed.Object)
	}
	return m, append(l.followed.News(), m.catchUp()...)
}

// catchUp asks for the object when it is another version than the one that the plan is for: what is followed has no values of Secrets.
// It is asked for once at a time.
func (m Model) catchUp() []page.Cmd {
	l := m.live
	switch {
	case l.followed.Gone() || l.followed.Version() == "":
		return nil
	case l.looking > 0 || l.raw != nil && !l.raw.OK():
		return nil // the answer is compared again; or the reader decides
	case l.raw != nil && l.raw.Object.Meta("resourceVersion") == l.followed.Version():
		return nil
	}
	return []page.Cmd{m.look()}
}

// behind tells whether the object that was looked at is older than the one that is followed. Versions can't be compared, but looks are
// answered from the newest, so a second look is enough.
func (m Model) behind() bool {
	l := m.live
	if !l.followed.Live() || l.again || !l.raw.OK() || l.followed.Gone() {
		l.again = false
		return false
	}
	l.again = l.raw.Object.Meta("resourceVersion") != l.followed.Version()
	return l.again
}

// under tells whether a sequence has begun: its plan stays as it is.
func (r *run) under() bool {
	return r != nil && r.err == nil && len(r.steps) > 0 && (r.at > 0 || r.steps[0].sent)
}

// like tells whether a plan would send the same requests as another.
func (r *run) like(other *run) bool {
	if r == nil || r.err != nil || other.err != nil || len(r.steps) != len(other.steps) || len(r.steps) == 0 {
		return false
	}
	for i, s := range r.plan.Steps {
		o := other.plan.Steps[i]
		if s.Title != o.Title || s.Request.Query.Encode() != o.Request.Query.Encode() || !bytes.Equal(s.Request.Body, o.Request.Body) {
			return false
		}
	}
	return true
}

// replan makes the plan for another version of the object. A sequence that has begun goes on as it was planned, and only its next step
// is tried again. Until a step is tried again, what was shown of it stays.
func (m Model) replan() []page.Cmd {
	l := m.live
	switch {
	case l.run.under() && (l.run.over() || m.sending() || m.failed()):
		return nil
	case l.run.under():
		if l.run.state.Meta("resourceVersion") == l.raw.Object.Meta("resourceVersion") {
			return nil
		}
		l.run.state, l.run.moved = l.raw.Object, true
		return m.try(true)
	}
	next := newRun(m.chosen(), l.raw.Object, &l.past)
	if l.run.like(next) {
		next.steps = l.run.steps
		l.run = next
		return m.try(true)
	}
	l.run = next
	return m.try(false)
}
