package manifest

import (
	"strings"
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

// YAMLLines writes a value as YAML, split into lines of marked pieces.
func YAMLLines(value any) ([]Line, error) {
	document, err := YAMLDocument(value)
	return document.Lines, err
}
