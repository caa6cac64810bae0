package source

import "strings"

// piece is what lies between two lines that separate documents.
type piece struct {
	start, end int
	marked     bool // such a line stands before it
}

// split takes a text apart at the lines that begin with --- or with three dots. YAML knows such lines whatever they
// stand in, so that a mistake in one document leaves the others readable.
func split(text string) []piece {
	at := 0
	if strings.HasPrefix(text, "\ufeff") {
		at = len("\ufeff")
	}
	pieces := []piece{{start: at}}
	for at < len(text) {
		last := &pieces[len(pieces)-1]
		if isMarker(text[at:], "---") || isMarker(text[at:], "...") {
			last.end = at
			pieces = append(pieces, piece{start: at + 3, marked: text[at] == '-'})
		}
		next := strings.IndexAny(text[at:], "\r\n")
		if next < 0 {
			break
		}
		at += next + 1
	}
	pieces[len(pieces)-1].end = len(text)
	return pieces
}

func isMarker(text, marker string) bool {
	rest, ok := strings.CutPrefix(text, marker)
	return ok && (rest == "" || strings.ContainsRune(" \t\r\n", rune(rest[0])))
}

// isEmpty tells whether a piece holds nothing but comments, directives and blanks.
func isEmpty(text string) bool {
	for line := range strings.Lines(strings.ReplaceAll(text, "\r", "\n")) {
		if line = strings.TrimLeft(line, " \t\n\ufeff"); line != "" && line[0] != '#' && line[0] != '%' {
			return false
		}
	}
	return true
}
