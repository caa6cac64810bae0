// Package act plans what a reader does to an object: scale it, restart it, roll it back, drain a node. A plan is a sequence of plain API
// requests, with what each of them does to the owners of fields. Nothing here makes a request.
//
//	discovery.Type ──▶ Of: the acts of the type
//	                    │
//	Subject ────────────┼─▶ Reads: GETs that the plan needs ──▶ Found
//	the object, as read │                                         │
//	                    └─▶ Options ──▶ Chosen ──▶ Plan ◀─────────┘
//	                                                │ Wrong, Nothing: why there is no request
//	                                                │ Steps: requests in stages, each with a dry run, a goal and its undoing
//	                                                └ Touches, Notes, Pods, Revisions: what the reader must know before
//
// An act has the rules of kubectl's command for it. Comments name the source of each rule in Kubernetes 1.37.
package act

import (
	"slices"

	"github.com/fieldmark/fieldmark/kube/discovery"
)

// Act is something that a reader does to an object. It is described by data, so that one page shows all acts. The functions of an Act
// never fail and never change their arguments.
type Act struct {
	Name  string // in addresses: "scale"
	Title string // an imperative: "Scale"
	Hint  string // one sentence: what the act does

	// ForSeveral tells that a single object has a page of its own for it.
	ForSeveral bool
	// Destroys tells that nobody can take back what the act does, so its button warns.
	Destroys bool

	ofDeleted bool // it is for objects that are being deleted, and for no others

	options func(Subject, Found) []Option
	reads   func(Subject) []Read
	plan    func(*planner)
	idle    func(Subject) string
}

// Idle says why the act does nothing to the object now, whatever the options are, as far as the object itself tells. Empty: it may do something.
func (a Act) Idle(s Subject) string {
	if unfit := a.unfit(s); unfit != "" || a.idle == nil {
		return unfit
	}
	return a.idle(s)
}

// unfit says why the act isn't for the object: it is being deleted, or it isn't; empty: the act is for it.
func (a Act) unfit(s Subject) string {
	switch deleted := !s.Object.Deleted().IsZero(); {
	case deleted && !a.ofDeleted:
		return "The object is being deleted."
	case !deleted && a.ofDeleted:
		return "The object isn’t being deleted, so nothing waits for its finalizers."
	}
	return ""
}

// Options are what the reader can choose for an object, with the defaults for this object. Some need what Reads asks for.
func (a Act) Options(s Subject, found Found) []Option {
	if a.options == nil {
		return nil
	}
	all := a.options(s, found)
	if s.Several {
		all = slices.DeleteFunc(all, func(o Option) bool { return o.Name == onlyIf })
	}
	return all
}

// Reads are the GETs that the plan needs besides the object. They can be sent at the same time. Put each result in a Found.
func (a Act) Reads(s Subject) []Read {
	if a.reads == nil {
		return nil
	}
	return a.reads(s)
}

// Plan is what to send for a subject. Without an entry in chosen, an option has its default. If a required Read isn't in found yet, the
// plan has no steps and says that it waits.
func (a Act) Plan(s Subject, found Found, chosen Chosen) Plan {
	p := &planner{Subject: s, found: found, chosen: chosen, options: a.Options(s, found)}
	for _, r := range a.Reads(s) {
		switch got, ok := found[r.Name]; {
		case !r.Required:
		case !ok:
			p.Waits = true
		case got.No != nil:
			p.Nothing = "The plan needs " + r.What + ", and the API server refused the request: " + got.No.Message
		}
	}
	if p.Waits || p.Nothing != "" {
		return p.Plan
	}
	if p.Nothing = a.unfit(s); p.Nothing == "" {
		a.plan(p)
	}
	if p.Nothing != "" || len(p.Wrong) > 0 {
		p.Steps = nil
	}
	return p.Plan
}

// Of are the acts of a type, in the order in which pages show them. What a type serves decides: a custom resource with the subresource
// scale can be scaled, too.
func Of(t discovery.Type) []Act {
	var all []Act
	for _, a := range acts() {
		if a.fits(t) {
			all = append(all, a.Act)
		}
	}
	return all
}

// Find is the act of a type with a name.
func Find(t discovery.Type, name string) (a Act, ok bool) {
	all := Of(t)
	i := slices.IndexFunc(all, func(a Act) bool { return a.Name == name })
	if i < 0 {
		return Act{}, false
	}
	return all[i], true
}

// offered is an act with the types that have it.
type offered struct {
	Act
	fits func(discovery.Type) bool
}

// acts are all acts.
func acts() []offered {
	all := []offered{{scale(), scales}, {restart(), rollsOut}, {rollback(), rollsOut}, {setImage(), rollsOut}, {trigger(), triggers}, {drain(), drains}}
	return append(append(all, toggles()...), marks("label", "Label", "labels", "label"), marks("annotate", "Annotate", "annotations", "annotation"),
		offered{setField(), patched}, offered{evict(), evicts}, offered{deletion(), deletes}, offered{unstick(), patched})
}

// scales tells whether the type has a subresource scale that can be patched.
func scales(t discovery.Type) bool {
	sub, ok := t.Subresource("scale")
	return ok && sub.Can("patch")
}
