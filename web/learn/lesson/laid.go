package lesson

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
)

// laidLine is a line of an answer as it is shown.
type laidLine struct {
	indent, key string
	text        string // the value, or how it begins or ends
	tail        string // the comma behind it
	class       manifest.Class
	route       string // to the value that begins in the line; see route
}

// line is the line with its colours.
func (l laidLine) line() manifest.Line {
	all := manifest.Line{{Text: l.indent}}
	if l.key != "" {
		all = append(all, manifest.Token{Text: l.key, Class: manifest.Key}, manifest.Token{Text: ": "})
	}
	return append(all, manifest.Token{Text: l.text, Class: l.class}, manifest.Token{Text: l.tail})
}

// route is how the way to a value is written: each step behind a zero byte, which no name has.
func route(steps []string) string {
	if len(steps) == 0 {
		return ""
	}
	return "\x00" + strings.Join(steps, "\x00")
}

// laying lays JSON out in the order in which it came, as far as it is looked at.
type laying struct {
	from  *json.Decoder
	lines []laidLine
	most  int
	fold  bool // managedFields are one line
}

const (
	managed     = "managedFields"
	mostInLine  = 2000
	deepest     = 60 // levels that are indented
	hexInLine   = 16
	indentation = "  "
)

// layJSON lays a text out, and tells whether there is more of it. Of a text that is cut there is always more.
func layJSON(text []byte, most int, fold, veil bool) (lines []laidLine, more bool) {
	l := laying{from: json.NewDecoder(bytes.NewReader(text)), most: most, fold: fold}
	l.from.UseNumber()
	place := object.Open
	if veil {
		place = object.Doubt
	}
	ok := l.value("", 0, "", place)
	return l.lines, !ok
}

func (l *laying) add(depth int, key, text string, class manifest.Class, route string) {
	if len(text) > mostInLine {
		text = text[:cutAt(text, mostInLine)] + "…"
	}
	l.lines = append(l.lines, laidLine{indent: strings.Repeat(indentation, min(depth, deepest)), key: key, text: text, class: class, route: route})
}

// cutAt is where a text can be cut before a place, between characters.
func cutAt(text string, at int) int {
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

// value lays out the value that comes; false: there was no room for all of it, or it was cut.
func (l *laying) value(head string, depth int, at string, place object.Place) bool {
	if len(l.lines) >= l.most {
		return false
	}
	if l.fold && strings.HasSuffix(at, "\x00"+managed) {
		return l.folded(head, depth, at)
	}
	token, err := l.from.Token()
	if err != nil {
		return false
	}
	if delim, opens := token.(json.Delim); opens {
		return l.compound(head, depth, at, delim, place)
	}
	text, class := scalarText(token), classOf(token)
	if s, _ := token.(string); place.Hides(s, false) {
		text = object.Mask(s)
	}
	l.add(depth, head, text, class, at)
	return true
}

// classOf is how a scalar is coloured.
func classOf(token json.Token) manifest.Class {
	switch token.(type) {
	case string:
		return manifest.String
	case json.Number:
		return manifest.Number
	}
	return manifest.Word
}

func scalarText(token json.Token) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(token) != nil {
		return "?"
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// folded passes over a value, which is one line then.
func (l *laying) folded(head string, depth int, at string) bool {
	var passed json.RawMessage
	if l.from.Decode(&passed) != nil {
		return false
	}
	l.add(depth, head, "[ … ]", "", at)
	return true
}

// compound lays out an object or a list, whose first bracket has come.
func (l *laying) compound(head string, depth int, at string, opened json.Delim, place object.Place) bool {
	closes := string(opened + 2) // in ASCII the other bracket is two further
	if !l.from.More() {
		l.add(depth, head, string(opened)+closes, "", at)
		_, err := l.from.Token()
		return err == nil
	}
	l.add(depth, head, string(opened), "", at)
	for n := 0; l.from.More(); n++ {
		key, step := "", strconv.Itoa(n)
		if opened == '{' {
			token, err := l.from.Token()
			name, isText := token.(string)
			if err != nil || !isText {
				return false
			}
			key, step = scalarText(name), name
		}
		if !l.value(key, depth+1, at+"\x00"+step, place.Below(step)) {
			return false
		}
		if l.from.More() {
			l.lines[len(l.lines)-1].tail = ","
		}
	}
	if _, err := l.from.Token(); err != nil {
		return false
	}
	l.add(depth, "", closes, "", "")
	return true
}

// layText are the first lines of a text, and whether there are more.
func layText(text []byte, most int) (lines []laidLine, more bool) {
	for len(text) > 0 && len(lines) < most {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		shown := strings.ToValidUTF8(string(line), "\uFFFD")
		if len(shown) > mostInLine {
			shown = shown[:cutAt(shown, mostInLine)] + "…"
		}
		lines = append(lines, laidLine{text: shown})
		text = rest
	}
	return lines, len(text) > 0
}

// layBytes are the first lines of a dump, and whether there are more.
func layBytes(data []byte, most int) (lines []laidLine, more bool) {
	n := min(len(data), most*hexInLine)
	for line := range strings.SplitSeq(strings.TrimSuffix(hex.Dump(data[:n]), "\n"), "\n") {
		lines = append(lines, laidLine{text: line})
	}
	return lines, n < len(data)
}
