package change

import (
	"slices"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/schema"
)

// Edit is an object that somebody changes in an editor, to apply only the changes.
type Edit struct {
	// Opened is the object as the editor showed it first. Edited is the object in the editor now. If Opened is nil, Edited is compared with
	// Live, and a field that Edited doesn't have is removed only if the manager owns it.
	Opened, Edited map[string]any
	Live           map[string]any // the object as it is now, with its managedFields
	Manager        ownership.Manager
	Share          [][]string // the parts of the paths of fields to apply although they are not changed
	// Schema is the schema of the kind. It may be nil. Then lists whose keys aren't in managedFields are applied as a whole.
	Schema *schema.Schema
}

// Partial is the manifest with the changes of an Edit, and with the fields that the manager owned already.
type Partial struct {
	Stated map[string]any // the manifest to apply
	// Changed and Shared are the paths of fields that the manifest has because of the edit. Removed are the paths of the fields that the manager
	// owned and the edit removes. A path can be that of an item or of a map, for all fields in it.
	Changed, Shared, Removed []string
	// Staying are removed fields that stay, because the manager doesn't own them.
	Staying []Staying
	// Reordered are the paths of lists whose items are in another order in the editor. An apply can't change the order of items that it doesn't have.
	Reordered []string
	// Left is the number of fields that the editor shows with their live values, and that the manifest doesn't have. An apply of the whole document
	// would make the manager an owner of all of them.
	Left int
}

// Staying is a field that an apply can't remove.
type Staying struct {
	Path   string
	Owners []ownership.Owner // the owners of the field and of the fields in it; none: it has a default, or an older version of the server wrote it
}

// Nothing tells that the edit changes nothing that an apply can change.
func (p Partial) Nothing() bool { return len(p.Changed)+len(p.Shared)+len(p.Removed) == 0 }

// Part is the apply of an edit.
func Part(in Edit) Partial {
	var known ownership.Schema
	if in.Schema != nil {
		known = in.Schema.Knowledge()
	}
	record := ownership.Parse(in.Live)
	on := func(o map[string]any) *ownership.Blame { return record.On(manifest.Tree(content(o)), known) }
	e := edit{live: on(in.Live), edited: on(in.Edited), silent: in.Opened == nil, share: map[*manifest.Node]bool{}}
	if e.opened = e.live; !e.silent {
		e.opened = on(in.Opened)
	}
	e.mine = intent{manager: in.Manager, blame: e.live}
	for _, parts := range in.Share {
		e.share[e.edited.At(parts)] = true
	}
	stated, _ := e.of(e.opened.Root, e.edited.Root, e.live.Root).(map[string]any)
	e.Stated = identified(stated, in.Live)
	return e.Partial
}

// edit walks through the object as it was opened (was), as it is in the editor (is), and as it is in the cluster (live).
type edit struct {
	Partial
	opened, edited, live *ownership.Blame
	mine                 intent
	silent               bool // fields that the editor doesn't have are no removals
	share                map[*manifest.Node]bool
}

// of is the part of a value that the manifest has. Nodes are nil if their version of the object doesn't have the value.
func (e *edit) of(was, is, live *manifest.Node) any {
	switch {
	case is == nil && was == nil:
		return e.mine.of(live) // written since the object was opened
	case is == nil:
		e.remove(live)
		return nothing{}
	case was == nil:
		e.Changed = append(e.Changed, e.edited.Path(is))
		return is.Value
	case e.atOnce(was, is):
		return e.value(was, is, live)
	}
	if live != nil && shape(live.Value) != shape(is.Value) {
		live = nil
	}
	if shape(is.Value) == 2 {
		return e.items(was, is, live)
	}
	fields := map[string]any{}
	for _, t := range e.children(was, is, live) {
		if v := e.of(t.was, t.is, t.live); v != (nothing{}) {
			fields[t.key()] = v
		}
	}
	if len(fields) == 0 {
		return nothing{}
	}
	return fields
}

// value is the part of a value that can only be applied at once.
func (e *edit) value(was, is, live *manifest.Node) any {
	switch {
	case !equal(was.Value, is.Value):
		e.Changed = append(e.Changed, e.edited.Path(is))
		return is.Value
	case e.share[is]:
		e.Shared = append(e.Shared, e.edited.Path(is))
		return is.Value
	case live == nil:
		return nothing{}
	}
	v := e.mine.of(live)
	if v == (nothing{}) && equal(live.Value, is.Value) && !identity(is) {
		e.Left++
	}
	return v
}

// identity tells whether a field says which object it is. No manager owns such fields.
func identity(n *manifest.Node) bool {
	switch schema.PathOf(n).String() {
	case ".apiVersion", ".kind", ".metadata.name", ".metadata.namespace":
		return true
	}
	return false
}

