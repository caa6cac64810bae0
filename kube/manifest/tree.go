package manifest

import (
	"maps"
	"slices"
	"strings"
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

// YAMLDocument writes a value like YAML, and says which nodes each line shows.
func YAMLDocument(value any) (Document, error) { return layOut(Tree(value)) }
