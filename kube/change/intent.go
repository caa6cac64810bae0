package change

import (
	"maps"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/schema"
)

// Intent is the manifest that states exactly what a manager owns of an object, with the live values, and what it takes to
// say which object and which list items are meant. Who applies it as that manager changes nothing.
func Intent(live map[string]any, m ownership.Manager, known *schema.Schema) map[string]any {
	var s ownership.Schema
	if known != nil {
		s = known.Knowledge()
	}
	i := intent{manager: m, blame: ownership.Parse(live).On(manifest.Tree(content(live)), s)}
	value, _ := i.of(i.blame.Root, false)
	stated, _ := value.(map[string]any)
	return identified(stated, live)
}

// identified adds which object a manifest is about.
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
	manager ownership.Manager
	blame   *ownership.Blame
}

// of is what of a value the manager states; all of it where something around it is owned as a whole.
func (i intent) of(n *manifest.Node, whole bool) (v any, stated bool) {
	mine := whole || i.owns(n)
	if len(n.Children) == 0 {
		return n.Value, mine
	}
	if atomic, ok := i.blame.Whole(n); mine && ok && atomic {
		return n.Value, true
	}
	if _, list := n.Value.([]any); list {
		return i.list(n, mine)
	}
	fields := map[string]any{}
	for _, child := range n.Children {
		if v, stated := i.of(child, false); stated {
			fields[child.Key] = v
		}
	}
	return fields, len(fields) > 0
}

func (i intent) list(n *manifest.Node, mine bool) (any, bool) {
	items := []any{}
	for _, child := range n.Children {
		v, stated := i.of(child, false)
		if !stated && !i.owns(child) {
			continue
		}
		if fields, is := v.(map[string]any); is {
			v = i.keyed(child, fields)
		}
		items = append(items, v)
	}
	return items, len(items) > 0 || mine && len(n.Children) == 0
}

// keyed adds to an item what tells it from the others, as far as the item has it.
func (i intent) keyed(item *manifest.Node, fields map[string]any) map[string]any {
	for _, name := range i.blame.KeysOf(item) {
		if key := item.Field(name); key != nil {
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

// AsItIs is an object as one would write it down to edit it: without what only the server writes.
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
