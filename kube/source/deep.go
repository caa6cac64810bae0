package source

import "strings"

// maxBefore is how deep a text may look nested before it is given to the YAML parser, which goes down level by level: as
// WebAssembly, a program has room for some thousand calls. Objects are refused well before that (maxDepth).
const maxBefore = 500

// tooDeep tells where a text looks nested deeper than the parser can go; -1: nowhere. It reads no YAML: brackets that are open
// at the same time, wherever they stand, lists in lists on one line, and lines that are each indented further than the one
// that they belong to. A text can look deeper than it is, but no text that people write looks that deep.
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
