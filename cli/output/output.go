// Package output writes what the verbs print. No text of a cluster or of a file acts in it: not in a terminal, and not in the log of a pipeline.
package output

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"sigs.k8s.io/yaml"

	"github.com/fieldmark/fieldmark/kube/plain"
)

// Text writes lines for people.
func Text(out io.Writer, text string) error {
	if _, err := io.WriteString(out, plain.Output(text)); err != nil {
		return fmt.Errorf("printing: %w", err)
	}
	return nil
}

// Sentences adds lines of words, each with an indent. If the width isn't 0, lines are broken at spaces, so that they have at most so many
// columns. A character of East Asia or an emoji takes two of them, and an accent none. Only a word that is longer stays whole. Text to paste must not come here.
func Sentences(b *strings.Builder, indent, text string, width int) {
	for line := range strings.Lines(text) {
		b.WriteString(indent)
		at := 0
		for i, word := range strings.Split(strings.TrimRight(line, "\n"), " ") {
			size := uniseg.StringWidth(word)
			switch {
			case i == 0:
			case width > 0 && at+1+size > width-len(indent):
				b.WriteString("\n" + indent)
				at = 0
			default:
				b.WriteString(" ")
				at++
			}
			b.WriteString(word)
			at += size
		}
		b.WriteString("\n")
	}
}

// tab is how many columns a tab takes at most.
const tab = 8

// Cut is a line with at most so many columns, counted as Sentences counts them. If a part is left out, the line ends with "…".
func Cut(line string, width int) string {
	at, end := 0, 0 // end is where to cut so that there is room for the …
	for g := uniseg.NewGraphemes(line); g.Next(); {
		size := g.Width()
		if g.Str() == "\t" {
			size = tab
		}
		if at += size; at > width {
			return line[:end] + "…"
		}
		if at < width {
			_, end = g.Positions()
		}
	}
	return line
}

// JSON writes a value as JSON.
func JSON(out io.Writer, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	return asJSON(out, text, err)
}

// Compact writes a value as JSON without white space.
func Compact(out io.Writer, value any) error {
	text, err := json.Marshal(value)
	return asJSON(out, text, err)
}

func asJSON(out io.Writer, text []byte, err error) error {
	if err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	if _, err = out.Write(append(plain.JSON(text), '\n')); err != nil {
		return fmt.Errorf("printing: %w", err)
	}
	return nil
}

// YAML writes a value as YAML, with the names and the order of its JSON. A text that could act is in quotes, with escapes.
func YAML(out io.Writer, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("writing YAML: %w", err)
	}
	var quoted []string
	text = stringOfJSON.ReplaceAllFunc(text, func(literal []byte) []byte {
		if !acts(literal) {
			return literal
		}
		quoted = append(quoted, quotedYAML(literal))
		return []byte(`"` + begins + strconv.Itoa(len(quoted)-1) + ends + `"`)
	})
	if text, err = yaml.JSONToYAML(text); err != nil {
		return fmt.Errorf("writing YAML: %w", err)
	}
	text = inPlace.ReplaceAllFunc(text, func(place []byte) []byte {
		i, err := strconv.Atoi(string(inPlace.FindSubmatch(place)[1]))
		if err != nil || i >= len(quoted) {
			return place // doesn't happen: no other text has these characters
		}
		return []byte(quoted[i])
	})
	if _, err := out.Write(text); err != nil {
		return fmt.Errorf("printing: %w", err)
	}
	return nil
}

// A number between two characters that are no characters stands in the place of a text in quotes, until the YAML is written.
const (
	begins = "\ufdd0"
	ends   = "\ufdd1"
)

var (
	inPlace      = regexp.MustCompile(`["']?` + begins + `(\d+)` + ends + `["']?`)
	stringOfJSON = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	astral       = regexp.MustCompile(`(\\*)\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})`)
)

// acts tells whether a string may not stand in YAML as it is.
func acts(literal []byte) bool {
	var text string
	if json.Unmarshal(literal, &text) != nil {
		return true
	}
	return plain.Commands(text) || strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && r != '\t' && !plain.Printable(r) })
}

// quotedYAML is a string of JSON as one of YAML in double quotes. YAML has other escapes than JSON for characters beyond the first plane.
func quotedYAML(literal []byte) string {
	return astral.ReplaceAllStringFunc(string(plain.JSON(literal)), func(pair string) string {
		part := astral.FindStringSubmatch(pair)
		if len(part[1])%2 == 1 {
			return pair // the backslash is a character of the text
		}
		var text string
		if json.Unmarshal([]byte(`"`+pair[len(part[1]):]+`"`), &text) != nil {
			return pair
		}
		first, _ := utf8.DecodeRuneInString(text)
		return part[1] + fmt.Sprintf(`\U%08x`, first)
	})
}
