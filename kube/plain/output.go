package plain

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Output is a whole output as it may stand in the log of a pipeline. GitHub executes a line that begins with ::, also after spaces, and ##[ anywhere.
// Azure executes ##vso[ and ##[ anywhere, TeamCity ##teamcity[. A dot (·) breaks each of them.
func Output(text string) string {
	if !strings.Contains(text, "::") && !strings.Contains(text, "##") {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		rest := strings.TrimLeftFunc(line, unicode.IsSpace)
		if strings.HasPrefix(rest, "::") {
			line = line[:len(line)-len(rest)] + ":·:" + rest[len("::"):]
		}
		for {
			at := command(line)
			if at < 0 {
				break
			}
			b.WriteString(line[:at] + "·")
			line = line[at:]
		}
		b.WriteString(line)
	}
	return b.String()
}

// Commands tells whether Output would change a text that may stand anywhere in a line.
func Commands(text string) bool {
	return command(text) >= 0 || strings.HasPrefix(text, "::") || strings.Contains(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, text), " ::")
}

// command is where the bracket of the first ##[ or ##word[ is; -1: there is none.
func command(text string) int {
	for at := 0; ; {
		next := strings.Index(text[at:], "##")
		if next < 0 {
			return -1
		}
		at += next + 1
		word := strings.TrimLeftFunc(text[at+1:], func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' })
		if strings.HasPrefix(word, "[") {
			return len(text) - len(word)
		}
	}
}

// JSON is JSON in which characters that aren't printable are escaped, and no text is a command of a pipeline. Its values are the same.
func JSON(text []byte) []byte {
	var b strings.Builder
	s := string(text)
	bracket := command(s)
	for i, r := range s {
		switch {
		case i == bracket:
			b.WriteString(`\u005b`)
			if bracket = command(s[i:]); bracket >= 0 {
				bracket += i
			}
		case r == '\n' || Printable(r):
			b.WriteRune(r)
		default:
			b.WriteString(escaped(r))
		}
	}
	return []byte(b.String())
}

// escaped is a character as an escape in a string of JSON.
func escaped(r rune) string {
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	}
	return fmt.Sprintf(`\u%04x`, r)
}
