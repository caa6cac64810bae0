package record

import (
	"bytes"
)

// Laid lays JSON out in lines. The text may be cut anywhere, because only the beginning of a body is kept. It may have several values, one
// after the other, like a watch. A text that isn't JSON is returned unchanged.
func Laid(text []byte) []byte {
	trimmed := bytes.TrimSpace(text)
	if len(trimmed) == 0 || trimmed[0] != '{' && trimmed[0] != '[' {
		return text
	}
	l := layout{text: trimmed}
	for l.at < len(l.text) {
		l.step()
	}
	return append(l.out, '\n')
}

// layout is a JSON text that is being laid out.
type layout struct {
	text  []byte
	at    int
	depth int
	out   []byte
}

func (l *layout) step() {
	c := l.text[l.at]
	l.at++
	switch c {
	case ' ', '\t', '\r', '\n':
	case '"':
		l.at--
		l.str()
	case '{', '[':
		if l.depth == 0 && len(l.out) > 0 {
			l.out = append(l.out, '\n')
		}
		l.out = append(l.out, c)
		if !l.empty(c) {
			l.depth++
			l.line()
		}
	case '}', ']':
		l.depth = max(0, l.depth-1)
		l.line()
		l.out = append(l.out, c)
	case ',':
		l.out = append(l.out, c)
		l.line()
	case ':':
		l.out = append(l.out, ':', ' ')
	default:
		l.out = append(l.out, c)
	}
}

// str copies a string, up to its end or the end of the text.
func (l *layout) str() {
	end := l.at + 1
	for ; end < len(l.text) && l.text[end] != '"'; end++ {
		if l.text[end] == '\\' {
			end++
		}
	}
	end = min(end+1, len(l.text))
	l.out = append(l.out, l.text[l.at:end]...)
	l.at = end
}

// empty copies the closing bracket of an empty object or list.
func (l *layout) empty(begins byte) bool {
	rest := bytes.TrimLeft(l.text[l.at:], " \t\r\n")
	if len(rest) == 0 || rest[0] != begins+2 { // in ASCII, } is two places after {, and ] two after [
		return false
	}
	l.out = append(l.out, rest[0])
	l.at = len(l.text) - len(rest) + 1
	return true
}

// line begins a new line.
func (l *layout) line() {
	l.out = append(l.out, '\n')
	for range l.depth {
		l.out = append(l.out, ' ', ' ')
	}
}
