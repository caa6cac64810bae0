package lesson

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/call/scenario"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/lesson/sent"
)

// A step that was skipped can be done later only if the cluster is as the step expects it. So before the page advises a step, it looks for
// deeds: successful writes of later steps to what the skipped step reads or writes.

// deed is a successful write of the lesson.
type deed struct {
	at    block
	path  string // of the object or the collection; see lesson.Request.Touches
	words string // what it did: “created the ConfigMap shop”
}

// deeds are the writes of all steps after one, in the order of the lesson.
func (m Model) deeds(after int) []deed {
	var all []deed
	for _, responses := range []map[block]*sent.Request{m.live.sent, m.live.again} {
		for b, a := range responses {
			if b.step > after {
				if d, did := m.deedOf(b, a); did {
					all = append(all, d)
				}
			}
		}
	}
	slices.SortFunc(all, func(x, y deed) int { return cmp.Or(x.at.step-y.at.step, x.at.n-y.at.n) })
	return all
}

// deedOf is what a request has written; false: it has written nothing. A response that a reload has lost may have written.
func (m Model) deedOf(b block, a *sent.Request) (deed, bool) {
	r, err := m.block(b).Request.Expanded(m.live.vars)
	if err != nil || r.Reads() || r.Dry() || !a.Answered() || !a.Before && !a.Call.OK() {
		return deed{}, false
	}
	o, isObject := a.Object()
	kind, _ := o.Fields["kind"].(string)
	p, err := apipath.Parse(path(r.Target))
	if err != nil || r.Method == request.Post && p.Kind == apipath.KindCollection && isObject && uidOf(o.Fields) == "" {
		return deed{}, false // the type stores no objects
	}
	did := "changed"
	switch {
	case r.Method == request.Delete:
		did = "deleted"
	case p.Kind != apipath.KindSubresource && a.Call.Status == status.CodeCreated:
		did = "created"
	}
	name := cmp.Or(apipath.ObjectOf(p).Name, nameIn(a))
	switch {
	case p.Kind == apipath.KindCollection && r.Method == request.Delete:
		return deed{b, r.Touches(), "deleted objects"}, true
	case p.Kind == apipath.KindSubresource || uidOf(o.Fields) == "":
		kind = "object"
	}
	return deed{b, r.Touches(), did + " the " + kind + " " + name}, true
}

// touched are the paths of what a step reads and writes.
func (m Model) touched(step int) []string {
	var all []string
	for _, b := range m.Lesson.Steps[step].Blocks {
		r := lesson.Request{Method: request.Get}
		switch {
		case b.Request != nil:
			r = *b.Request
		case b.Check != nil:
			r.Target = b.Check.Get
		}
		if filled, err := r.Expanded(m.live.vars); err == nil {
			all = append(all, filled.Touches())
		}
	}
	return all
}

// late says why it is too late for a step: what has happened that the step doesn't expect. It is empty if the step can still be done. The
// words are for the step in sight; at is its check that failed, or its request that can't be sent.
func (m Model) late(step int, at block) string {
	if words := m.homeless(); words != "" {
		return words
	}
	touched := m.touched(step)
	for _, d := range m.deeds(step) {
		own := d.at.step == at.step && m.judges(at, d.at)
		if !own && !m.faulty(d.at) && !slices.ContainsFunc(touched, func(path string) bool { return lesson.Overlap(path, d.path) }) {
			continue
		}
		who := "this step"
		if d.at.step != at.step {
			who = "step " + strconv.Itoa(d.at.step+1)
		}
		return withoutStep + ", " + who + " has " + d.words + ". " + inOrder
	}
	return ""
}

// faulty tells whether a request starts a Scenario with faults. They change what the API server returns to requests for any object.
func (m Model) faulty(at block) bool {
	r := m.block(at).Request
	return r.Target == scenario.Path().String() && strings.Contains(r.Body, "\n  faults:")
}

const (
	withoutStep = "Without that step"
	inOrder     = "It is too late for that now."
)

// judges tells whether a check is about the response to a request, or about the cluster's state.
func (m Model) judges(at, request block) bool {
	c := m.block(at).Check
	if c == nil {
		return false
	}
	of, ok := m.of(c.Of, at)
	return c.Get != "" || ok && of == request
}

// lookHome finds out whether the lesson's namespace still exists.
func (m Model) lookHome() []page.Cmd {
	if !m.needsNamespace() || m.mayNotLook() || m.live.home.Under() {
		return nil
	}
	x, call := m.call("look/home", lesson.Request{Method: request.Get, Target: apipath.Object("", "v1", "", "namespaces", m.namespace()).String()}).Begin()
	m.live.home = x
	return []page.Cmd{call}
}

// homeless says that the lesson's namespace is gone; empty: it isn't, as far as the page knows.
func (m Model) homeless() string {
	x := m.live.home
	var o struct {
		Status struct {
			Phase string `json:"phase"`
		} `json:"status"`
	}
	deleted := x.Done() && (x.Status == status.CodeNotFound || x.OK() && json.Unmarshal(x.Kept, &o) == nil && o.Status.Phase == "Terminating")
	if !deleted {
		return ""
	}
	return "The namespace of this attempt was deleted."
}

// stepsWords name several steps in a sentence.
func (m Model) stepsWords(steps []int) string {
	if len(steps) == 1 {
		return m.stepName(steps[0])
	}
	var all []string
	for _, s := range steps {
		all = append(all, strconv.Itoa(s+1))
	}
	last := len(all) - 1
	return "steps " + strings.Join(all[:last], ", ") + " and " + all[last]
}
