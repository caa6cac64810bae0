package change

import (
	"maps"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/schema"
)

// Intent is the manifest with exactly the fields that a manager owns, and their live values. It also has the names and keys that
// identify the object and its list items. If that manager applies it, nothing changes.
func Intent(live map[string]any, m ownership.Manager, known *schema.Schema) map[string]any {
	return Restated(live, m, known, nil, nil)
}

// Restated is a manager's intent with more or fewer fields of the live object. The fields are named by their paths.
func Restated(live map[string]any, m ownership.Manager, known *schema.Schema, more, less []string) map[string]any {
	var s ownership.Schema
	if known != nil {
		s = known.Knowledge()
	}
	i := intent{manager: m, blame: ownership.Parse(live).On(manifest.Tree(content(live)), s)}
	i.more, i.less = i.nodes(more), i.nodes(less)
	for _, n := range i.blame.Renamed(m) {
		i.more[n] = true
	}
	stated, _ := i.of(i.blame.Root).(map[string]any)
	return identified(stated, live)
}

// identified adds the apiVersion, kind, name and namespace of the object.
func identified(stated, live map[string]any) map[string]any {
	stated = maps.Clone(stated)
	if stated == nil {
		stated = map[string]any{}
	}
	metadata, _ := stated["metadata"].(map[string]any)
	metadata = maps.Clone(metadata)
	if metadata == nil {
		metadata = map[string]any{}
	}
	from, _ := live["metadata"].(map[string]any)
	for _, name := range []string{"name", "namespace"} {
		if v, has := from[name]; has {
			metadata[name] = v
		}
	}
	for _, name := range []string{"apiVersion", "kind"} {
		if v, has := live[name]; has {
			stated[name] = v
		}
	}
	stated["metadata"] = metadata
	return stated
}

type intent struct {
	manager    ownership.Manager
	blame      *ownership.Blame
	more, less map[*manifest.Node]bool
}

func (i intent) nodes(paths []string) map[*manifest.Node]bool {
	all := map[*manifest.Node]bool{}
	for _, path := range paths {
		for _, n := range i.blame.Find(path) {
			all[n] = true
		}
	}
	return all
}

// nothing means that the manifest doesn't have the value. It differs from null.
type nothing struct{}

// of is the part of a value that the manifest has.
func (i intent) of(n *manifest.Node) any {
	if i.less[n] {
		return nothing{}
	}
	if i.more[n] {
		return n.Value
	}
	mine := i.owns(n)
	if atomic, ok := i.blame.Whole(n); mine && (ok && atomic || len(n.Children) == 0) {
		return n.Value
	}
	if len(n.Children) == 0 {
		return nothing{}
	}
	if _, list := n.Value.([]any); list {
		return i.listItems(n)
	}
	fields := map[string]any{}
	for _, child := range n.Children {
		if v := i.of(child); v != (nothing{}) {
			fields[child.Key] = v
		}
	}
	if len(fields) == 0 {
		return nothing{}
	}
	return fields
}

func (i intent) listItems(n *manifest.Node) any {
	items := []any{}
	for _, child := range n.Children {
		v := i.of(child)
		stated := v != (nothing{})
		if !stated && (!i.owns(child) || i.less[child]) {
			continue
		}
		if len(child.Children) > 0 {
			fields, _ := v.(map[string]any)
			v = i.keyed(child, fields)
		}
		items = append(items, v)
	}
	if len(items) == 0 {
		return nothing{}
	}
	return items
}

// keyed adds the keys of a list item to its fields, except keys that have their default.
func (i intent) keyed(item *manifest.Node, fields map[string]any) map[string]any {
	fields = maps.Clone(fields)
	if fields == nil {
		fields = map[string]any{}
	}
	for _, name := range i.blame.KeysOf(item) {
		key := item.Field(name)
		if key == nil {
			continue
		}
		if usual, ok := i.blame.KeyDefault(item.Parent, name); !ok || !equal(usual, key.Value) {
			fields[name] = key.Value
		}
	}
	return fields
}

func (i intent) owns(n *manifest.Node) bool {
	for _, o := range i.blame.Owners(n) {
		if o.Same(i.manager) {
			return true
		}
	}
	return false
}

// AsItIs is an object to edit, without the fields that only the server writes.
func AsItIs(live map[string]any) map[string]any {
	o := content(live)
	o = maps.Clone(o)
	delete(o, "status")
	metadata, is := o["metadata"].(map[string]any)
	if !is {
		return o
	}
	metadata = maps.Clone(metadata)
	for _, name := range []string{"uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"} {
		delete(metadata, name)
	}
	if annotations, is := metadata["annotations"].(map[string]any); is {
		annotations = maps.Clone(annotations)
		delete(annotations, lastApplied)
		if metadata["annotations"] = annotations; len(annotations) == 0 {
			delete(metadata, "annotations")
		}
	}
	o["metadata"] = metadata
	return o
}

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"
