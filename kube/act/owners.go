package act

import (
	"encoding/json"
	"slices"

	"github.com/fieldmark/fieldmark/kube/assist"
	"github.com/fieldmark/fieldmark/kube/change"
	"github.com/fieldmark/fieldmark/kube/ignore"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

// Touch is a field that a plan changes.
type Touch struct {
	Path     string // in structured-merge-diff's notation
	Old, New string // as JSON; empty if there is no value
	// By is the manager as which the request writes. It owns the field after it, unless the field is removed. It is zero if the object has no
	// managedFields: an update doesn't start them (skipNonAppliedManager in structured-merge-diff's part of apimachinery), so nobody owns the field.
	By    ownership.Manager
	Loses []Holder // the managers that lose the field
}

// Holder is a manager that loses a field.
type Holder struct {
	ownership.Owner
	// Returns tells that the manager is likely to write its own value again.
	Returns bool
	// Words say what the manager will do, in a sentence.
	Words string
}

// touch adds the fields that differ between the object and its version after the plan. An update that changes a value takes it from all
// other managers (structured-merge-diff, merge.Updater.Update: the changed set is removed from every other manager).
func (p *planner) touch(after map[string]any, by ownership.Manager) {
	record := ownership.Parse(p.Object.Fields)
	if len(record.Entries) == 0 && len(record.Unreadable) == 0 {
		by = ownership.Manager{}
	}
	known := ownership.Schema(nil)
	if p.Schema != nil {
		known = p.Schema.Knowledge()
	}
	t := touching{p: p, by: by}
	t.before = record.On(manifest.Tree(p.Object.WithoutManagedFields().Fields), known)
	t.after = record.On(manifest.Tree(withoutRecord(after)), known)
	t.children(t.before.Root, t.after.Root)
}

type touching struct {
	p             *planner
	by            ownership.Manager
	before, after *ownership.Blame
}

func (t touching) children(was, is *manifest.Node) {
	for _, pair := range ownership.Counterparts(t.before, t.after, was, is) {
		switch {
		case pair.Old == nil:
			t.addTouch(t.after.Path(pair.New), "", asJSON(pair.New.Value), ownership.Set)
		case pair.New == nil:
			t.addTouch(t.before.Path(pair.Old), asJSON(pair.Old.Value), "", ownership.Remove)
		case asJSON(pair.Old.Value) == asJSON(pair.New.Value):
		case split(t.before, pair.Old) && split(t.after, pair.New):
			t.children(pair.Old, pair.New)
		default:
			t.addTouch(t.before.Path(pair.Old), asJSON(pair.Old.Value), asJSON(pair.New.Value), ownership.Set)
		}
	}
}

// split tells whether the parts of a value have owners of their own, or would have them.
func split(b *ownership.Blame, n *manifest.Node) bool {
	whole, known := b.Whole(n)
	_, named := n.Value.(map[string]any)
	return (named || len(n.Children) > 0) && (!known || !whole)
}

func (t touching) addTouch(path, old, now string, what ownership.Change) {
	touch := Touch{Path: path, Old: old, New: now, By: t.by}
	for _, c := range t.before.Effect(path, ownership.Write{By: t.by, Change: what}).Takes {
		if !slices.ContainsFunc(touch.Loses, func(h Holder) bool { return h.Same(c.Manager) }) {
			touch.Loses = append(touch.Loses, t.p.holder(c.Owner))
		}
	}
	t.p.Touches = append(t.p.Touches, touch)
}

// holder is a manager that loses a field, with what it will probably do.
func (p *planner) holder(o ownership.Owner) Holder {
	h := Holder{Owner: o}
	likely := change.LikelyController(o.Manager, ownership.Parse(p.Object.Fields), 0)
	switch {
	case slices.Contains([]string{ignore.ArgoCD, ignore.Flux, ignore.FluxHelm}, o.Name) && o.Operation == ownership.Apply:
		h.Returns, h.Words = true, o.Name+" applies its manifest with force at its next sync, and writes its own value again."
	case (assist.Scaler{}).Manager(o.Manager):
		h.Returns, h.Words = true, "An autoscaler wrote the value, and writes it again when it scales."
	case o.Operation == ownership.Apply && likely.Controller:
		h.Returns, h.Words = true, likely.Why+" Its next apply conflicts with this value, or overwrites it if it uses force."
	case likely.Controller:
		h.Returns, h.Words = true, likely.Why+" It probably writes its own value again."
	case o.Operation == ownership.Apply:
		h.Words = "The next apply of " + o.Name + " with another value is refused as a conflict, unless it uses force."
	case slices.Contains(assist.ClientSideManagers(p.Object.Fields), o.Name):
		h.Words = "The next kubectl apply writes the value of its manifest again, without a conflict."
	default:
		h.Words = o.Name + " doesn’t notice."
	}
	return h
}

// withoutRecord is an object without its managedFields.
func withoutRecord(o map[string]any) map[string]any {
	return with(o, nil, "metadata", "managedFields")
}

// with is a copy of an object with another value at a path of fields. A nil value removes the field. Parts that don't change are shared.
func with(o map[string]any, value any, path ...string) map[string]any {
	copied := make(map[string]any, len(o)+1)
	for k, v := range o {
		copied[k] = v
	}
	switch child, _ := o[path[0]].(map[string]any); {
	case len(path) > 1 && (child != nil || value != nil):
		copied[path[0]] = with(child, value, path[1:]...)
	case len(path) > 1:
	case value == nil:
		delete(copied, path[0])
	default:
		copied[path[0]] = value
	}
	return copied
}

// asJSON is a decoded value as JSON.
func asJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return "" // decoded values always encode
	}
	return string(data)
}
