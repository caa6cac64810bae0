package static

import (
	"regexp"
	"strings"
)

// Token is a custom property of the stylesheet.
type Token struct {
	Group       string // the comment above
	Name        string // without the dashes
	Light, Dark string
}

var tokenLine = regexp.MustCompile(`^\s*(?:/\* (.*) \*/|--([\w-]+): (.*);)$`)

// Tokens are the stylesheet's custom properties, in its order.
func (a *Assets) Tokens() []Token {
	var tokens []Token
	group := ""
	for line := range strings.SplitSeq(a.tokens, "\n") {
		found := tokenLine.FindStringSubmatch(line)
		switch {
		case found == nil:
		case found[1] != "":
			group = found[1]
		default:
			tokens = append(tokens, Token{Group: group, Name: found[2], Light: side(found[3], 0), Dark: side(found[3], 1)})
		}
	}
	return tokens
}

// side resolves light-dark() in a value.
func side(value string, n int) string {
	const call = "light-dark("
	before, rest, found := strings.Cut(value, call)
	if !found {
		return value
	}
	arguments, after := arguments(rest)
	if n >= len(arguments) {
		return value
	}
	return before + arguments[n] + side(after, n)
}

// arguments are those of a call, given what follows its opening parenthesis, and what follows the closing one.
func arguments(s string) (all []string, after string) {
	depth, from := 0, 0
	for i, c := range s {
		switch {
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		case c == ')':
			return append(all, strings.TrimSpace(s[from:i])), s[i+1:]
		case c == ',' && depth == 0:
			all = append(all, strings.TrimSpace(s[from:i]))
			from = i + 1
		}
	}
	return all, ""
}
