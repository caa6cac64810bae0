package record

import (
	"bytes"
)

// Laid lays JSON out in lines. The text may be cut anywhere, as what is kept of a body is, or be several values one after the other,
// as those of a watch. Text that is no JSON comes back as it is.
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

// layout is JSON on its way into lines.
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

// str takes a string over, to its end or the text's.
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

// empty takes over the end of what has nothing in it.
func (l *layout) empty(begins byte) bool {
	rest := bytes.TrimLeft(l.text[l.at:], " \t\r\n")
	if len(rest) == 0 || rest[0] != begins+2 { // in ASCII, } and ] follow two places behind { and [
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
