package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Curly gives a text of ours the apostrophes of pages: those between two letters. Errors have straight ones, because terminals show them too. Quotation marks
// stay as they are.
func Curly(text string) string {
	at := strings.IndexByte(text, '\'')
	if at < 0 {
		return text
	}
	var b strings.Builder
	for ; at >= 0; at = strings.IndexByte(text, '\'') {
		b.WriteString(text[:at])
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+1:])
		mark := "'"
		if unicode.IsLetter(before) && unicode.IsLetter(after) {
			mark = "’"
		}
		b.WriteString(mark)
		text = text[at+1:]
	}
	b.WriteString(text)
	return b.String()
}
