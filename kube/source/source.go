// Package source reads YAML and JSON text that people write. It finds documents, the place of each field in the text, and errors, which
// it explains in plain words. It changes single fields in the text and leaves everything else as it is.
package source

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manifest"
)

// MaxText is how long a text may be, in bytes: an API server takes no longer request.
const MaxText = 3 << 20

// Position is a place in the text. Lines and columns count from 1, columns in UTF-16 code units, as editors do.
type Position struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// compare tells which position is further on.
func (p Position) compare(q Position) int {
	return cmp.Or(cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
}

// Span is a piece of the text; End is the place behind it.
type Span struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// Severity says how bad a problem is.
type Severity string

// The severities.
const (
	Error   Severity = "error"   // the document can't be sent like this
	Warning Severity = "warning" // it can, and means something that may surprise
	Info    Severity = "info"
)

// Problem is an error or a warning about the text.
type Problem struct {
	Span
	Severity Severity `json:"severity"`
	Document int      `json:"document"` // by its place among the documents; -1: none of them
	Message  string   `json:"message"`
}

// twice is in the message of a problem about a field that is given again.
const twice = " is here twice; "

// Twice tells whether the problem is a field that is given again. Only the last one counts. If the text is sent as JSON, the server
// doesn't receive the first one.
func (p Problem) Twice() bool { return p.Severity == Warning && strings.Contains(p.Message, twice) }

// Nameless tells whether the problem is that the document doesn't say which object it is about.
func (p Problem) Nameless() bool { return strings.HasSuffix(p.Message, aboutNothing) }

// Text is a text that was read.
type Text struct {
	// Documents are the documents that aren't empty, in their order. A document that can't be read is one of them, without a Root.
	Documents []Document
	// Problems are all that were found, in the order of the text, but for those past a bound.
	Problems []Problem

	text  string
	lines lines
}

// Document is one document of a text.
type Document struct {
	Span                 // from the first line that holds something of it to the last
	Index int            // its place among the text's documents
	Text  string         // the document alone, without the lines that separate it from others; byte for byte as it stands
	Root  *manifest.Node // its value; nil where it can't be read, or is no object

	APIVersion, Kind, Namespace, Name, GenerateName string

	// Broken tells that it has a problem of severity Error.
	Broken bool

	nameless bool // it doesn't say which object it is about: its last problem
	whole    *Text
	rows     rows
	places   []place // by the number of the node
}

// place is where a node stands in the text.
type place struct {
	*parsed
	start, end int // in bytes: its key, or the value of a list item, to the end of its value
}

// Fields are the document's value as an object; nil where it has none.
func (d Document) Fields() map[string]any {
	if d.Root == nil {
		return nil
	}
	fields, _ := d.Root.Value.(map[string]any)
	return fields
}

// JSON writes the document as JSON, as an API server reads it.
func (d Document) JSON() ([]byte, error) {
	text, err := json.Marshal(d.Fields())
	if err != nil {
		return nil, fmt.Errorf("writing the document as JSON: %w", err)
	}
	return text, nil
}

// Place is the place of a node in the text: a field with its key, a list item without its dash.
func (d Document) Place(n *manifest.Node) Span {
	p := d.places[n.ID]
	return d.whole.lines.span(p.start, p.end)
}

// Head is the place of a node's name: a field's key, or the first line of any other node.
func (d Document) Head(n *manifest.Node) Span {
	p := d.places[n.ID]
	end := min(p.end, d.whole.lines.lineEnd(p.start))
	if p.key != nil {
		end = d.whole.tokenEnd(p.start, p.key)
	}
	return d.whole.lines.span(p.start, max(p.start, end))
}

// Whole is the text that the document is in.
func (d Document) Whole() string { return d.whole.text }

// Around returns the text before and after Text in the whole text, at most the given number of lines each, and the line where it
// begins.
func (d Document) Around(lines int) (before, after string, first int) {
	whole, start, end := d.whole.text, d.rows.base, d.rows.base+len(d.Text)
	from, to := start, end
	for n := 0; from > 0 && n <= lines; n++ { // one more: the last one may go on with Text
		from = strings.LastIndexByte(whole[:from-1], '\n') + 1
	}
	for n := 0; to < len(whole) && n < lines; n++ {
		next := strings.IndexByte(whole[to:], '\n')
		if next < 0 {
			to = len(whole)
			break
		}
		to += next + 1
	}
	return whole[from:start], whole[end:to], d.whole.lines.position(from).Line
}

// At finds the innermost node at a position. It is nil if there is none.
func (d Document) At(p Position) *manifest.Node {
	if d.Root == nil {
		return nil
	}
	offset, n := d.whole.lines.offset(p), d.Root
	for {
		next := d.childAt(n, offset)
		if next == nil {
			break
		}
		n = next
	}
	if n == d.Root {
		return nil
	}
	return n
}

func (d Document) childAt(n *manifest.Node, offset int) *manifest.Node {
	for _, child := range n.Children {
		if p := d.places[child.ID]; !p.alias && p.start <= offset && offset <= p.end {
			return child
		}
	}
	return nil
}
