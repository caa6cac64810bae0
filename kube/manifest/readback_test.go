package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// How documents were laid out before the writer knew its lines: the library writes all of the text, and reads it back.

func libraryText(root *Node) ([]byte, error) {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	e.CompactSeqIndent()
	if err := e.Encode(yamlNode(root)); err != nil {
		return nil, err
	}
	if err := e.Close(); err != nil {
		return nil, err
	}
	return escaped(b.Bytes()), nil
}

// readBack writes a value with the library, reads it back, and finds the nodes of each line.
func readBack(value any) (Document, error) {
	root := Tree(value)
	text, err := libraryText(root)
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
	return Document{Root: root, Lines: cutAll(lines, marks, places), Places: places}, nil
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

func wordNode(value any) *yaml.Node {
	switch v := value.(type) {
	case bool:
		return scalar("!!bool", strconv.FormatBool(v))
	case nil:
		return scalar("!!null", "null")
	default:
		return stringNode(fmt.Sprint(v))
	}
}

// numberNode has no tag, so the number is written as in the JSON, even if it is too large or too precise for a number type of Go.
func numberNode(text string) *yaml.Node { return scalar("", text) }

// mark says that a piece of this class begins at a column.
type mark struct {
	column int // in characters, from 1
	class  Class
}

func markNode(n *yaml.Node, marks [][]mark, isKey bool) {
	if n.Kind == yaml.ScalarNode && n.Line > 0 && n.Line < len(marks) {
		marks[n.Line] = append(marks[n.Line], mark{n.Column, classOf(n, isKey)})
	}
	for i, child := range n.Content {
		markNode(child, marks, n.Kind == yaml.MappingNode && i%2 == 0)
	}
}

func classOf(n *yaml.Node, isKey bool) Class {
	switch {
	case isKey:
		return Key
	case n.Style != 0:
		return String
	}
	switch n.ShortTag() {
	case "!!int", "!!float":
		return Number
	case "!!bool", "!!null":
		return Word
	default:
		return String
	}
}

// cutAll splits each line at its marks. A line without marks continues the string before it (a text block), except if it has only
// punctuation such as {} or [], and nodes begin in it.
func cutAll(lines []string, marks [][]mark, places []Place) []Line {
	cut := make([]Line, len(lines))
	inText := false
	for i, text := range lines {
		here := marks[i+1]
		if len(here) == 0 {
			class := Plain
			if inText && places[i].Continued {
				class = String
			}
			cut[i] = Line{{Class: class, Text: text}}
			continue
		}
		cut[i] = cutLine(text, here)
		inText = here[len(here)-1].class == String
	}
	return cut
}

func cutLine(text string, marks []mark) Line {
	runes := []rune(text)
	var line Line
	add := func(class Class, from, to int) {
		if from < to {
			line = append(line, Token{Class: class, Text: string(runes[from:to])})
		}
	}
	at := 0
	for i, m := range marks {
		start := min(max(m.column-1, at), len(runes))
		end := len(runes)
		if i+1 < len(marks) {
			end = min(max(marks[i+1].column-1, start), len(runes))
		}
		add(Plain, at, start)
		at = end
		if m.class == Key {
			end = keyEnd(runes, start, end)
		}
		add(m.class, start, end)
		add(Plain, end, at)
	}
	return line
}

// keyEnd is the end of a key: the last colon after which there are only spaces.
func keyEnd(runes []rune, start, end int) int {
	for i := end - 1; i > start; i-- {
		if runes[i] == ':' {
			return i
		}
	}
	return end
}
