// Package plain makes text from a cluster safe to print: a terminal obeys none of it, and Markdown reads none of it as markup.
package plain

import (
	"strings"
	"unicode"
)

// Text takes out of a text what a terminal would obey, line breaks among it.
func Text(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return '·'
		}
		return r
	}, text)
}

// Markdown is Text that stands in a line of Markdown as it is.
func Markdown(text string) string {
	var b strings.Builder
	for _, r := range Text(text) {
		if strings.ContainsRune("\\`*_{}[]<>#|~&", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
