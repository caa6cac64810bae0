// Package plain makes text from a cluster safe to print and to paste: nothing in it is invisible, no terminal and no pipeline executes it, and
// it has no markup for Markdown.
//
//	Printable ──┬─▶ Text, Markdown, Code: a dot                 ─▶ Output: no line is a command of a pipeline
//	            ├─▶ JSON: an escape, so that the value is the same
//	            └─▶ components.Visible: the code point, on pages and in what they copy
package plain

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable tells whether a character can be seen, or is a space. All outputs follow this rule. A character that can't be seen makes two texts look
// equal, turns the direction of text around, or hides words from people that programs read.
func Printable(r rune) bool {
	const blankBraille = '\u2800'
	if r < utf8.RuneSelf {
		return ' ' <= r && r <= '~'
	}
	return r != blankBraille && !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, unicode.Noncharacter_Code_Point)
}

// Hides tells whether a text has characters that aren't printable, except line breaks and tabs.
func Hides(text string) bool {
	hidden := false
	Replaced(text, func(r rune) string {
		hidden = hidden || r != '\n' && r != '\t'
		return ""
	})
	return hidden
}

// Replaced is a text in which each character that isn't printable is replaced. The joiner and the selectors in emoji stay.
func Replaced(text string, with func(r rune) string) string {
	if strings.IndexFunc(text, func(r rune) bool { return !Printable(r) }) < 0 {
		return text
	}
	var b strings.Builder
	before := rune(0)
	for i, r := range text {
		if Printable(r) || joins(before, r, text[i:]) {
			b.WriteRune(r)
		} else {
			b.WriteString(with(r))
		}
		before = r
	}
	return b.String()
}

// joins tells whether a character joins or selects those beside it, as in emoji and in words of some scripts. Between Latin letters, it has no
// visible effect.
func joins(before, r rune, rest string) bool {
	const joiner, textStyle, emojiStyle = '\u200d', '\ufe0e', '\ufe0f'
	if before <= unicode.MaxLatin1 || !Printable(before) && (before != emojiStyle || r != joiner) {
		return false
	}
	after, _ := utf8.DecodeRuneInString(strings.TrimPrefix(rest, string(joiner)))
	return r == textStyle || r == emojiStyle || r == joiner && after > unicode.MaxLatin1 && Printable(after)
}

// Text replaces characters that aren't printable, also line breaks. Each becomes a dot (·).
func Text(text string) string {
	return Replaced(text, func(rune) string { return "·" })
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
	case '@', '#', '!', '$', '%': // of people, issues, and of GitLab's merge requests, snippets and milestones
		return unicode.IsLetter(next) || unicode.IsDigit(next)
	case '-': // GH-12 is an issue, too
		return unicode.IsDigit(next) && i > 1 && strings.EqualFold(string(runes[i-2:i]), "gh")
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
