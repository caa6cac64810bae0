package timeline

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

// difference compares two versions of an object.
type difference struct {
	before, after *ownership.Blame
	owners        ownership.Pair
	step          *Step
	note          func(c Change, old, now any)
}

func (d *difference) nodes(old, now *manifest.Node) {
	switch {
	case kind(old.Value) != kind(now.Value):
		d.changed(old, now)
	case len(old.Children) == 0 && len(now.Children) == 0:
		if !isScalar(old.Value) || old.Value == now.Value {
			d.passed(old, now)
			return
		}
		d.changed(old, now)
	default:
		d.passed(old, now)
		d.children(old, now)
	}
}

// kind distinguishes maps, lists and other values.
func kind(v any) int {
	switch v.(type) {
	case map[string]any:
		return 1
	case []any:
		return 2
	default:
		return 0
	}
}

func isScalar(v any) bool { return kind(v) == 0 }

// children compares fields by their names, and list items by their keys.
func (d *difference) children(old, now *manifest.Node) {
	if d.paired(old, now) {
		for i, child := range now.Children {
			d.nodes(old.Children[i], child)
		}
		return
	}
	for _, p := range ownership.Counterparts(d.before, d.after, old, now) {
		switch {
		case p.Old == nil:
			d.leaves(p.New, d.added)
		case p.New == nil:
			d.leaves(p.Old, d.removed)
		default:
			d.nodes(p.Old, p.New)
		}
	}
}

// paired tells whether all children have the same names in the same order. This is so in most pairs of versions.
func (d *difference) paired(old, now *manifest.Node) bool {
	if len(old.Children) != len(now.Children) {
		return false
	}
	for i, child := range now.Children {
		was := old.Children[i]
		if was.Key != child.Key || child.Index >= 0 && d.before.Step(was) != d.after.Step(child) {
			return false
		}
	}
	return true
}

// leaves visits the values that have no children.
func (d *difference) leaves(n *manifest.Node, visit func(*manifest.Node)) {
	if len(n.Children) == 0 {
		visit(n)
	}
	for _, child := range n.Children {
		d.leaves(child, visit)
	}
}

func (d *difference) added(n *manifest.Node) {
	owners := d.after.Owners(n)
	d.addChange(Change{Path: d.after.Path(n), Field: field(d.after, n), What: Added, New: written(n.Value), After: owners, By: d.writers(n, owners)}, gone{}, n.Value)
}

func (d *difference) removed(n *manifest.Node) {
	d.addChange(Change{
		Path: d.before.Path(n), Field: field(d.before, n), What: Removed, Old: written(n.Value), Before: d.before.Owners(n), By: d.step.Wrote,
	}, n.Value, gone{})
}

// changed notes a changed value. The manager that changes a value becomes its only owner.
func (d *difference) changed(old, now *manifest.Node) {
	owners := d.after.Owners(now)
	d.addChange(Change{
		Path: d.after.Path(now), Field: field(d.after, now), What: Changed, Old: written(old.Value), New: written(now.Value),
		Before: d.before.Owners(old), After: owners, By: d.writers(now, owners),
	}, old.Value, now.Value)
}

// writers are who set a value: its owners. If it has none, they are those who just wrote, and may own it in another API version.
func (d *difference) writers(n *manifest.Node, owners []ownership.Owner) []ownership.Owner {
	if len(owners) > 0 {
		return owners
	}
	for _, c := range d.after.Unplaced(n) {
		for _, o := range d.step.Wrote {
			if o.Same(c.Manager) && !slices.Contains(owners, o) {
				owners = append(owners, o)
			}
		}
	}
	return owners
}

// passed notes other owners of the same value. New owners made the change. If there are none, the former owners made it: while a value
// stays, a manager loses it only by giving it up.
func (d *difference) passed(old, now *manifest.Node) {
	if d.owners.Same(old, now) {
		return
	}
	before, after := d.before.Owners(old), d.after.Owners(now)
	came, went := without(after, before), without(before, after)
	if len(came) == 0 && len(went) == 0 {
		return
	}
	by := came
	if len(by) == 0 {
		by = went
	}
	value := written(now.Value)
	d.listChange(Change{Path: d.after.Path(now), Field: field(d.after, now), What: Passed, Old: value, New: value, Before: before, After: after, By: by})
}

func without(all, others []ownership.Owner) []ownership.Owner {
	var rest []ownership.Owner
	for _, o := range all {
		if !slices.ContainsFunc(others, func(other ownership.Owner) bool { return other.Same(o.Manager) }) {
			rest = append(rest, o)
		}
	}
	return rest
}

// gone is the value of a missing field.
type gone struct{}

func (d *difference) addChange(c Change, old, now any) {
	d.listChange(c)
	d.note(c, old, now)
}

// field tells a field from others with the same path: {"x.y": 1, "x": {"y": 2}} has two. It is empty for the usual one.
func field(b *ownership.Blame, n *manifest.Node) string {
	for at := n; at.Parent != nil; at = at.Parent {
		if at.Index < 0 && (at.Key == "" || strings.ContainsAny(at.Key, ".[]\n")) {
			return strings.Join(b.Parts(n), "\x00")
		}
	}
	return ""
}

func (d *difference) listChange(c Change) {
	if len(d.step.Changes) == maxChanges {
		d.step.More++
		return
	}
	d.step.Changes = append(d.step.Changes, c)
}

// maxValue is how many characters of a value are kept.
const maxValue = 200

func written(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return "?" // decoded values always encode
	}
	if len(text) <= maxValue {
		return string(text)
	}
	return strings.ToValidUTF8(string(text[:maxValue]), "") + "…"
}
