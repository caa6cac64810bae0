package assist

import (
	"errors"
	"fmt"
	"slices"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

// current is the plan to show. Until the page has read the object, it is a plan for the last known version.
func (m Model) current() *run {
	if m.live == nil || m.live.run == nil {
		return newRun(m.chosen(), m.shown(), m.past())
	}
	return m.live.run
}

// holders are the managers of the object for which fits is true, or all if fits is nil. The function choose makes the choice that a manager's
// link leads to; if it is nil, managers have no links.
func (m Model) holders(choose func(Choice, string) Choice, current string, fits func(ownership.Manager) bool) []holder {
	o := m.shown()
	summary := ownership.Parse(o.Fields).On(manifest.Tree(o.Fields), nil).Summarize()
	var all []holder
	for _, s := range m.steady(summary.Managers) {
		if fits != nil && !fits(s.Manager) {
			continue
		}
		h := holder{Manager: s.Manager, leaves: s.Leaves, alone: s.Alone, wrote: owners.Wrote(s.Owner, m.Now)}
		if _, there := holderOf(o, s.Manager.Key()); !there {
			h.wrote = "not a manager in this version"
		}
		if choose != nil {
			k := s.Manager.Key()
			h.href, h.current = m.at(choose(m.Choice, k)), k == current
		}
		all = append(all, h)
	}
	return all
}

// appliers are the managers that can be converted to client-side apply.
func (m Model) appliers() []holder {
	return m.holders(func(c Choice, k string) Choice {
		c.From = k
		return c
	}, m.chosen().From, func(o ownership.Manager) bool { return o.Operation == ownership.Apply && o.Subresource == "" })
}

// takers are the managers that can get fields.
func (m Model) takers() []holder {
	c := m.chosen()
	current := c.To
	if c.Name != "" {
		current = ""
	}
	return m.holders(func(_ Choice, k string) Choice {
		return Choice{Do: HandOver, From: c.From, Fields: c.Fields, To: k}
	}, current, func(o ownership.Manager) bool { return o.Key() != c.From && !o.History() })
}

func (m Model) picked(path string) bool { return slices.Contains(m.Choice.Fields, path) }

// strays are the chosen fields that are not in the list.
func (m Model) strays(listed []field) []string {
	var all []string
	for _, path := range m.Choice.Fields {
		if !slices.ContainsFunc(listed[:min(len(listed), maxFields)], func(f field) bool { return f.path == path }) {
			all = append(all, path)
		}
	}
	return all
}

// replicas is the path of the number of replicas in the built-in types that scale.
const replicas = ".spec.replicas"

// horizontal is the manager that updates scale for a HorizontalPodAutoscaler.
const horizontal = "kube-controller-manager"

// scales tells whether the chosen manager owns the number of replicas, and an autoscaler could own it instead.
func (m Model) scales() bool {
	_, serves := m.Type.Subresource("scale")
	return serves && slices.ContainsFunc(m.fields(m.chosen().From), func(f field) bool { return f.path == replicas })
}

// autoscaler is a manager that can get the number of replicas.
type autoscaler struct {
	ownership.Manager
	choice Choice
}

// introText introduces the autoscaler. A HorizontalPodAutoscaler doesn't write under its own name.
func (a autoscaler) introText() string {
	if a.Name == horizontal {
		return "A HorizontalPodAutoscaler writes as " + horizontal + " (Update, scale)."
	}
	return a.Name + " updates scale, like an autoscaler."
}

// autoscalers are the managers that update scale, and the one that updates scale for a HorizontalPodAutoscaler.
func (m Model) autoscalers() []autoscaler {
	from := m.chosen().From
	choice := Choice{Do: HandOver, From: from, Fields: []string{replicas}}
	var all []autoscaler
	for _, h := range m.holders(nil, "", nil) {
		if h.Operation == ownership.Update && h.Subresource == "scale" && h.Manager.Key() != from {
			choice.To = h.Manager.Key()
			all = append(all, autoscaler{h.Manager, choice})
		}
	}
	if !slices.ContainsFunc(all, func(a autoscaler) bool { return a.Name == horizontal }) {
		choice.To, choice.Name, choice.How = "", horizontal, "scale"
		to, _ := choice.to(m.shown())
		all = append(all, autoscaler{to, choice})
	}
	return all
}

// hiddenField is a hidden field of a form, with a part of the choice.
type hiddenField struct{ name, value string }

func (c Choice) hidden(path string) []hiddenField {
	query := c.query(path)
	var all []hiddenField
	for _, name := range []string{QueryPath, QueryDo, QueryFrom, QueryField, QueryTo, QueryName, QueryHow, QueryManager, QueryWay, QueryLimit} {
		for _, value := range query[name] {
			if value != "" {
				all = append(all, hiddenField{name, value})
			}
		}
	}
	return all
}

// managerByName is a manager of the page with this name, or another one with its own face.
func (m Model) managerByName(name string) components.Manager {
	who := ownership.Manager{Name: name, Operation: ownership.Apply}
	if past := m.past(); past != nil {
		if i := slices.IndexFunc(past.managers, func(m ownership.Manager) bool { return m.Same(who) }); i >= 0 {
			who = past.managers[i]
		}
	}
	return m.face(who)
}

func (Model) isMissing(err error) bool {
	var what missing
	return errors.As(err, &what)
}

// stateOf is the state of a step, for the attribute data-state.
func (r *run) stateOf(i int) string {
	s := r.steps[i]
	switch {
	case i < r.at:
		return "done"
	case s.real != nil && !s.real.OK():
		return "refused"
	case s.sent:
		return "sent"
	case i > r.at:
		return "later"
	case s.dry == nil:
		return "asking"
	case !s.dry.OK():
		return "refused"
	}
	return "ready"
}

// sendsLater tells whether the reader can send the next step although its preview is of an earlier version.
func (m Model) sendsLater() bool { return m.live != nil && m.outdated() }

// standing is the state of a step for readers.
func (r *run) standing(i int) string {
	switch r.stateOf(i) {
	case "done":
		return "done"
	case "refused":
		return "refused"
	case "sent":
		return "sending…"
	case "ready":
		return "dry run done, not sent"
	}
	return "not sent"
}

// button is the text of the button that sends the next step.
func (r *run) button() string {
	if len(r.steps) == 1 {
		return "Send"
	}
	return fmt.Sprintf("Send step %d of %d", r.at+1, len(r.steps))
}
