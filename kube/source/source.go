// Package source reads YAML and JSON text that people write, and changes it. It makes no requests.
//
//	text ──▶ Parse ──▶ Text: Documents, and Problems with their places
//	                     │
//	                     ├─ Document.Find(path) ──▶ nodes ──▶ Place, Head: their places in the text
//	                     └─ Set, Remove, Insert ──▶ the text with one field changed, and everything else as it was
//
// It reads YAML like API servers, with YAML 1.1 rules for values, and explains errors in plain words. Errors in one document don't prevent
// reading the others. Parsing ends for every text, within bounds. After each edit, the text is read again and compared with the wanted value,
// so an edit either does only what was requested, or fails with an EditError.
package source

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manifest"
)

// MaxText is the maximum length of a text in bytes, because API servers accept no longer requests.
const MaxText = 3 << 20

// Position is a place in the text. Lines and columns count from 1. Columns are in UTF-16 code units, as in editors.
type Position struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// compare is negative if p is before q, positive if p is after q, and 0 if they are equal.
func (p Position) compare(q Position) int {
	return cmp.Or(cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
}

// Span is a piece of the text. End is the position after it.
type Span struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// Severity is the severity of a problem.
type Severity string

// The severities.
const (
	Error   Severity = "error"   // the document can't be sent like this
	Warning Severity = "warning" // the document can be sent, but its meaning may be unexpected
	Info    Severity = "info"
)

// Problem is an error or a warning about the text.
type Problem struct {
	Span
	Severity Severity `json:"severity"`
	Document int      `json:"document"` // the index of the document; -1: none
	Message  string   `json:"message"`
}

// twice is in the message of a problem about a duplicate field.
const twice = " is here twice; "

// Twice tells whether the problem is a duplicate field. Only the last one counts. If the text is sent as JSON, the server doesn't receive
// the first one.
func (p Problem) Twice() bool { return p.Severity == Warning && strings.Contains(p.Message, twice) }

// Dropped tells that kubectl drops a part of the text without a word.
func (p Problem) Dropped() bool { return p.Message == afterDots }

// Nameless tells whether the problem is that the document doesn't say which object it is about.
func (p Problem) Nameless() bool { return strings.HasSuffix(p.Message, aboutNothing) }

// Text is a text that was read.
type Text struct {
	// Documents are the documents that aren't empty, in their order. A document that can't be read is one of them, without a Root.
	Documents []Document
	// Problems are the problems in the order of the text, up to a maximum number.
	Problems []Problem

	whole
	left  limits
	known bool // the problems are known, so no more are listed
	steps int  // how much work the reading was, for tests
}

// whole is a text, and the piece of it that is read. Documents refer to it, so it has none of them.
type whole struct {
	text     string
	lines    lines
	from, to int  // the piece
	holds    bool // whether the piece may have values of a Secret
}

// Document is one document of a text.
type Document struct {
	Span                 // from the first to the last line with content
	Index int            // its index in Documents
	Text  string         // the text of the document, byte for byte, without the lines that separate documents
	Root  *manifest.Node // its value; nil if it can't be read, or isn't an object

	APIVersion, Kind, Namespace, Name, GenerateName string

	// Broken tells that the document has a problem with the severity Error.
	Broken bool

	nameless bool // it doesn't name an object, and its last problem says so
	whole    *whole
	base     int     // the offset of Text in the whole text
	places   []place // by the number of the node
	segment  segment // what the YAML parser reads of it
	listed   bool    // it is an item of a list
	line     int     // of its kind or version; 0: unknown
	unread   bool    // see Unread
	lists    *listIndex
}

// place is the place of a node in the text, in bytes: from its key, or from the value of a list item, to the end of its value.
type place struct {
	start, end int32
	keyEnd     int32 // the end of a field's key; 0: the node is not a field
	alias      bool  // the text is elsewhere, because it comes from an alias or a merged mapping
}

// Fields are the fields of the document's value; nil if there is none.
func (d Document) Fields() map[string]any {
	if d.Root == nil {
		return nil
	}
	fields, _ := d.Root.Value.(map[string]any)
	return fields
}

// JSON writes the document as JSON, with the values that an API server would read.
func (d Document) JSON() ([]byte, error) {
	text, err := json.Marshal(d.Fields())
	if err != nil {
		return nil, fmt.Errorf("writing the document as JSON: %w", err)
	}
	return text, nil
}

// Place is the place of a node in the text. A field includes its key, and a list item doesn't include its dash.
func (d Document) Place(n *manifest.Node) Span {
	p := d.places[n.ID]
	return d.whole.lines.span(int(p.start), int(p.end))
}

// Head is the place of a field's key. For any other node, it is the first line.
func (d Document) Head(n *manifest.Node) Span {
	p := d.places[n.ID]
	start, end := int(p.start), int(p.keyEnd)
	if end == 0 {
		end = min(int(p.end), d.whole.lines.lineEnd(start))
	}
	return d.whole.lines.span(start, max(start, end))
}

// MayHold tells whether the text around the document may have values of a Secret.
func (d Document) MayHold() bool { return d.whole.holds }

// Around returns the text before and after Text, at most the given number of lines each, and the line where it begins. If the text is read
// piece by piece, it is the piece.
func (d Document) Around(lines int) (before, after string, first int) {
	w, l, start, end := d.whole, d.whole.lines, d.base, d.base+len(d.Text)
	from := max(w.from, l.beginning(start-1, -lines)) // the byte before Text, because Text may begin within a line
	to := max(end, min(w.to, l.beginning(end, lines)))
	return w.text[from:start], w.text[end:to], l.position(from).Line
}

// Listed tells whether the document is an item of a list. Its text may lack a type, and its lines are indented.
func (d Document) Listed() bool { return d.listed }

// Line is the line that says what the document is about: that of its kind, or else of its version, or else its first line.
func (d Document) Line() int { return cmp.Or(d.line, d.Start.Line) }

// Unread is the document with its text and the name of its object, and without its values, which need much more memory. Read reads them
// again. A document of a list that was read as a whole keeps them.
func (d Document) Unread() Document {
	if d.Root != nil && d.segment.end > 0 {
		d.Root, d.places, d.lists, d.unread = nil, nil, nil, true
	}
	return d
}

// Read is the document with its values.
func (d Document) Read() Document {
	if !d.unread {
		return d
	}
	t := Text{whole: *d.whole, left: allowed(), known: true}
	if r, root := t.rooted(&d); root != nil {
		d.plant(r, root)
	}
	if d.listed {
		d.typed()
	}
	d.unread = false
	return d
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
		if p := d.places[child.ID]; !p.alias && int(p.start) <= offset && offset <= int(p.end) {
			return child
		}
	}
	return nil
}
