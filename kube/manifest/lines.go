package manifest

import (
	"bytes"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Class says what a piece of a line is.
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
}

// Line is one line of a document; its tokens' texts make up the line.
type Line []Token

// String gives the line's text.
func (l Line) String() string {
	var b strings.Builder
	for _, t := range l {
		b.WriteString(t.Text)
	}
	return b.String()
}

// mark says that from a column on, a line holds something of a class.
type mark struct {
	column int // in characters, from 1
	class  Class
}

// YAMLLines writes a value as YAML and cuts it into lines of marked pieces.
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

// cutAll cuts each line at its marks. A line without marks goes on with the string before it (block
// and folded text), unless it holds only punctuation such as {} or [].
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
			cut[i] = Line{{class, text}}
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
			line = append(line, Token{class, string(runes[from:to])})
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

// keyEnd finds where a key stops: before the last colon that only blanks follow.
func keyEnd(runes []rune, start, end int) int {
	for i := end - 1; i > start; i-- {
		if runes[i] == ':' {
			return i
		}
	}
	return end
}

// jsonLine takes a line of indented JSON apart: indentation, key, value, trailing punctuation.
var jsonLine = regexp.MustCompile(`^( *)("(?:[^"\\]|\\.)*")?(: )?(.*?)(,?)$`)

// JSONLines writes a value as JSON and cuts it into lines of marked pieces.
func JSONLines(value any) ([]Line, error) {
	text, err := JSON(value)
	if err != nil {
		return nil, err
	}
	raw := bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
	lines := make([]Line, len(raw))
	for i, l := range raw {
		lines[i] = cutJSON(string(l))
	}
	return lines, nil
}

func cutJSON(text string) Line {
	m := jsonLine.FindStringSubmatch(text)
	if m == nil {
		return Line{{Plain, text}}
	}
	first := String
	if m[3] != "" {
		first = Key
	}
	var line Line
	for _, t := range []Token{{Plain, m[1]}, {first, m[2]}, {Plain, m[3]}, {jsonClass(m[4]), m[4]}, {Plain, m[5]}} {
		if t.Text != "" {
			line = append(line, t)
		}
	}
	return line
}

func jsonClass(value string) Class {
	switch {
	case value == "":
		return Plain
	case value[0] == '"':
		return String
	case value == "true" || value == "false" || value == "null":
		return Word
	case strings.ContainsRune("-0123456789", rune(value[0])):
		return Number
	default:
		return Plain
	}
}
