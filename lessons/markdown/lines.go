package markdown

import (
	"bytes"
	"strings"
)

// line is a line of a file, without its end.
type line struct {
	n    int // from 1
	text string
}

func (l line) blank() bool { return strings.TrimSpace(l.text) == "" }

// indented tells whether the line is set in.
func (l line) indented() bool {
	return strings.HasPrefix(l.text, " ") || strings.HasPrefix(l.text, "\t")
}

// lineAt is the line, from 1, in which a place in the source is.
func lineAt(source []byte, offset int) int {
	return 1 + bytes.Count(source[:max(0, min(offset, len(source)))], []byte("\n"))
}

// trimmed leaves out blank lines at both ends.
func trimmed(lines []line) []line {
	for len(lines) > 0 && lines[0].blank() {
		lines = lines[1:]
	}
	for len(lines) > 0 && lines[len(lines)-1].blank() {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// written are the lines that are not blank.
func written(lines []line) []line {
	var out []line
	for _, l := range lines {
		if !l.blank() {
			out = append(out, l)
		}
	}
	return out
}

// joined is the text of lines.
func joined(lines []line) string {
	var texts []string
	for _, l := range lines {
		texts = append(texts, l.text)
	}
	return strings.Join(texts, "\n")
}
