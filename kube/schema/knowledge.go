package schema

import (
	"slices"

	"github.com/fieldmark/fieldmark/kube/manifest"
)

// Knowledge is what a schema says about the ownership of fields. It remembers its results, because all items of a list have one path in
// the schema.
type Knowledge struct {
	schema Schema
	top    *known
}

// known is what is known about a path.
type known struct {
	place place
	found bool
	merge Merge
	depth int
	below map[string]*known
}

// Knowledge returns what the schema says about the ownership of fields.
func (s Schema) Knowledge() *Knowledge {
	p, found := s.top()
	return &Knowledge{schema: s, top: s.known(p, found, 0)}
}

func (s Schema) known(p place, found bool, depth int) *known {
	k := &known{place: p, found: found && depth <= maxSteps, depth: depth, below: map[string]*known{}}
	if k.found {
		k.merge = s.merge(p)
	}
	return k
}

// PathOf is the path at which a schema describes a node.
func PathOf(n *manifest.Node) Path {
	path := Path{}
	for ; n.Parent != nil; n = n.Parent {
		step := n.Key
		if n.Index >= 0 {
			step = Each
		}
		path = append(path, step)
	}
	slices.Reverse(path)
	return path
}

// Atomic tells whether a value can only be owned as a whole. If the schema doesn't know, ok is false. If a field has no type, the value
// decides: in maps each key has owners of its own, and a list is owned as a whole.
func (k *Knowledge) Atomic(n *manifest.Node) (atomic, ok bool) {
	m, found := k.merge(n)
	switch {
	case !found || m.Strategy == Single:
		return false, false
	case m.Strategy == Untyped:
		_, list := n.Value.([]any)
		return list, true
	default:
		return m.Strategy == Atomic, true
	}
}

// Names says what identifies the items of a list: the fields keys, or their own values in a set. If it is their position, or the schema doesn't
// know, it returns neither.
func (k *Knowledge) Names(list *manifest.Node) (keys []string, set bool) {
	m, _ := k.merge(list)
	switch m.Strategy {
	case ByKeys:
		return m.Keys, false
	case Set:
		return nil, true
	default:
		return nil, false
	}
}

// merge is how the field of a node is merged.
func (k *Knowledge) merge(n *manifest.Node) (m Merge, found bool) {
	at := k.at(n)
	return at.merge, at.found
}

// at is what is known about the path of a node.
func (k *Knowledge) at(n *manifest.Node) *known {
	if n.Parent == nil {
		return k.top
	}
	around, step := k.at(n.Parent), n.Key
	if n.Index >= 0 {
		step = Each
	}
	if !around.found {
		return around
	}
	below, asked := around.below[step]
	if !asked {
		p, found := k.schema.into(around.place, step)
		below = k.schema.known(p, found, around.depth+1)
		around.below[step] = below
	}
	return below
}

// KeyDefault is the value of a key in list items that don't have the key.
func (k *Knowledge) KeyDefault(list *manifest.Node, key string) (value any, ok bool) {
	return k.schema.KeyDefault(PathOf(list), key)
}
