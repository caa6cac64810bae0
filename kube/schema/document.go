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

// Document is one OpenAPI v3 document. It is not changed once it is parsed, and is safe to share.
type Document struct {
	nodes map[string]*node
}

// Kind names a kind of object in one version.
type Kind struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Kind    string `json:"kind"`
}

// maxDepth is how deep schemas may be nested in each other without a reference between them; what lies deeper is cut
// off. Real ones stay below 40.
const maxDepth = 100

// maxDefault is how long a default may be, in bytes.
const maxDefault = 4 << 10

// Parse reads a document. Parts of a wrong type are left out; an error means that it is no JSON object at all.
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

// lenient forgives values of another type than expected: what could be read has been.
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

// needed are the definitions that one refers to, directly or not, itself among them.
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

// node is a schema as it is written.
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
	Values        *node             `json:"additionalProperties,omitempty"` // also where the document says just true
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

// below are the schemas that a schema holds.
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

// prune cuts off what is nested deeper than so many levels, and defaults beyond all measure.
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