// items is the part of a list whose items have keys.
func (e *edit) items(was, is, live *manifest.Node) any {
	e.order(was, is)
	items := []any{}
	for _, t := range e.children(was, is, live) {
		v := e.of(t.was, t.is, t.live)
		stated, item, in := v != (nothing{}), t.is, e.edited
		if item == nil {
			item, in = t.live, e.live
		}
		if !stated && (t.is == nil && t.was != nil || t.live == nil || !e.mine.owns(t.live)) {
			if t.is != nil && t.live != nil && len(t.is.Children) > 0 {
				e.Left++
			}
			continue
		}
		if len(item.Children) > 0 {
			fields, _ := v.(map[string]any)
			v = intent{blame: in}.keyed(item, fields)
		}
		items = append(items, v)
	}
	if len(items) == 0 {
		return nothing{}
	}
	return items
}

// order notes whether the items that a list had and has are in another order.
func (e *edit) order(was, is *manifest.Node) {
	last := -1
	for _, p := range ownership.Counterparts(e.opened, e.edited, was, is) {
		if p.New == nil || p.Old == nil {
			continue
		}
		if p.Old.Index < last {
			e.Reordered = append(e.Reordered, e.edited.Path(is))
			return
		}
		last = p.Old.Index
	}
}

// atOnce tells whether a value can only be applied at once: a scalar, a list or map that is owned as a whole, or a list whose items have no
// keys.
func (e *edit) atOnce(was, is *manifest.Node) bool {
	if shape(was.Value) != shape(is.Value) || len(was.Children) == 0 && len(is.Children) == 0 {
		return true
	}
	return alone(e.opened, was) || alone(e.edited, is)
}

func alone(b *ownership.Blame, n *manifest.Node) bool {
	if whole, ok := b.Whole(n); ok && whole {
		return true
	}
	return shape(n.Value) == 2 && len(n.Children) > 0 && b.ByPlace(n)
}

// trio is a field or an item in the three versions of the object.
type trio struct{ was, is, live *manifest.Node }

func (t trio) key() string {
	if t.is != nil {
		return t.is.Key
	}
	return t.live.Key
}

// children are the fields or items of a value in the order of the editor, and then those that only the other versions have.
func (e *edit) children(was, is, live *manifest.Node) []trio {
	var all []trio
	now, before := map[*manifest.Node]*manifest.Node{}, map[*manifest.Node]*manifest.Node{}
	met := map[*manifest.Node]bool{}
	if live != nil {
		now, before = pairsOf(e.edited, e.live, is, live), pairsOf(e.opened, e.live, was, live)
	}
	for _, p := range ownership.Counterparts(e.opened, e.edited, was, is) {
		t := trio{was: p.Old, is: p.New}
		if t.is != nil {
			t.live = now[t.is]
		} else {
			t.live = before[t.was]
		}
		met[t.live] = true
		if t.is != nil || t.live != nil {
			all = append(all, t)
		}
	}
	if live != nil {
		for _, child := range live.Children {
			if !met[child] {
				all = append(all, trio{live: child})
			}
		}
	}
	return all
}

// pairsOf maps the children of a node to their counterparts in another version.
func pairsOf(from, to *ownership.Blame, old, now *manifest.Node) map[*manifest.Node]*manifest.Node {
	all := map[*manifest.Node]*manifest.Node{}
	if shape(old.Value) != shape(now.Value) {
		return all
	}
	for _, p := range ownership.Counterparts(from, to, old, now) {
		if p.Old != nil && p.New != nil {
			all[p.Old] = p.New
		}
	}
	return all
}

// remove notes what becomes of a field that the editor no longer has.
func (e *edit) remove(live *manifest.Node) {
	if e.holds(live) {
		e.Removed = append(e.Removed, e.live.Path(live))
	}
	if !e.silent {
		e.stay(live)
	}
}

// stay notes the fields in a removed value that the manager doesn't own.
func (e *edit) stay(n *manifest.Node) {
	switch {
	case !e.holds(n):
		e.Staying = append(e.Staying, Staying{Path: e.live.Path(n), Owners: e.owners(n, nil)})
	case !e.wholly(n):
		for _, child := range n.Children {
			e.stay(child)
		}
	}
}

// wholly tells whether the manager owns a value at once, and not only fields of it.
func (e *edit) wholly(n *manifest.Node) bool { return len(n.Children) == 0 || alone(e.live, n) }

// holds tells whether the manager owns a value or a part of it.
func (e *edit) holds(n *manifest.Node) bool {
	return e.mine.owns(n) || slices.ContainsFunc(n.Children, e.holds)
}

// owners adds the owners of a value and of its parts.
func (e *edit) owners(n *manifest.Node, all []ownership.Owner) []ownership.Owner {
	all = append(all, without(e.live.Owners(n), all)...)
	for _, child := range n.Children {
		all = e.owners(child, all)
	}
	return all
}
