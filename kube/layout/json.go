// Package layout splits text into lines for people. It lays out only as many lines as are shown. It marks the pieces of JSON and hides secret
// values. It shows other text as it is, and bytes in hexadecimal.
//
//	{"kind":"List","items":[{"a":1},…   the text: complete or cut, one document or several, or no JSON at all
//	           │ token by token, up to the requested number of lines; the next call continues where this one stopped
//	           ▼
//	{
//	  "kind": "List",          .kind          each line knows the path of the value that begins in it,
//	  "items": [               .items         so a note about a path finds its line
//	    {                      .items[0]
//
// Pieces don't change: numbers keep their digits, and texts keep their escapes. The open brackets keep the place in the document, because
// package object decides by the place which values are secret.
package layout

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
)

// Line is one line of a text.
type Line struct {
	manifest.Line
	Folded bool  // it has a value that is folded
	at     *step // the path of the value that begins in the line; nil: none begins
}

// step is the last step of the path to a value. The step to the document has no former step.
type step struct {
	from *step
	name string
}

// Way is the path of the value that begins in the line; begins is false if none does.
func (l Line) Way() (steps []string, begins bool) {
	if l.at == nil {
		return nil, false
	}
	for s := l.at; s.from != nil; s = s.from {
		steps = append(steps, s.name)
	}
	slices.Reverse(steps)
	return steps, true
}

// On tells whether a path leads through the value that begins in the line, and how many steps of the path lead to that value.
func (l Line) On(way []string) (steps int, on bool) {
	if l.at == nil {
		return 0, false
	}
	for s := l.at; s.from != nil; s = s.from {
		steps++
	}
	if steps > len(way) {
		return steps, false
	}
	i := steps
	for s := l.at; s.from != nil; s = s.from {
		if i--; way[i] != s.name {
			return steps, false
		}
	}
	return steps, true
}

// How has the options for the layout of JSON.
type How struct {
	Hide  bool   // hide values of Secrets, and tokens
	Fold  string // show the value of each field with this name in one line
	Whole bool   // don't cut long lines
}

const (
	mostInLine = 4000 // bytes of a line that are shown
	usualLine  = 120  // average bytes of a line; if lines are longer, fewer lines are laid out
	deepest    = 60   // levels that are indented
)

// JSON lays JSON out line by line. The text may be complete or cut, or no JSON.
type JSON struct {
	how   How
	text  []byte
	at    int
	lines []Line
	size  int // of all lines, in bytes

	line  Line // the current line, which isn't complete
	long  int  // its length in bytes
	open  []level
	next  level  // of the next value
	name  string // of the field of the next value
	isKey bool   // the next string is a key
}

// level is the document, or an open bracket with its content.
type level struct {
	bracket byte // 0: the document
	place   object.Place
	at      *step
	items   int // before the next one
}

// Of starts the layout of a text.
func Of(text []byte, how How) *JSON {
	j := &JSON{how: how, text: text, next: level{at: &step{}}}
	if how.Hide {
		j.next.place = object.Doubt
	}
	j.open = []level{j.next}
	return j
}

// Value lays out a decoded value, without cutting lines.
func Value(value any) ([]Line, error) {
	text, err := manifest.JSON(value)
	if err != nil {
		return nil, err
	}
	j := Of(text, How{Whole: true})
	for j.at < len(j.text) {
		j.token()
	}
	return j.lines, nil
}

// Lines are the texts of lines.
func Lines(all []Line) []manifest.Line {
	lines := make([]manifest.Line, len(all))
	for i, l := range all {
		lines[i] = l.Line
	}
	return lines
}

// To lays out at most n lines, and tells whether there are more.
func (j *JSON) To(n int) (lines []Line, more bool) {
	for len(j.lines) < n && j.size < n*usualLine && j.at < len(j.text) {
		j.token()
	}
	if j.at == len(j.text) && len(j.line.Line) > 0 {
		j.endLine()
	}
	lines = j.lines[:min(len(j.lines), n)]
	return lines, j.at < len(j.text) || len(j.lines) > n
}

func (j *JSON) token() {
	c := j.text[j.at]
	switch c {
	case ' ', '\t', '\r', '\n':
		j.at++
		if c == '\n' && j.inner().bracket == 0 && len(j.line.Line) > 0 {
			j.endLine() // each document begins in a new line
		}
	case '{', '[':
		j.openBracket(c)
	case '}', ']':
		j.close(c)
	case ',':
		j.at++
		j.addToken(manifest.Plain, ",")
		j.endLine()
		j.inner().items++
		j.step("")
		j.isKey = j.inner().bracket == '{'
	case ':':
		j.at++
		j.addToken(manifest.Plain, ": ")
		j.isKey = false
		if j.how.Fold != "" && j.name == j.how.Fold {
			j.fold()
		}
	case '"':
		j.str()
	default:
		j.word()
	}
}

