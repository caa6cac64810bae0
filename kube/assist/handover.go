package assist

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/change"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/patch"
	"github.com/fieldmark/fieldmark/kube/schema"
)

// Handing is a hand-over of fields from one manager to another.
type Handing struct {
	Live   map[string]any
	Schema *schema.Schema // nil: not known
	Paths  []string       // the fields to hand over, in structured-merge-diff's notation
	From   ownership.Manager
	// To is the new owner. A manager that applies gets the fields in its manifest. A manager that updates, such as an autoscaler, gets
	// them with its next write. Until then, a temporary manager owns them.
	To ownership.Manager
	// Contested says that From and others keep taking the fields from each other. The plan then doesn't depend on their owner at the
	// moment.
	Contested bool
	// Exact says that the apply of the former owner is right only for this version. It has the resourceVersion, so the server refuses it (409)
	// later. Otherwise somebody who takes the field in between can make it lose its only owner.
	Exact bool
	// Applies is the manifest with which a manager that applies takes over, with values of its own. If it is nil, the manifest has the
	// fields that the manager already owns, and the handed-over fields with their live values.
	Applies map[string]any
}

// HandOver moves fields from one manager to another. The fields always have an owner, so no value falls back to its default.
func HandOver(h Handing) (Plan, error) {
	title := fmt.Sprintf("Hand %s over from %s to %s", joinNames(h.Paths), h.From.Words(), h.To.Words())
	o := handing{Handing: h, blame: ownership.Parse(h.Live).On(manifest.Tree(h.Live), knowledge(h.Schema))}
	for _, path := range h.Paths {
		if len(o.blame.Find(path)) == 0 {
			return nothing(title, "The object has no field "+path+"."), nil
		}
	}
	if why := ambiguous(o.blame, h.Paths); why != "" {
		return nothing(title, why), nil
	}
	switch {
	case h.From.Same(h.To):
		return nothing(title, "Both are the same manager."), nil
	case !h.Contested && !o.holdsAny(h.From):
		return nothing(title, o.held(h.From)), nil
	}
	for _, m := range []ownership.Manager{h.From, h.To} {
		if why := misplaced(o.blame, m, h.Paths); why != "" && (m.Same(h.From) || h.Applies == nil) {
			return nothing(title, why), nil
		}
	}
	p := Plan{Title: title, Consequences: o.contest()}
	if err := o.addOwnerStep(&p); err != nil {
		return Plan{}, err
	}
	if err := o.addGiveUpStep(&p); err != nil {
		return Plan{}, err
	}
	if h.To.Operation == ownership.Update {
		p.Consequences = append(p.Consequences, h.To.Words()+" becomes the only owner of a field with its next write that changes the field.")
	}
	p.Consequences = append(p.Consequences, "Remove these fields from the manifest that "+h.From.Name+" applies. Otherwise "+h.From.Name+" becomes an owner again, and gets a conflict when the value changes.")
	return p, nil
}

// temporary is how the names of managers begin that own fields until an updating manager writes them.
const temporary = "handover-to-"

// Temporary tells whether a manager only keeps fields for another one, after a hand-over.
func Temporary(m ownership.Manager) bool {
	return m.Operation == ownership.Apply && strings.HasPrefix(m.Name, temporary)
}

func knowledge(s *schema.Schema) ownership.Schema {
	if s == nil {
		return nil
	}
	return s.Knowledge()
}

type handing struct {
	Handing
	blame *ownership.Blame
}

// holdsAny tells whether a manager owns any of the fields.
func (o handing) holdsAny(m ownership.Manager) bool {
	return slices.ContainsFunc(o.Paths, func(path string) bool { return o.holds(m, path) })
}

// held says, in words, that a manager owns none of the fields, and who owns them instead.
func (o handing) held(m ownership.Manager) string {
	words := m.Words() + " owns none of these fields in this version of the object."
	for _, path := range o.Paths {
		var owners []string
		for _, c := range o.blame.Claimed(path) {
			if name := c.Words(); !slices.Contains(owners, name) {
				owners = append(owners, name)
			}
		}
		if len(owners) > 0 {
			words += " " + path + " is owned by " + joinNames(owners) + "."
		}
	}
	return words
}

// contest says what to do before a hand-over if managers fight over the fields.
func (o handing) contest() []string {
	if !o.Contested {
		return nil
	}
	words := joinNames(o.Paths) + " has changing owners: " + o.From.Words() + " and others overwrite each other. First remove it from the manifest that " +
		o.From.Name + " applies. Otherwise " + o.From.Name + " overwrites it again after the last step."
	if !o.holdsAny(o.From) {
		words += " " + o.held(o.From)
	}
	return []string{words}
}

func (o handing) holds(m ownership.Manager, path string) bool {
	return slices.ContainsFunc(o.blame.Claimed(path), func(c ownership.Claim) bool { return c.Same(m) })
}

