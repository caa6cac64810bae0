package source

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// lines has the beginnings of the lines of a text. Lines end with \n, \r\n or \r, as in editors. Marks make it fast to find columns in long
// lines.
type lines struct {
	text   string
	starts []int32
	marks  []int32 // the number of UTF-16 code units before each stride-th byte; nil: the text has only ASCII characters
	above  int     // the number of lines above the text
}

func linesOf(text string, above int) lines {
	l := lines{text: text, above: above, starts: make([]int32, 1, 1+strings.Count(text, "\n"))}
	ascii := true
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' || text[i] == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			l.starts = append(l.starts, int32(i+1))
		}
		ascii = ascii && text[i] < utf8.RuneSelf
	}
	for at, n := 0, 0; !ascii && at < len(text); at += stride {
		l.marks = append(l.marks, int32(n))
		n += units(text[at:min(at+stride, len(text))])
	}
	return l
}

// position is the position of a byte.
func (l lines) position(offset int) Position {
	offset = min(max(offset, 0), len(l.text))
	line := l.index(offset)
	return Position{Line: l.above + line + 1, Column: 1 + l.before(offset) - l.before(int(l.starts[line]))}
}

// before is the number of UTF-16 code units before a byte.
func (l lines) before(offset int) int {
	if l.marks == nil {
		return offset
	}
	mark := min(offset/stride, len(l.marks)-1)
	return int(l.marks[mark]) + units(l.text[mark*stride:offset])
}

func (l lines) line(offset int) int { return l.above + l.index(offset) + 1 }

// index is the index of the line of a byte.
func (l lines) index(offset int) int { return firstAbove(l.starts, offset) - 1 }

// firstAbove is the index of the first of sorted numbers that is greater than a number.
func firstAbove(sorted []int32, n int) int {
	return sort.Search(len(sorted), func(i int) bool { return int(sorted[i]) > n })
}

func (l lines) span(start, end int) Span { return Span{l.position(start), l.position(end)} }

// offset is the byte at a position, or the nearest one to a position that isn't in the text.
func (l lines) offset(p Position) int {
	line := min(max(p.Line-l.above, 1), len(l.starts)) - 1
	start := int(l.starts[line])
	end, want := l.lineEnd(start), l.before(start)+max(p.Column, 1)-1
	if l.marks == nil {
		return min(want, end)
	}
	at := max(start, stride*(firstAbove(l.marks, want-1)-1)) // the last mark before the position
	for n := l.before(at); at < end && (n < want || !utf8.RuneStart(l.text[at])); at++ {
		n += units(l.text[at : at+1])
	}
	return at
}

// beginning is the beginning of a line, by so many lines after the line of a byte; or the beginning or the end of the text.
func (l lines) beginning(offset, by int) int {
	line := l.index(offset) + by
	if line >= len(l.starts) {
		return len(l.text)
	}
	return int(l.starts[max(0, line)])
}

// lineEnd is the end of the line of a byte, without the line end.
func (l lines) lineEnd(offset int) int {
	next := l.index(offset) + 1
	if next == len(l.starts) {
		return len(l.text)
	}
	end := int(l.starts[next]) - 1
	if end > offset && l.text[end] == '\n' && l.text[end-1] == '\r' {
		end--
	}
	return end
}

// units counts UTF-16 code units. A character counts where its first byte is, so a text may be counted in parts.
func units(text string) int {
	n := 0
	for i := range len(text) {
		switch c := text[i]; {
		case c >= 0xF0 && c < 0xF8: // more than 16 bits
			n += 2
		case utf8.RuneStart(c):
			n++
		}
	}
	return n
}

// rows has the beginnings of the lines of a piece of text, as YAML counts them. YAML has more kinds of line ends than editors. Marks make
// it fast to find characters in long lines.
type rows struct {
	text   string
	base   int   // the offset of the piece in the whole text
	starts []int // of each line, in characters
	marks  []int // the offset of each stride-th character
}

const stride = 64

func rowsOf(text string, base int) rows {
	r := rows{text: text, base: base, starts: []int{0}}
	characters, broken := 0, 0
	for i := range text {
		if characters%stride == 0 {
			r.marks = append(r.marks, i)
		}
		if i == broken && i > 0 {
			r.starts = append(r.starts, characters)
		}
		if size := breakAt(text[i:]); size > 0 && i >= broken {
			broken = i + size
		}
		characters++
	}
	if broken == len(text) && broken > 0 {
		r.starts = append(r.starts, characters)
	}
	return r
}

// upTo is the text up to the end of a line. Lines are counted from 1.
func (r rows) upTo(line int) string {
	if line >= len(r.starts) {
		return r.text
	}
	return r.text[:r.offset(line+1, 1)-r.base]
}

// breakAt is the length of the line end at the beginning of a text; 0: there is none.
func breakAt(text string) int {
	switch {
	case strings.HasPrefix(text, "\r\n"):
		return 2
	case strings.HasPrefix(text, "\n"), strings.HasPrefix(text, "\r"):
		return 1
	case strings.HasPrefix(text, "\u0085"):
		return 2
	case strings.HasPrefix(text, "\u2028"), strings.HasPrefix(text, "\u2029"):
		return 3
	default:
		return 0
	}
}

// offset is the byte at a line and column. Both are counted from 1, columns in characters.
func (r rows) offset(line, column int) int {
	character := r.starts[min(max(line, 1), len(r.starts))-1] + max(column, 1) - 1
	if len(r.marks) == 0 {
		return r.base
	}
	mark := min(character/stride, len(r.marks)-1)
	at := r.marks[mark]
	for left := character - mark*stride; left > 0 && at < len(r.text); left-- {
		_, size := utf8.DecodeRuneInString(r.text[at:])
		at += size
	}
	return r.base + at
}
