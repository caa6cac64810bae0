package source

import (
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// plain has an explanation for each error of the YAML parser.
var plain = []struct{ part, words string }{
	{"mapping values are not allowed", "A colon and a space can't be here. Put text with a colon in quotes, and check the indentation of this line and the line above."},
	{"did not find expected key", "This line doesn't fit the lines above. Its indentation differs from the other fields, or a quote or bracket before it is not closed."},
	{"did not find expected '-' indicator", "This line doesn't fit the list above. All items start with \"- \" and have the same indentation."},
	{"block sequence entries are not allowed", "A list can't start here. Put each item on a separate line."},
	{"found unexpected end of stream", "The quote that starts here is never closed."},
	{"found unexpected document indicator", "The quote that starts here is not closed before the end of the document."},
	{"could not find expected ':'", "A field name needs a colon and a space after it."},
	{"cannot start any token", "A value can't start with this character. Put the value in quotes."},
	{"did not find expected ',' or '}'", "The brace that starts here is not closed, or a comma is missing between its fields."},
	{"did not find expected ',' or ']'", "The bracket that starts here is not closed, or a comma is missing between its items."},
	{"did not find expected node content", "A value is missing here, or it starts with a reserved character of YAML."},
	{"did not find expected alphabetic or numeric character", "Put text that starts with * or & in quotes. Otherwise YAML reads it as an alias or an anchor."},
	{"unknown escape character", "In double quotes, a backslash starts an escape sequence, and this one is unknown. Write two backslashes, or use single quotes."},
	{"control characters are not allowed", "The text has a control character, which YAML doesn't allow."},
	{"max depth", "The document has too many nested levels."},
	{"did not find expected comment or line break", "After | or >, only a comment can follow on the same line."},
	{"tab character", "YAML can't be indented with tabs. Use spaces."},
}

var (
	yamlLine = regexp.MustCompile(`^yaml: line (\d+): `)
	anchor   = regexp.MustCompile(`unknown anchor '([^']*)' referenced`)
)

// refuse adds a problem for an error of the YAML parser.
func (r *reader) refuse(err error) {
	message, line := err.Error(), 1
	if found := yamlLine.FindStringSubmatch(message); found != nil {
		if n, err := strconv.Atoi(found[1]); err == nil {
			line = n
		}
		message = message[len(found[0]):]
	}
	message = strings.TrimPrefix(message, "yaml: ")
	start, end := r.row(r.where(err.Error(), line))
	words := "The text isn't valid YAML: " + message + "."
	for _, p := range plain {
		if strings.Contains(message, p.part) {
			words = p.words
			break
		}
	}
	if found := anchor.FindStringSubmatch(message); found != nil {
		words = "The alias *" + found[1] + " has no anchor &" + found[1] + " above it."
		if at := strings.Index(r.rows.text, "*"+found[1]); at >= 0 {
			start, end = r.rows.base+at, r.rows.base+at+1+len(found[1])
		}
	}
	r.say(Error, start, end, words)
}

// maxSearch is how many bytes of a text are read again to find the lines of errors.
const maxSearch = 1 << 20

// where finds the line of an error. The line that the parser names may be that line, the line before, or the first line of the mapping or
// list around it. For a quote that is never closed, it is the end of the text. The line of the error is the first one up to which the text
// has the same error.
func (r *reader) where(message string, named int) int {
	rows, left := r.rows, &r.text.left.search
	open := strings.Contains(message, "end of stream")
	if open {
		named = 1
	}
	fails := func(line int) bool {
		text := rows.upTo(line)
		*left -= len(text)
		r.text.work(len(text))
		var n yaml.Node
		err := yaml.Unmarshal([]byte(text), &n)
		return err != nil && (err.Error() == message || open && strings.Contains(err.Error(), "end of stream"))
	}
	low, high := min(max(named-1, 0), len(rows.starts)-1), 0 // the text up to low is valid, the text up to high isn't
	for step := 1; high == 0 && *left > 0; step *= 2 {
		if line := min(low+step, len(rows.starts)); fails(line) {
			high = line
		} else if low = line; line == len(rows.starts) {
			return line
		}
	}
	for high-low > 1 && *left > 0 {
		if middle := (low + high) / 2; fails(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	if high == 0 {
		return named
	}
	return high
}

// row is the beginning and the end of the text in a line.
func (r *reader) row(line int) (start, end int) {
	start = r.rows.offset(line, 1)
	end = r.text.lines.lineEnd(start)
	for start < end && strings.ContainsRune(" \t", rune(r.text.text[start])) {
		start++
	}
	return start, end
}
