package layout

import (
	"bytes"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"github.com/fieldmark/fieldmark/kube/manifest"
)

// Plain is a line of plain text.
func Plain(text string) Line { return Line{Line: manifest.Line{{Text: text}}} }

// Text returns the first n lines of a text, and whether there are more.
func Text(text []byte, n int) (lines []Line, more bool) {
	for size := 0; len(text) > 0 && len(lines) < n && size < n*usualLine; {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		shown := strings.ToValidUTF8(string(line[:min(len(line), mostInLine)]), "\uFFFD")
		if len(line) > mostInLine {
			shown += tooLong(len(line))
		}
		lines = append(lines, Plain(strings.TrimSuffix(shown, "\r")))
		size += len(shown)
		text = rest
	}
	return lines, len(text) > 0
}

// bytesInLine is the number of bytes in a line of a dump.
const bytesInLine = 16

// Bytes returns the first n lines of a hexadecimal dump, and whether there are more.
func Bytes(data []byte, n int) (lines []Line, more bool) {
	most := min(len(data), n*bytesInLine)
	for line := range strings.Lines(hex.Dump(data[:most])) {
		lines = append(lines, Plain(strings.TrimSuffix(line, "\n")))
	}
	return lines, most < len(data)
}

// Cut cuts a text to at most this number of bytes, after a whole character.
func Cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}
