package assist

import (
	"bytes"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/assist"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/web/follow"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// The page follows its object: lists and plan belong to the newest version. Managers that fight over a field own it in turns. A manager that
// owns no other field leaves managedFields in between. So the page remembers the owners of fields since it was opened:
//
//	version   owns .spec.replicas        listed          plan
//	1         gitops                     gitops          hand over from gitops
//	2         autoscaler                 both            the same, with a note that the owner changes
//	3         gitops                     both            the same
//
// After the last step, the memory starts empty again, because the page's own changes are no fight.

// subscription is the id of the page's subscription to its object.
const subscription = 1

// memory has the owners of fields in the versions that the page has seen. The zero value is empty, and nil is always empty.
type memory struct {
	managers []ownership.Manager        // in the order in which they appeared
	scalers  []assist.Scaler            // the autoscalers of the object
	fields   map[string]map[string]bool // by a manager's key: each path that the manager owned, and whether it has ever lost it
}

// see adds a version.
func (r *memory) see(o object.Object) {
	if r.fields == nil {
		r.fields = map[string]map[string]bool{}
	}
	blame := ownership.Parse(o.Fields).On(manifest.Tree(o.Fields), nil)
	for _, m := range blame.Record.Managers() {
		if r.fields[m.Manager.Key()] == nil {
			r.managers = append(r.managers, m.Manager)
			r.fields[m.Manager.Key()] = map[string]bool{}
		}
	}
	for _, m := range r.managers {
		owned := r.fields[m.Key()]
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

// manager finds a manager by its key.
func (r *memory) manager(wanted string) (ownership.Manager, bool) {
	if r == nil {
		return ownership.Manager{}, false
	}
	if i := slices.IndexFunc(r.managers, func(m ownership.Manager) bool { return m.Key() == wanted }); i >= 0 {
		return r.managers[i], true
	}
	return ownership.Manager{}, false
}

// contested tells whether a manager has lost one of these fields since the page was opened.
func (r *memory) contested(from ownership.Manager, paths []string) bool {
	return r != nil && slices.ContainsFunc(paths, func(path string) bool { return r.fields[from.Key()][path] })
}

// fields are the fields that a manager owns, and those that it owned before and that the object still has. They are sorted by path, so that
// a field stays at its place when its owner changes.
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

// steady sorts managers in the order in which they appeared, and adds those that have left managedFields.
func (m Model) steady(all []ownership.Share) []ownership.Share {
	past := m.past()
	if past == nil {
		return all
	}
	var steady []ownership.Share
	for _, known := range past.managers {
		i := slices.IndexFunc(all, func(s ownership.Share) bool { return s.Manager.Key() == known.Key() })
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

// past is the memory of the page; nil on the server.
func (m Model) past() *memory {
	if m.live == nil {
		return nil
	}
	return &m.live.past
}

// received takes in a message of the subscription. If the object has changed, the page reads it.
func (m Model) received(msg page.Received) (page.Page, []page.Cmd) {
	l := m.live
	before := l.followed.Version()
	for _, change := range l.followed.Hear(msg.Message) {
		if change.What == follow.Is {
			m.observe(change.Object, msg.At)
		}
	}
	if l.followed.Version() != before && !l.followed.Gone() {
		l.past.see(l.followed.Object)
	}
	return m, append(append(l.followed.News(), m.catchUp()...), m.watched()...)
}

// catchUp reads the object if the plan is for another version. The followed object isn't enough, because it has no values of Secrets. Only
// one read is under way at a time.
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
	return []page.Cmd{m.readObject()}
}

// behind tells whether the object should be read again, because it may be older than the followed one. Versions can't be compared. But
// a read returns the newest version, so reading a second time is enough, unless the followed one changes again meanwhile.
func (m Model) behind() bool {
	l := m.live
	if !l.followed.Live() || l.again && !l.followed.Overtaken() || !l.raw.OK() || l.followed.Gone() {
		l.again = false
		return false
	}
	l.again = l.raw.Object.Meta("resourceVersion") != l.followed.Version()
	return l.again
}

// under tells whether the first step was sent. Then the plan no longer changes.
func (r *run) under() bool {
	return r != nil && r.err == nil && len(r.steps) > 0 && (r.at > 0 || r.steps[0].sent)
}

// like tells whether a plan would send the same requests as another. Requests that name the version of the object may differ in it.
func (r *run) like(other *run) bool {
	if r == nil || r.err != nil || other.err != nil || len(r.steps) != len(other.steps) || len(r.steps) == 0 {
		return false
	}
	for i, s := range r.plan.Steps {
		o := other.plan.Steps[i]
		if s.Title != o.Title || s.Request.Query.Encode() != o.Request.Query.Encode() || !r.exact && !bytes.Equal(s.Request.Body, o.Request.Body) {
			return false
		}
	}
	return true
}

// replan makes the plan for another version of the object. If the first step was sent, the plan stays, and only the next step gets a new
// dry run. The page shows the former result until then.
func (m Model) replan() []page.Cmd {
	l := m.live
	switch {
	case l.run.under() && (l.run.over() || m.sending() || m.failed()):
		return nil
	case l.run.under() && l.run.elsewhere():
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
		if next.elsewhere() && next.steps[0].dry != nil {
			return nil // the page's object has changed, and not the one that the steps write
		}
		return m.try(true)
	}
	l.run = next
	return m.try(false)
}
