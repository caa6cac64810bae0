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

// Node is a value within a document: the document itself, a field, or a list item. Nodes are numbered from the
// document (0) in the order in which they are written, so that a node and all below it are the numbers ID to End-1.
type Node struct {
	Key      string // the field's name; empty for a list item
	Index    int    // the list item's place; -1 for a field and for the document
	Value    any    // as it was decoded
	Parent   *Node  // nil for the document
	Children []*Node
	ID, End  int
}

// Tree takes a decoded JSON value (maps, slices, strings, json.Number, bool, nil) apart, fields sorted by name.
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

// Search finds the child that is a field of that name.
func (n *Node) Search(field string) (child int, ok bool) {
	if _, isMap := n.Value.(map[string]any); !isMap {
		return 0, false
	}
	return slices.BinarySearchFunc(n.Children, field, func(child *Node, name string) int { return strings.Compare(child.Key, name) })
}

// Field gives the child that is a field of that name; nil where there is none.
func (n *Node) Field(name string) *Node {
	if i, ok := n.Search(name); ok {
		return n.Children[i]
	}
	return nil
}

// Place says what a line of a document shows.
type Place struct {
	// Outer is the first node that begins in the line, Inner the last. They differ where list items begin
	// together with the first of what they hold (- name: app), and then lie one within the other.
	Outer, Inner *Node
	// Continued tells that nothing begins here: the line goes on with the text of Inner, and there is no Outer.
	Continued bool
}

// Document is a value written out: its lines, and what each of them shows.
type Document struct {
	Root   *Node
	Lines  []Line
	Places []Place // one for each line
}

// YAMLDocument writes a value as YAML does, and says of each line what it shows.
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

var errOther = errors.New("reading back the YAML: it has another structure than what was written")

// locate finds the line in which each node begins.
func locate(parsed *yaml.Node, root *Node, lines int) ([]Place, error) {
	if len(parsed.Content) != 1 {
		return nil, errOther
	}
	found := places(make([]Place, lines))
	if len(root.Children) == 0 {
		found.begin(root, parsed.Content[0].Line)
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

// begin notes that a node begins in a line, counted from 1.
func (p places) begin(n *Node, line int) bool {
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

// below notes where the nodes below one begin. The parsed document has them in the same order.
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
		if !p.begin(child, first.Line) || !p.below(value, child) {
			return false
		}
	}
	return true
}

// yamlNode gives what YAML is written from.
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
