package inquiry

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/refusal"
	"github.com/fieldmark/fieldmark/kube/schema"
)

// lacks tells that a type has no such fields as a refusal names, so that the refusal isn't about the type. It is false if the schema isn't known.
func (q *Inquiry) lacks(t discovery.Type, no refusal.Refusal) bool {
	if q.Schema == nil || len(no.Fields) == 0 {
		return false
	}
	if q.schemas == nil {
		q.schemas = map[string]*schema.Schema{}
	}
	key := t.FullName() + "/" + t.Version
	known, asked := q.schemas[key]
	if !asked {
		known = q.Schema(t)
		q.schemas[key] = known
	}
	return known != nil && slices.ContainsFunc(no.Fields, func(f refusal.Field) bool { return !has(*known, f) })
}

// has tells whether a type has the field of a refusal. The server may have refused the field because the type doesn't have it.
func has(known schema.Schema, f refusal.Field) bool {
	path, err := schema.ParsePath(f.Path)
	if err != nil || strings.Contains(f.Message, "unknown field") || strings.Contains(f.Message, "not declared") {
		return true
	}
	for i := range path {
		if _, anyKey := known.Field(path[:i].To(schema.Each)); anyKey && path[i] != schema.Each {
			return true // a map's keys can have dots, so the rest of the path isn't certain
		}
		if _, found := known.Field(path[:i+1]); !found {
			return false
		}
	}
	return true
}

// fitting are the types that have the fields of a refusal; all of them if none has, or if the refusal names no fields.
func (q *Inquiry) fitting(types []discovery.Type, no refusal.Refusal) []discovery.Type {
	if len(types) < 2 {
		return types
	}
	var some []discovery.Type
	for _, t := range types {
		if !q.lacks(t, no) {
			some = append(some, t)
		}
	}
	if len(some) == 0 {
		return types
	}
	return some
}
