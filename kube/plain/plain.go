// Package plain makes text from a cluster safe to print and to paste: it has no control characters for a terminal, and no markup for Markdown.
package plain

import (
	"fmt"
	"strings"
	"unicode"
)

// Text replaces control characters, also line breaks, and characters that change the direction of text. Each becomes a dot (·).
func Text(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return '·'
		}
		return r
	}, text)
}

// Markdown is Text with a backslash before each character that is markup in a line of Markdown. Sites link names, numbers and addresses in
// text even after a backslash (@name, #12, https://…), and tell the people who are named. An empty comment in such a word prevents that.
func Markdown(text string) string {
	var b strings.Builder
	runes := []rune(Text(text))
	for i, r := range runes {
		if strings.ContainsRune("\\`*_{}[]<>#|~&", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
		if links(runes, i) {
			b.WriteString("<!-- -->")
		}
	}
	return b.String()
}

// links tells whether a site may make a link of what is around a character.
func links(runes []rune, i int) bool {
	if i+1 == len(runes) {
		return false
	}
	next := runes[i+1]
	switch runes[i] {
	case '@', '#':
		return unicode.IsLetter(next) || unicode.IsDigit(next)
	case ':':
		return next == '/'
	case 'w', 'W':
		return next == '.' && i > 1 && strings.EqualFold(string(runes[i-2:i+1]), "www")
	}
	return false
}

// Code is Text as code in a line or a table of Markdown. Nothing in it is markup, and sites make no links of it.
func Code(text string) string {
	text = Text(text)
	if text != "" && strings.TrimSpace(text) == text && !strings.ContainsAny(text, "`|\\") {
		return "`" + text + "`"
	}
	var b strings.Builder
	b.WriteString("<code>")
	for _, r := range text {
		if r == ' ' || unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "&#%d;", r) // a character that is written like this is never markup
		}
	}
	b.WriteString("</code>")
	return b.String()
}

// longestValue is how much of a value is printed, in characters.
const longestValue = 200

// Value is a JSON value in one line, of at most longestValue characters and "…". No value is "nothing".
func Value(v []byte) string {
	if len(v) == 0 {
		return "nothing"
	}
	shown := []rune(Text(string(v)))
	if len(shown) > longestValue {
		return string(shown[:longestValue]) + "…"
	}
	return string(shown)
}

// Object names an object as kubectl does.
func Object(kind, namespace, name string) string {
	if namespace != "" {
		name = namespace + "/" + name
	}
	return Text(strings.TrimSpace(kind + " " + name))
}

// Fence is a fence for a block of code in Markdown. It is longer than every row of backticks in the text.
func Fence(text string) string {
	const shortest = 3
	most, run := shortest-1, 0
	for i := range len(text) {
		if run++; text[i] != '`' {
			run = 0
		}
		most = max(most, run)
	}
	return strings.Repeat("`", most+1)
}
