package shell

import "strings"

// split splits a command into its words, as a shell does. Quotation marks and backslashes keep characters together. Nothing is replaced: the words are sent
// as they are, because no shell reads them before the container does. If a quotation isn't closed,
// the command isn't complete.
func split(command string) (all []string, complete bool) {
	var b strings.Builder
	var quote rune
	begun, escaped := false, false
	for _, c := range command {
		switch {
		case escaped:
			b.WriteRune(c)
			escaped = false
		case c == '\\' && quote != '\'':
			begun, escaped = true, true
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			begun, quote = true, c
		case quote == 0 && (c == ' ' || c == '\t' || c == '\n'):
			if begun {
				all = append(all, b.String())
				b.Reset()
			}
			begun = false
		default:
			begun = true
			b.WriteRune(c)
		}
	}
	if quote != 0 || escaped {
		return nil, false
	}
	if begun {
		all = append(all, b.String())
	}
	return all, true
}
