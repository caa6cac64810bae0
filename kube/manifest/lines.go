package manifest

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// Class is the kind of a piece of a line.
type Class string

// The classes of pieces.
const (
	Plain  Class = "" // indentation and punctuation
	Key    Class = "key"
	String Class = "string"
	Number Class = "number"
	Word   Class = "word" // true, false, null
)

// Token is a piece of a line.
type Token struct {
	Class Class  `json:"class,omitempty"`
	Text  string `json:"text"`
	Href  string `json:"-"` // the page of the object that the text names; empty: it names none
}

// Line is one line of a document: the texts of its tokens, one after the other.
type Line []Token

// String is the text of the line.
func (l Line) String() string {
	var b strings.Builder
	for _, t := range l {
		b.WriteString(t.Text)
	}
	return b.String()
}

// mark says that a piece of this class begins at a column.
type mark struct {
	column int // in characters, from 1
	class  Class
}

// YAMLLines writes a value as YAML, split into lines of marked pieces.
func YAMLLines(value any) ([]Line, error) {
	document, err := YAMLDocument(value)
	return document.Lines, err
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
// punctuation such as {} or [].
func cutAll(lines []string, marks [][]mark) []Line {
	cut := make([]Line, len(lines))
	inText := false
	for i, text := range lines {
		here := marks[i+1]
		if len(here) == 0 {
			class := Plain
			if inText {
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
