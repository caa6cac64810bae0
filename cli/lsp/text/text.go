// Package text is the text of a document in an editor. It applies changes to parts of the text, and converts positions.
//
//	"a: 🙂b\r\n"   bytes   a : ␠ f0 9f 99 82 b      ── utf-8    b is character 7
//	               runes   a : ␠ 🙂 b               ── utf-32   b is character 4
//	               UTF-16  a : ␠ d83d de42 b        ── utf-16   b is character 5
//
// A change costs what it changes, and a shift of the lines after it. So a key in a file of 10 MB is as fast as in a short one.
package text

import (
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Encoding is what a character of a position is.
type Encoding string

// The encodings. All editors know UTF16.
const (
	UTF8  Encoding = "utf-8"
	UTF16 Encoding = "utf-16"
	UTF32 Encoding = "utf-32"
)

// Choose is the encoding to use with an editor that knows some.
func Choose(known []string) Encoding {
	for _, e := range []Encoding{UTF8, UTF32} {
		if slices.Contains(known, string(e)) {
			return e
		}
	}
	return UTF16
}

// width is how many characters a rune is.
func (e Encoding) width(r rune) int {
	switch e {
	case UTF8:
		return utf8.RuneLen(r)
	case UTF32:
		return 1
	case UTF16:
	}
	return utf16.RuneLen(r)
}

// Position is a place in a text. Lines and characters count from 0.
type Position struct{ Line, Character int }

// Text is a text as lines. Each has its end: \n, \r\n or \r. The last one has none, and can be empty.
type Text struct {
	lines []string
	size  int
}

// New reads a text. Bytes that aren't UTF-8 become replacement characters.
func New(whole string) *Text {
	whole = strings.ToValidUTF8(whole, "\uFFFD")
	return &Text{lines: split(whole, true), size: len(whole)}
}

// split splits a text into lines. If it isn't the end of a document, there is no empty last line.
func split(text string, ends bool) []string {
	all := make([]string, 0, strings.Count(text, "\n")+1)
	for text != "" {
		end := strings.IndexAny(text, "\r\n")
		if end < 0 {
			return append(all, text)
		}
		if end++; text[end-1] == '\r' && end < len(text) && text[end] == '\n' {
			end++
		}
		all = append(all, text[:end])
		text = text[end:]
	}
	if ends {
		all = append(all, "")
	}
	return all
}

// Len is the length in bytes.
func (t *Text) Len() int { return t.size }

// Lines is how many lines there are.
func (t *Text) Lines() int { return len(t.lines) }

// String is the whole text.
func (t *Text) String() string { return strings.Join(t.lines, "") }

// Line is a line without its end; empty if there is no such line.
func (t *Text) Line(at int) string {
	if at < 0 || at >= len(t.lines) {
		return ""
	}
	return strings.TrimRight(t.lines[at], "\r\n")
}

// Whole is a line with its end; ok is false if there is no such line.
func (t *Text) Whole(at int) (line string, ok bool) {
	if at < 0 || at >= len(t.lines) {
		return "", false
	}
	return t.lines[at], true
}

// offset is the byte of a line at which a character begins. A character after the end of the line is its end, and one inside a rune is the rune's beginning.
func offset(line string, character int, e Encoding) int {
	at := 0
	for i, r := range line {
		next := at + e.width(r)
		if character < next {
			return i
		}
		at = next
	}
	return len(line)
}

// Character is the character of a line that begins at a byte.
func (t *Text) Character(line, at int, e Encoding) int {
	n := 0
	text := t.Line(line)
	for _, r := range text[:min(at, len(text))] {
		n += e.width(r)
	}
	return n
}

// Offset is the byte of a line at which a character begins.
func (t *Text) Offset(p Position, e Encoding) int { return offset(t.Line(p.Line), p.Character, e) }

// place is a position as a line that exists and a byte of it.
func (t *Text) place(p Position, e Encoding) (line, at int) {
	switch {
	case p.Line < 0:
		return 0, 0
	case p.Line >= len(t.lines):
		last := len(t.lines) - 1
		return last, len(t.lines[last])
	}
	return p.Line, offset(t.Line(p.Line), p.Character, e)
}

// Replace replaces what is between two positions. If they are in the wrong order, nothing is between them.
func (t *Text) Replace(start, end Position, with string, e Encoding) {
	with = strings.ToValidUTF8(with, "\uFFFD")
	from, first := t.place(start, e)
	to, last := t.place(end, e)
	if to < from || to == from && last < first {
		to, last = from, first
	}
	before, after := t.lines[from][:first], t.lines[to][last:]
	t.size += len(with) + len(before) + len(after)
	for _, line := range t.lines[from : to+1] {
		t.size -= len(line)
	}
	if from > 0 && strings.HasSuffix(t.lines[from-1], "\r") { // it may become \r\n
		from--
		before = t.lines[from] + before
	}
	ends := to == len(t.lines)-1
	changed := split(before+with+after, ends)
	if !ends && len(changed) > 0 && !ended(changed[len(changed)-1]) {
		changed[len(changed)-1] += t.lines[to+1]
		to++
	}
	t.lines = slices.Replace(t.lines, from, to+1, changed...)
}

func ended(line string) bool { return strings.HasSuffix(line, "\n") || strings.HasSuffix(line, "\r") }
