package source

import (
	"encoding/binary"
	"encoding/json"
	"strings"
	"unicode/utf16"
)

// piece is the text of one document.
type piece struct {
	start, end int
	marked     bool // a separating line is before it
	ended      bool // a line with three dots is before it, so kubectl drops it
	among      bool // others are before or after it
}

// split splits a text at the lines that begin with --- or with three dots. In YAML, such lines always separate documents, so an error in
// one document doesn't make the others unreadable. If the text begins with JSON, several values can follow each other.
func split(text string) []piece {
	at := 0
	if strings.HasPrefix(text, "\ufeff") {
		at = len("\ufeff")
	}
	pieces := []piece{{start: at}}
	for at < len(text) {
		last := &pieces[len(pieces)-1]
		if strings.HasPrefix(text[at:], "---") || isMarker(text[at:], "...") {
			last.end = at
			pieces = append(pieces, piece{start: at + 3, marked: text[at] == '-', ended: text[at] == '.'})
		}
		next := strings.IndexAny(text[at:], "\r\n")
		if next < 0 {
			break
		}
		at += next + 1
	}
	pieces[len(pieces)-1].end = len(text)
	all := append(jsonValues(text, pieces[0]), pieces[1:]...)
	for i := range all {
		all[i].among = len(all) > 1 && (i > 0 || i == len(all)-1)
	}
	return all
}

// jsonValues splits a piece into its JSON values. What follows the last one is a piece, too.
func jsonValues(text string, p piece) []piece {
	in := text[p.start:p.end]
	if !strings.HasPrefix(strings.TrimLeft(in, " \t\r\n"), "{") {
		return []piece{p}
	}
	var all []piece
	d := json.NewDecoder(strings.NewReader(in))
	from := 0
	for {
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			break
		}
		to := int(d.InputOffset())
		all = append(all, piece{start: p.start + from, end: p.start + to})
		from = to
	}
	if rest := in[from:]; len(all) == 0 || !isEmpty(rest) {
		return append(all, piece{start: p.start + from, end: p.end})
	}
	all[len(all)-1].end = p.end // with the comments after it
	return all
}

func isMarker(text, marker string) bool {
	rest, ok := strings.CutPrefix(text, marker)
	return ok && (rest == "" || strings.ContainsRune(" \t\r\n", rune(rest[0])))
}

// beside is the text in the separating line before a piece, without comments. kubectl refuses such text.
func beside(text string) string {
	if end := strings.IndexAny(text, "\r\n"); end >= 0 {
		text = text[:end]
	}
	if text = strings.TrimSpace(text); strings.HasPrefix(text, "#") {
		return ""
	}
	return text
}

// directive is the offset of the first line that is a directive such as %YAML; -1: there is none.
func directive(text string) int {
	at := 0
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "%") {
			return at
		}
		at += len(line)
	}
	return -1
}

// Decoded is a text in UTF-8. A text in UTF-16 begins with a byte order mark, as Windows PowerShell writes it.
func Decoded(text string) string {
	var order binary.ByteOrder
	switch {
	case strings.HasPrefix(text, "\xff\xfe"):
		order = binary.LittleEndian
	case strings.HasPrefix(text, "\xfe\xff"):
		order = binary.BigEndian
	default:
		return text
	}
	units := make([]uint16, 0, len(text)/2)
	for in := []byte(text[2:]); len(in) > 1; in = in[2:] {
		units = append(units, order.Uint16(in))
	}
	return string(utf16.Decode(units))
}

// isEmpty tells whether a piece has only comments, directives and blanks.
func isEmpty(text string) bool {
	for line := range strings.Lines(strings.ReplaceAll(text, "\r", "\n")) {
		if line = strings.TrimLeft(line, " \t\n\ufeff"); line != "" && line[0] != '#' && line[0] != '%' {
			return false
		}
	}
	return true
}
