package schema

import (
	"slices"

	"github.com/fieldmark/fieldmark/kube/manifest"
)

// Knowledge is what a schema tells of how fields are owned. It remembers what it was asked: items of a list have one path
// in the schema.
type Knowledge struct {
	schema Schema
	known  map[string]answer
}

type answer struct {
	merge Merge
	found bool
}

// Knowledge answers what is asked about owners.
func (s Schema) Knowledge() *Knowledge { return &Knowledge{schema: s, known: map[string]answer{}} }

// PathOf is where a schema describes a node.
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

// Atomic tells whether a value is owned as a whole only; ok is false where the schema doesn't know. Of what is untyped the
// value decides: in maps each key has owners of its own, a list is owned as a whole.
func (k *Knowledge) Atomic(n *manifest.Node) (atomic, ok bool) {
	path := PathOf(n)
	a, asked := k.known[path.String()]
	if !asked {
		field, found := k.schema.Field(path)
		a = answer{field.Merge, found}
		k.known[path.String()] = a
	}
	switch {
	case !a.found || a.merge.Strategy == Single:
		return false, false
	case a.merge.Strategy == Untyped:
		_, list := n.Value.([]any)
		return list, true
	default:
		return a.merge.Strategy == Atomic, true
	}
}

// KeyDefault is the value that a key of a list has in items which don't give it.
func (k *Knowledge) KeyDefault(list *manifest.Node, key string) (value any, ok bool) {
	return k.schema.KeyDefault(PathOf(list), key)
}
