package source

import "strings"

// piece is the text between two lines that separate documents.
type piece struct {
	start, end int
	marked     bool // a separating line is before it
}

// split splits a text at the lines that begin with --- or with three dots. In YAML, such lines always separate documents, so an error in
// one document doesn't make the others unreadable.
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

// isEmpty tells whether a piece has only comments, directives and blanks.
func isEmpty(text string) bool {
	for line := range strings.Lines(strings.ReplaceAll(text, "\r", "\n")) {
		if line = strings.TrimLeft(line, " \t\n\ufeff"); line != "" && line[0] != '#' && line[0] != '%' {
			return false
		}
	}
	return true
}
