package object

import (
	"slices"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/schema"
)

// knowledge is what the kind's schema tells of how fields are owned; nil where there is none.
func (m Model) knowledge() ownership.Schema {
	if m.Outline == nil || m.Outline.Schema.Definitions == nil {
		return nil
	}
	return &knowledge{schema: m.Outline.Schema, known: map[string]answer{}}
}

// knowledge remembers what it was asked: items of a list have one path in the schema.
type knowledge struct {
	schema schema.Schema
	known  map[string]answer
}

type answer struct {
	merge schema.Merge
	found bool
}

// schemaPath is where the schema describes a node.
func schemaPath(n *manifest.Node) schema.Path {
	path := schema.Path{}
	for ; n.Parent != nil; n = n.Parent {
		step := n.Key
		if n.Index >= 0 {
			step = schema.Each
		}
		path = append(path, step)
	}
	slices.Reverse(path)
	return path
}

// Atomic implements ownership.Schema. Of what is untyped the value decides: in maps each key has owners of its own, a list
// is owned as a whole.
func (k *knowledge) Atomic(n *manifest.Node) (atomic, ok bool) {
	path := schemaPath(n)
	a, asked := k.known[path.String()]
	if !asked {
		field, found := k.schema.Field(path)
		a = answer{field.Merge, found}
		k.known[path.String()] = a
	}
	switch {
	case !a.found || a.merge.Strategy == schema.Single:
		return false, false
	case a.merge.Strategy == schema.Untyped:
		_, list := n.Value.([]any)
		return list, true
	default:
		return a.merge.Strategy == schema.Atomic, true
	}
}

// KeyDefault implements ownership.Schema.
func (k *knowledge) KeyDefault(list *manifest.Node, key string) (value any, ok bool) {
	return k.schema.KeyDefault(schemaPath(list), key)
}
