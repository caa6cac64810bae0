// Package schema reads the schema of a kind from the OpenAPI v3 document of its group version, as Kubernetes writes these documents.
// Reading ends for every document. The package skips what it doesn't understand.
package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Document is one OpenAPI v3 document. It never changes after parsing, so goroutines can share it.
type Document struct {
	nodes map[string]*node
}

// Kind is a kind of object in one version.
type Kind struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Kind    string `json:"kind"`
}

// maxDepth is the maximum number of nested schemas without a reference. Deeper schemas are cut off. Real ones have fewer than 40 levels.
const maxDepth = 100

// maxDefault is the maximum length of a default, in bytes.
const maxDefault = 4 << 10

// Parse reads a document. Parts of a wrong type are left out. It returns an error only if data isn't a JSON object.
func Parse(data []byte) (Document, error) {
	var read struct {
		Components struct {
			Schemas map[string]*node `json:"schemas"`
		} `json:"components"`
	}
	if err := lenient(json.Unmarshal(data, &read)); err != nil {
		return Document{}, fmt.Errorf("reading the OpenAPI document: %w", err)
	}
	for _, n := range read.Components.Schemas {
		n.prune(maxDepth)
	}
	return Document{nodes: read.Components.Schemas}, nil
}

// lenient ignores errors about values of a wrong type. All other values have been read.
func lenient(err error) error {
	var mistyped *json.UnmarshalTypeError
	if errors.As(err, &mistyped) && mistyped.Field != "" {
		return nil
	}
	return err
}

// Schema returns the part of the document that one kind needs, and nothing else. If the document doesn't describe the kind, found is
// false.
func (d Document) Schema(k Kind) (s Schema, found bool) {
	for _, name := range slices.Sorted(maps.Keys(d.nodes)) {
		if n := d.nodes[name]; n != nil && slices.Contains(n.Kinds, k) {
			return Schema{Root: name, Definitions: d.needed(name)}, true
		}
	}
	return Schema{}, false
}

// needed returns a definition and all definitions that it refers to, directly or not.
func (d Document) needed(root string) map[string]*node {
	all := map[string]*node{}
	for left := []string{root}; len(left) > 0; {
		name := left[len(left)-1]
		left = left[:len(left)-1]
		n := d.nodes[name]
		if _, seen := all[name]; seen || n == nil {
			continue
		}
		all[name] = n
		left = n.refs(left)
	}
	return all
}

// node is a schema as the document has it.
type node struct {
	Ref           string            `json:"$ref,omitempty"`
	AllOf         []*node           `json:"allOf,omitempty"`
	OneOf         []*node           `json:"oneOf,omitempty"`
	AnyOf         []*node           `json:"anyOf,omitempty"`
	Description   string            `json:"description,omitempty"`
	Type          string            `json:"type,omitempty"`
	Format        string            `json:"format,omitempty"`
	Default       json.RawMessage   `json:"default,omitempty"`
	Enum          []json.RawMessage `json:"enum,omitempty"`
	Required      []string          `json:"required,omitempty"`
	Properties    map[string]*node  `json:"properties,omitempty"`
	Items         *node             `json:"items,omitempty"`
	Values        *node             `json:"additionalProperties,omitempty"` // also if the document has only true
	Deprecated    bool              `json:"deprecated,omitempty"`
	ListType      string            `json:"x-kubernetes-list-type,omitempty"`
	ListMapKeys   []string          `json:"x-kubernetes-list-map-keys,omitempty"`
	MapType       string            `json:"x-kubernetes-map-type,omitempty"`
	PatchStrategy string            `json:"x-kubernetes-patch-strategy,omitempty"`
	PatchMergeKey string            `json:"x-kubernetes-patch-merge-key,omitempty"`
	Open          bool              `json:"x-kubernetes-preserve-unknown-fields,omitempty"`
	IntOrString   bool              `json:"x-kubernetes-int-or-string,omitempty"`
	Embedded      bool              `json:"x-kubernetes-embedded-resource,omitempty"`
	Kinds         []Kind            `json:"x-kubernetes-group-version-kind,omitempty"`
}

// below calls each for the schemas in a schema.
func (n *node) below(each func(*node)) {
	for _, list := range [][]*node{n.AllOf, n.OneOf, n.AnyOf, {n.Items, n.Values}} {
		for _, child := range list {
			if child != nil {
				each(child)
			}
		}
	}
	for _, child := range n.Properties {
		if child != nil {
			each(child)
		}
	}
}

// prune removes schemas that are nested deeper than this number of levels, and defaults that are too long.
func (n *node) prune(levels int) {
	if n == nil {
		return
	}
	if len(n.Default) > maxDefault {
		n.Default = nil
	}
	if levels == 0 {
		n.AllOf, n.OneOf, n.AnyOf, n.Items, n.Values, n.Properties = nil, nil, nil, nil, nil, nil
		return
	}
	n.below(func(child *node) { child.prune(levels - 1) })
}

// refs adds the names of the definitions that a schema refers to.
func (n *node) refs(to []string) []string {
	if name, is := n.target(); is {
		to = append(to, name)
	}
	n.below(func(child *node) { to = child.refs(to) })
	return to
}

// target is the definition that a schema refers to.
func (n *node) target() (name string, is bool) {
	return strings.CutPrefix(n.Ref, "#/components/schemas/")
}