// inner is the innermost level.
func (j *JSON) inner() *level { return &j.open[len(j.open)-1] }

// step moves to a value in the innermost level: the field with this name, or the next item of a list.
func (j *JSON) step(name string) {
	in := j.inner()
	j.next = level{place: in.place, at: in.at}
	j.name = name
	switch in.bracket {
	case '[':
		name = strconv.Itoa(in.items)
	case 0:
		return
	}
	j.next.place, j.next.at = in.place.Below(name), &step{in.at, name}
}

// addToken adds a piece to the line.
func (j *JSON) addToken(class manifest.Class, text string) {
	j.line.Line = append(j.line.Line, manifest.Token{Class: class, Text: text})
	j.long += len(text)
}

// start begins the line, unless it has begun.
func (j *JSON) start() {
	if depth := len(j.open) - 1; depth > 0 && len(j.line.Line) == 0 {
		j.addToken(manifest.Plain, strings.Repeat("  ", min(depth, deepest)))
	}
}

// value begins the next value.
func (j *JSON) value() {
	j.start()
	j.line.at = j.next.at
}

// endLine ends a line.
func (j *JSON) endLine() {
	if !j.how.Whole && j.long > mostInLine {
		j.line.Line = append(cutLine(j.line.Line), manifest.Token{Text: tooLong(j.long)})
		j.long = mostInLine
	}
	j.lines, j.size = append(j.lines, j.line), j.size+j.long
	j.line, j.long = Line{}, 0
}

// cutLine cuts a line that is too long.
func cutLine(l manifest.Line) manifest.Line {
	left := mostInLine
	for i, t := range l {
		if left -= len(t.Text); left <= 0 {
			l[i].Text = Cut(t.Text, len(t.Text)+left)
			return l[:i+1]
		}
	}
	return l
}

func tooLong(bytes int) string { return fmt.Sprintf(" … (%d bytes in this line)", bytes) }

func (j *JSON) openBracket(c byte) {
	j.value()
	j.at++
	rest := bytes.TrimLeft(j.text[j.at:], " \t\r\n")
	if len(rest) > 0 && (rest[0] == '}' || rest[0] == ']') {
		j.addToken(manifest.Plain, string(c)+string(rest[0]))
		j.at = len(j.text) - len(rest) + 1
		return
	}
	j.addToken(manifest.Plain, string(c))
	j.endLine()
	j.open = append(j.open, level{bracket: c, place: j.next.place, at: j.next.at})
	j.step("")
	j.isKey = c == '{'
}

func (j *JSON) close(c byte) {
	if len(j.line.Line) > 0 {
		j.endLine()
	}
	if n := len(j.open) - 1; n > 0 {
		j.open = j.open[:n]
		j.step("")
	}
	j.start()
	j.addToken(manifest.Plain, string(c))
	j.at++
}

func (j *JSON) str() {
	end := stringEnd(j.text, j.at)
	written := j.text[j.at:end]
	j.at = end
	var text string
	cut := json.Unmarshal(written, &text) != nil
	if cut {
		text = strings.Trim(string(written), `"`)
	}
	shown := strings.ToValidUTF8(string(written), "\uFFFD")
	if j.isKey {
		j.start()
		j.step(text)
		j.isKey = false
		j.addToken(manifest.Key, shown)
		return
	}
	j.value()
	if j.next.place.Hides(text, cut) {
		shown = object.Mask(text)
	}
	j.addToken(manifest.String, shown)
}

func (j *JSON) word() {
	end := j.at + 1
	for end < len(j.text) && bytes.IndexByte([]byte(" \t\r\n,:{}[]\""), j.text[end]) < 0 {
		end++
	}
	word := strings.ToValidUTF8(string(j.text[j.at:end]), "\uFFFD")
	j.at = end
	j.value()
	class := classOf(word)
	if j.next.place.Whole() {
		word = object.Mask(word)
	}
	j.addToken(class, word)
}

func classOf(word string) manifest.Class {
	switch {
	case slices.Contains([]string{"true", "false", "null"}, word):
		return manifest.Word
	case strings.ContainsRune("-0123456789", rune(word[0])):
		return manifest.Number
	}
	return manifest.Plain
}

// fold skips the next value.
func (j *JSON) fold() {
	j.value()
	j.line.Folded = true
	j.addToken(manifest.Plain, "[ … ]")
	j.at = valueEnd(j.text, j.at)
}

// valueEnd is the index after a value and the spaces after the value.
func valueEnd(text []byte, at int) int {
	for depth := 0; at < len(text); at++ {
		switch text[at] {
		case '"':
			at = stringEnd(text, at) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return at
			}
			depth--
		case ',':
			if depth == 0 {
				return at
			}
		}
	}
	return len(text)
}

// stringEnd is the index after a string.
func stringEnd(text []byte, at int) int {
	for i := at + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}
