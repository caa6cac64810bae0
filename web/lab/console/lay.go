package console

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/fieldmark/fieldmark/kube/object"
)

// laying lays out JSON line by line, as far as it is asked to: of a long answer only that is laid out which is looked at. It takes
// any text, whole or cut, and hides the values that are secret.
type laying struct {
	text   []byte
	at     int
	lines  []string
	line   strings.Builder
	open   []byte         // the brackets that are open
	places []object.Place // of the document, and of what is in each of these brackets
	place  object.Place   // of the value that comes
	isKey  bool           // a string that comes is a key
	size   int            // of the lines, in bytes
}

const (
	mostInLine = 4000 // bytes of a line that are shown
	usualLine  = 120  // bytes of a line, on the average; where they are longer, fewer are laid out
)

// newLaying begins; veil: the values of Secrets and tokens are hidden.
func newLaying(text []byte, veil bool) *laying {
	l := &laying{text: text}
	if veil {
		l.place = object.Doubt
	}
	l.places = []object.Place{l.place}
	return l
}

// upTo lays out so many lines, if there are as many, and tells whether there are more.
func (l *laying) upTo(n int) (more bool) {
	for len(l.lines) < n && l.size < n*usualLine && l.at < len(l.text) {
		l.token()
	}
	if l.at == len(l.text) && l.line.Len() > 0 {
		l.end()
	}
	return l.at < len(l.text)
}

func (l *laying) token() {
	c := l.text[l.at]
	switch c {
	case ' ', '\t', '\r', '\n':
		l.at++
		if len(l.open) == 0 && c == '\n' && l.line.Len() > 0 {
			l.end() // one document a line
		}
	case '{', '[':
		l.begin(c)
	case '}', ']':
		l.close(c)
	case ',':
		l.at++
		l.line.WriteByte(',')
		l.end()
		l.isKey = l.inObject()
		l.step("")
	case ':':
		l.at++
		l.line.WriteString(": ")
		l.isKey = false
	case '"':
		l.str()
	default:
		l.word()
	}
}

func (l *laying) inObject() bool { return len(l.open) > 0 && l.open[len(l.open)-1] == '{' }

// end ends a line, and indents the next.
func (l *laying) end() {
	text := l.line.String()
	l.line.Reset()
	if cut := clip(text, mostInLine); cut != text {
		text = cut + fmt.Sprintf(" … (%d bytes in this line)", len(text))
	}
	l.lines = append(l.lines, text)
	l.size += len(text)
}

func (l *laying) indent() {
	if l.line.Len() == 0 {
		l.line.WriteString(strings.Repeat("  ", min(len(l.open), 60)))
	}
}

func (l *laying) begin(c byte) {
	l.indent()
	l.line.WriteByte(c)
	l.at++
	if rest := bytes.TrimLeft(l.text[l.at:], " \t\r\n"); len(rest) > 0 && (rest[0] == '}' || rest[0] == ']') {
		l.line.WriteByte(rest[0])
		l.at = len(l.text) - len(rest) + 1
		return
	}
	l.open = append(l.open, c)
	l.places = append(l.places, l.place)
	l.isKey = c == '{'
	l.step("")
	l.end()
}

// step goes to a value in the innermost brackets: one of a name, or an item of a list.
func (l *laying) step(name string) {
	if l.place = l.places[len(l.places)-1]; len(l.open) > 0 {
		l.place = l.place.Below(name)
	}
}

func (l *laying) close(c byte) {
	if l.line.Len() > 0 {
		l.end()
	}
	if n := len(l.open); n > 0 {
		l.open, l.places = l.open[:n-1], l.places[:n]
		l.step("")
	}
	l.indent()
	l.line.WriteByte(c)
	l.at++
}

func (l *laying) str() {
	end := stringEnd(l.text, l.at)
	written := l.text[l.at:end]
	l.at = end
	l.indent()
	var text string
	cut := json.Unmarshal(written, &text) != nil
	if cut {
		text = strings.Trim(string(written), `"`)
	}
	switch {
	case l.isKey:
		l.step(text)
		l.isKey = false
	case l.place.Hides(text, cut):
		written = []byte(object.Mask(text))
	}
	l.line.Write(written)
}

// stringEnd is the place behind a string.
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

func (l *laying) word() {
	end := l.at + 1
	for end < len(l.text) && bytes.IndexByte([]byte(" \t\r\n,:{}[]\""), l.text[end]) < 0 {
		end++
	}
	l.indent()
	word := string(bytes.ToValidUTF8(l.text[l.at:end], []byte("\uFFFD")))
	if l.place.Whole() {
		word = object.Mask(word)
	}
	l.line.WriteString(word)
	l.at = end
}

// clip cuts a text where a character ends.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}

// textLines are the first lines of a text, and whether there are more.
func textLines(text []byte, n int) (lines []string, more bool) {
	for size := 0; len(text) > 0 && len(lines) < n && size < n*usualLine; {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		shown := strings.ToValidUTF8(string(line[:min(len(line), mostInLine)]), "\uFFFD")
		if len(line) > mostInLine {
			shown += fmt.Sprintf(" … (%d bytes in this line)", len(line))
		}
		lines = append(lines, strings.TrimSuffix(shown, "\r"))
		size += len(shown)
		text = rest
	}
	return lines, len(text) > 0
}

// hexLines are the first lines of a hex dump, and whether there are more.
func hexLines(data []byte, n int) (lines []string, more bool) {
	most := min(len(data), n*16)
	dump := strings.TrimSuffix(hex.Dump(data[:most]), "\n")
	if dump == "" {
		return nil, false
	}
	return strings.Split(dump, "\n"), most < len(data)
}
