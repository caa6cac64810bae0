package plain

import "strings"

// Lines is a text of several lines, each as Text makes it.
func Lines(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(Text(strings.TrimRight(line, "\n")) + "\n")
	}
	return b.String()
}

// Fenced is a text as a block of code in Markdown. Its fence is longer than any in the text.
func Fenced(text string) string {
	lines := Lines(text)
	fence := Fence(lines)
	return fence + "text\n" + lines + fence + "\n"
}