// addOwnerStep adds the first step: the fields get one more owner, or another one.
func (o handing) addOwnerStep(p *Plan) error {
	if o.Applies != nil && o.To.Operation == ownership.Apply {
		return o.force(p)
	}
	var missing []string
	for _, path := range o.Paths {
		if o.Contested || !o.holds(o.To, path) {
			missing = append(missing, path)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	m, why := o.To, o.To.Name+" applies the live values, in addition to the fields that it already owns. Equal values don’t conflict, so both managers own them."
	if m.Operation == ownership.Update {
		m = ownership.Manager{Name: temporary + m.Name, Operation: ownership.Apply}
		why = fmt.Sprintf("%s is a temporary manager. It owns the fields until %s writes to them, so the fields never return to a default.", m.Name, o.To.Name)
	}
	r, err := applyRequest(o.Live, change.Restated(o.Live, m, o.Schema, missing, nil), m)
	if err != nil {
		return err
	}
	p.Steps = append(p.Steps, Step{Title: m.Name + " applies " + joinNames(missing) + " with the live " + plural(missing), Why: why, Request: r})
	return nil
}

// force adds the first step of a hand-over that sets other values.
func (o handing) force(p *Plan) error {
	r, err := applyRequest(o.Live, o.Applies, o.To)
	if err != nil {
		return err
	}
	r.Query.Set("force", "true")
	p.Steps = append(p.Steps, Step{
		Title: o.To.Name + " applies its manifest by force",
		Why: "With force, the manager takes every field in which its manifest differs from the live object, not only " + joinNames(o.Paths) +
			". Fields with the same value are shared. A dry run shows these fields.",
		Request: r,
	})
	return nil
}

// addGiveUpStep adds the last step: the former owner gives the fields up.
func (o handing) addGiveUpStep(p *Plan) error {
	if o.From.Operation == ownership.Apply {
		stated := change.Restated(o.Live, o.From, o.Schema, nil, o.Paths)
		if o.Exact {
			stated = pinned(o.Live, stated)
		}
		r, err := applyRequest(o.Live, stated, o.From)
		if err != nil {
			return err
		}
		p.Steps = append(p.Steps, Step{
			Title: o.From.Name + " applies all its fields except " + joinNames(o.Paths),
			Why:   "The manager gives up the fields that it no longer applies. No field is removed, because another manager owns them now.", Request: r,
		})
		return nil
	}
	return o.forget(p)
}

// forget adds the last step for a manager that updates: it removes the fields from the manager's entry. No request of such a manager can
// give fields up. The first step moves entries in the list, so only this entry is written, at its new index.
func (o handing) forget(p *Plan) error {
	all := entries(o.Live)
	at := entryIndex(all, o.From.Same)
	switch {
	case at < 0 && o.Contested, o.Contested && !o.holdsAny(o.From):
		return nil // the manager owns none of the fields at the moment
	case at < 0:
		return errors.New("the manager has no entry")
	}
	var paths [][]string
	for _, path := range o.Paths {
		for _, c := range o.blame.Claimed(path) {
			if c.Same(o.From) && c.Why == ownership.Direct {
				paths = append(paths, c.Keys)
			}
		}
	}
	rest, _ := less(all[at]["fieldsV1"], paths)
	all[at] = maps.Clone(all[at])
	all[at]["fieldsV1"] = rest
	var operations []operation
	to := fmt.Sprintf("/metadata/managedFields/%d", at+o.shift(p))
	operations = append(operations,
		operation{"op": "test", "path": to + "/manager", "value": o.From.Name},
		operation{"op": "test", "path": to + "/operation", "value": o.From.Operation},
		operation{"op": "test", "path": to + "/fieldsV1", "value": entries(o.Live)[at]["fieldsV1"]},
		operation{"op": "replace", "path": to + "/fieldsV1", "value": rest},
	)
	p.Steps = append(p.Steps, Step{
		Title:   "Remove " + joinNames(o.Paths) + " from the entry of " + o.From.Words(),
		Why:     "A manager that updates can’t give up a field by itself, so this step rewrites its entry in managedFields. The server refuses the request (422) if the entry has changed by then.",
		Request: request(patch.JSONPatchType, "", operations),
	})
	return nil
}

// shift is by how many places the first step moves the entries of managers that update. A new entry of a manager that applies comes before
// them.
func (o handing) shift(p *Plan) int {
	if len(p.Steps) == 0 {
		return 0
	}
	name := p.Steps[0].Request.Query.Get("fieldManager")
	if entryIndex(entries(o.Live), func(m ownership.Manager) bool {
		return m.Name == name && m.Operation == ownership.Apply && m.Subresource == p.Steps[0].Request.Subresource
	}) >= 0 {
		return 0
	}
	return 1
}
