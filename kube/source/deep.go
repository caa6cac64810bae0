package source

import "strings"

// maxBefore is the maximum number of levels that a text may seem to have before the YAML parser reads it. The parser is recursive, and in
// WebAssembly a program has a stack of a few thousand calls. Objects have a much lower limit (maxDepth).
const maxBefore = 500

// tooDeep is the offset at which a text seems to be nested too deep for the parser; -1: nowhere. It doesn't read YAML. It counts open
// brackets anywhere, lists in lists in one line, and lines that are each indented more than the line before. So a text can seem deeper
// than it is, but no text that people write seems that deep.
func tooDeep(text string) int {
	var indents []int
	open, at := 0, 0
	for line := range strings.Lines(text) {
		body := strings.TrimLeft(line, " ")
		indent := len(line) - len(body)
		if strings.TrimSpace(body) != "" {
			for len(indents) > 0 && indents[len(indents)-1] >= indent {
				indents = indents[:len(indents)-1]
			}
			indents = append(indents, indent)
		}
		nested := 0
		for len(body) > 1 && strings.ContainsRune("-?:", rune(body[0])) && body[1] == ' ' {
			nested++
			body = strings.TrimLeft(body[1:], " ")
		}
		if len(indents)+nested > maxBefore {
			return at
		}
		for i := range len(body) {
			switch body[i] {
			case '[', '{':
				open++
			case ']', '}':
				open = max(0, open-1)
			}
			if open > maxBefore {
				return at + len(line) - len(body) + i
			}
		}
		at += len(line)
	}
	return -1
}
