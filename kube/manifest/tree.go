package manifest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Node is a value in a document: the document itself, a field, or a list item. Nodes have numbers, from the document (0) on, in the order
// in which they are written. A node and all nodes below it have the numbers from ID to End-1.
type Node struct {
	Key      string // the name of the field; empty for a list item
	Index    int    // the index of the list item; -1 for a field and for the document
	Value    any    // the decoded value
	Parent   *Node  // nil for the document
	Children []*Node
	ID, End  int
}

// Tree makes nodes of a decoded JSON value (maps, slices, strings, json.Number, bool, nil). Fields are sorted by name.
func Tree(value any) *Node {
	last := 0
	return grow(value, &Node{Index: -1}, &last)
}

func grow(value any, n *Node, last *int) *Node {
	n.Value, n.ID = value, *last
	*last++
	switch v := value.(type) {
	case map[string]any:
		n.Children = make([]*Node, 0, len(v))
		for _, key := range slices.Sorted(maps.Keys(v)) {
			n.Children = append(n.Children, grow(v[key], &Node{Key: key, Index: -1, Parent: n}, last))
		}
	case []any:
		n.Children = make([]*Node, 0, len(v))
		for i, item := range v {
			n.Children = append(n.Children, grow(item, &Node{Index: i, Parent: n}, last))
		}
	}
	n.End = *last
	return n
}

// Cut makes the node the document of a tree of its own, with numbers from 0 on. The tree around it can't be used afterwards.
func (n *Node) Cut() *Node {
	n.Key, n.Index, n.Parent = "", -1, nil
	n.renumber(n.ID)
	return n
}

func (n *Node) renumber(first int) {
	n.ID, n.End = n.ID-first, n.End-first
	for _, child := range n.Children {
		child.renumber(first)
	}
}

// Search returns the index of the child that is the field with this name.
func (n *Node) Search(field string) (child int, ok bool) {
	if _, isMap := n.Value.(map[string]any); !isMap {
		return 0, false
	}
	return slices.BinarySearchFunc(n.Children, field, func(child *Node, name string) int { return strings.Compare(child.Key, name) })
}

// Field returns the child that is the field with this name; nil if there is none.
func (n *Node) Field(name string) *Node {
	if i, ok := n.Search(name); ok {
		return n.Children[i]
	}
	return nil
}

// In returns the node at the same place of another tree, by the names and positions that lead to it; nil if there is none.
func (n *Node) In(tree *Node) *Node {
	if n.Parent == nil {
		return tree
	}
	around := n.Parent.In(tree)
	switch {
	case around == nil:
		return nil
	case n.Index < 0:
		return around.Field(n.Key)
	}
	if _, list := around.Value.([]any); !list || n.Index >= len(around.Children) {
		return nil
	}
	return around.Children[n.Index]
}

// Place has the nodes that a line of a document shows.
type Place struct {
	// Outer is the first node that begins in the line, and Inner the last. They differ if a list item begins in the same line as its first
	// field (- name: app). Inner is then below Outer.
	Outer, Inner *Node
	// Continued tells that no node begins in the line. The line continues the text of Inner, and Outer is nil.
	Continued bool
}

// Document is the text of a value: its lines, and the nodes that each line shows.
type Document struct {
	Root   *Node
	Lines  []Line
	Places []Place // one for each line
}

// YAMLDocument writes a value like YAML, and finds the nodes of each line.
func YAMLDocument(value any) (Document, error) {
	root := Tree(value)
	text, err := encode(root)
	if err != nil {
		return Document{}, err
	}
	var parsed yaml.Node
	if err := yaml.Unmarshal(text, &parsed); err != nil {
		return Document{}, fmt.Errorf("reading back the YAML: %w", err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	marks := make([][]mark, len(lines)+1)
	markNode(&parsed, marks, false)
	places, err := locate(&parsed, root, len(lines))
	if err != nil {
		return Document{}, err
	}
	return Document{Root: root, Lines: cutAll(lines, marks), Places: places}, nil
}

var errOther = errors.New("reading back the YAML: its structure differs from the structure of the value")

// locate finds the line in which each node begins.
func locate(parsed *yaml.Node, root *Node, lines int) ([]Place, error) {
	if len(parsed.Content) != 1 {
		return nil, errOther
	}
	found := places(make([]Place, lines))
	if len(root.Children) == 0 {
		found.noteStart(root, parsed.Content[0].Line)
	}
	if !found.below(parsed.Content[0], root) {
		return nil, errOther
	}
	last := root
	for i, p := range found {
		if p.Inner == nil {
			found[i] = Place{Inner: last, Continued: true}
		}
		last = found[i].Inner
	}
	return found, nil
}

type places []Place

// noteStart notes that a node begins in a line. Lines are counted from 1.
func (p places) noteStart(n *Node, line int) bool {
	if line < 1 || line > len(p) {
		return false
	}
	here := &p[line-1]
	if here.Outer == nil {
		here.Outer = n
	}
	here.Inner = n
	return true
}

// below notes where the nodes below a node begin. The parsed document has them in the same order.
func (p places) below(parsed *yaml.Node, n *Node) bool {
	each := 1 // a list has items, a mapping keys and values
	if parsed.Kind == yaml.MappingNode {
		each = 2
	}
	if len(parsed.Content) != each*len(n.Children) {
		return false
	}
	for i, child := range n.Children {
		first, value := parsed.Content[each*i], parsed.Content[each*i+each-1]
		if !p.noteStart(child, first.Line) || !p.below(value, child) {
			return false
		}
	}
	return true
}

// yamlNode makes the node of the YAML library for a value.
func yamlNode(n *Node) *yaml.Node {
	switch v := n.Value.(type) {
	case map[string]any:
		m := &yaml.Node{Kind: yaml.MappingNode}
		for _, child := range n.Children {
			m.Content = append(m.Content, stringNode(child.Key), yamlNode(child))
		}
		return m
	case []any:
		l := &yaml.Node{Kind: yaml.SequenceNode}
		for _, child := range n.Children {
			l.Content = append(l.Content, yamlNode(child))
		}
		return l
	case string:
		return stringNode(v)
	case json.Number:
		return numberNode(v.String())
	default:
		return wordNode(v)
	}
}
