package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// Schema is the schema of one kind. It can be written as JSON and sent to a page. The zero value is empty.
type Schema struct {
	Root        string           `json:"root"`
	Definitions map[string]*node `json:"definitions"`
}

// UnmarshalJSON reads the output of json.Marshal.
func (s *Schema) UnmarshalJSON(data []byte) error {
	type plain Schema
	if err := lenient(json.Unmarshal(data, (*plain)(s))); err != nil {
		return fmt.Errorf("reading a schema: %w", err)
	}
	for _, n := range s.Definitions {
		n.prune(maxDepth)
	}
	return nil
}

// resolved is a schema merged with all schemas that it refers to.
type resolved struct {
	node
	named   string // the name of the first definition
	typed   string // the description of that definition
	missing bool   // a definition is missing
}

// maxParts is the maximum number of schemas that are merged. References can be cyclic, and references that double at each step would make
// any number of parts.
const maxParts = 32

func (s Schema) resolve(n *node) resolved {
	var r resolved
	left := maxParts
	s.gather(&r, n, &left)
	return r
}

func (s Schema) gather(r *resolved, n *node, left *int) {
	if n == nil || *left == 0 {
		return
	}
	*left--
	r.mergeSchema(n)
	if name, is := n.target(); is {
		target := s.Definitions[name]
		if r.named == "" {
			r.named = name
		}
		r.missing = r.missing || target == nil
		s.gather(r, target, left)
	}
	for _, part := range n.AllOf {
		s.gather(r, part, left)
	}
}

// mergeSchema merges another schema. Values from schemas before it are nearer to the field, so they don't change.
func (r *resolved) mergeSchema(n *node) {
	for _, word := range []struct {
		to   *string
		from string
	}{
		{&r.Type, n.Type},
		{&r.Format, n.Format},
		{&r.ListType, n.ListType},
		{&r.MapType, n.MapType},
		{&r.PatchStrategy, n.PatchStrategy},
		{&r.PatchMergeKey, n.PatchMergeKey},
	} {
		if *word.to == "" {
			*word.to = word.from
		}
	}
	r.describe(n.Description)
	r.Default, r.Enum = either(r.Default, n.Default), either(r.Enum, n.Enum)
	r.OneOf, r.AnyOf = either(r.OneOf, n.OneOf), either(r.AnyOf, n.AnyOf)
	r.ListMapKeys = either(r.ListMapKeys, n.ListMapKeys)
	r.Required = slices.Concat(r.Required, n.Required)
	r.Open, r.IntOrString = r.Open || n.Open, r.IntOrString || n.IntOrString
	r.Embedded, r.Deprecated = r.Embedded || n.Embedded, r.Deprecated || n.Deprecated
	if r.Items == nil {
		r.Items = n.Items
	}
	if r.Values == nil {
		r.Values = n.Values
	}
	r.join(n.Properties)
}

func either[T any](first, second []T) []T {
	if len(first) > 0 {
		return first
	}
	return second
}

func (r *resolved) describe(words string) {
	switch {
	case words == "":
	case r.Description == "" && r.named == "":
		r.Description = words
	case r.typed == "" && r.named != "":
		r.typed = words
	}
}

// join adds properties. It doesn't change maps of the document.
func (r *resolved) join(properties map[string]*node) {
	if len(r.Properties) == 0 {
		r.Properties = properties
		return
	}
	if len(properties) == 0 {
		return
	}
	both := maps.Clone(properties)
	maps.Copy(both, r.Properties)
	r.Properties = both
}

func (r resolved) isList() bool {
	return r.Type == "array" || r.Type == "" && r.Items != nil && len(r.Properties) == 0
}

func (r resolved) isQuantity() bool {
	return r.named == "io.k8s.apimachinery.pkg.api.resource.Quantity"
}

// isRaw tells whether this is RawExtension, which is owned as a whole because of its name.
func (r resolved) isRaw() bool { return r.named == "io.k8s.apimachinery.pkg.runtime.RawExtension" }

func (r resolved) isIntOrString() bool { return r.IntOrString || r.Format == "int-or-string" }

// isObject tells whether the schema has fields or keys, or may have some.
func (r resolved) isObject() bool {
	return r.Type == "object" || len(r.Properties) > 0 || r.Values != nil
}

// isAny tells whether the schema says nothing about the value.
func (r resolved) isAny() bool {
	return r.Type == "" && !r.isList() && !r.isObject() && !r.isIntOrString() && !r.isQuantity()
}

// chosen tells whether the schema allows several types.
func (r resolved) chosen() bool { return len(r.OneOf)+len(r.AnyOf) > 0 }

// takesAny tells whether the schema allows unknown fields.
func (r resolved) takesAny() bool {
	return r.isAny() || r.Open || r.Type == "object" && len(r.Properties) == 0 && r.Values == nil
}

// fallback is the default of the schema; ok is false if it has none, or null.
func (r resolved) fallback() (value any, ok bool) {
	d := json.NewDecoder(bytes.NewReader(r.Default))
	d.UseNumber()
	if err := d.Decode(&value); err != nil || value == nil {
		return nil, false
	}
	return value, true
}
