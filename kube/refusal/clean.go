package refusal

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	terminal = 80  // columns at which text is wrapped, unless it has longer lines
	page     = 100 // columns at which programs wrap what they indent
	widest   = 200 // a terminal doesn't have longer lines
)

// clean is the text in lines as the tool wrote them: without colours, frames and time stamps, and with wrapped lines joined.
func clean(text string) string {
	text = strings.ReplaceAll(stripControls(text), "\r\n", "\n")
	lines := uncut(strings.Split(strings.ReplaceAll(text, "\r", "\n"), "\n"), widest)
	var bare []string
	for _, line := range lines {
		bare = append(bare, apart(undebugged(bared(line)))...)
	}
	return joined(uncut(bare, terminal)) // the terminal broke the lines before somebody quoted the text
}

// stripControls removes control sequences of terminals, and writes U+FFFD for bytes that are not UTF-8.
func stripControls(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if strings.IndexFunc(text, unprintable) < 0 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '\x1b':
			size = sequence(text[i:])
		case unprintable(r):
			b.WriteRune('\uFFFD')
		default:
			b.WriteString(text[i : i+size])
		}
		i += size
	}
	return b.String()
}

func unprintable(r rune) bool { return r != '\n' && r != '\r' && r != '\t' && unicode.IsControl(r) }

// sequence is the length of the terminal sequence that the text begins with.
func sequence(text string) int {
	if len(text) < 2 {
		return len(text)
	}
	const longest = 256
	end := min(len(text), longest)
	switch text[1] {
	case '[': // parameters, and a letter
		for i := 2; i < end; i++ {
			if text[i] >= '@' && text[i] <= '~' {
				return i + 1
			}
		}
	case ']': // a title or a link, to BEL or ESC \
		for i := 2; i < end; i++ {
			if text[i] == '\a' {
				return i + 1
			}
			if text[i] == '\\' && text[i-1] == '\x1b' {
				return i + 1
			}
		}
	}
	return 1
}

// bared is a line without frames, quote marks and time stamps before it. It removes up to three, as for a quoted frame with a time stamp in it.
func bared(line string) string {
	const wrappings = 3
	for range wrappings {
		line = unframed(unstamped(line))
	}
	return line
}

// unframed removes the frame that Terraform puts before each line, or the mark of quoted text.
func unframed(line string) string {
	trimmed := strings.TrimLeft(line, " \t")
	for _, frame := range []string{"│", "╷", "╵", "> "} {
		if rest, ok := strings.CutPrefix(trimmed, frame); ok {
			return strings.TrimPrefix(rest, " ")
		}
	}
	return line
}

// unstamped removes the date and time at the front of a line of a log.
func unstamped(line string) string {
	rest := strings.TrimPrefix(line, "[")
	date := shaped(rest, "0000-00-00")
	if date == 0 {
		date = shaped(rest, "0000/00/00")
	}
	if date > 0 && (strings.HasPrefix(rest[date:], "T") || strings.HasPrefix(rest[date:], " ")) {
		rest = rest[date+1:]
	} else if date > 0 {
		return line
	}
	n := shaped(rest, "00:00:00")
	if n == 0 {
		return line
	}
	for n < len(rest) && strings.IndexByte("0123456789.,+-:Z]", rest[n]) >= 0 {
		n++
	}
	if n < len(rest) && rest[n] != ' ' && rest[n] != '\t' {
		return line
	}
	return strings.TrimLeft(rest[n:], " \t")
}

// shaped is the length of the shape, if the text begins with it: 0 is any digit.
func shaped(text, shape string) int {
	if len(text) < len(shape) {
		return 0
	}
	for i := range len(shape) {
		if digit := text[i] >= '0' && text[i] <= '9'; digit != (shape[i] == '0') || !digit && text[i] != shape[i] {
			return 0
		}
	}
	return len(shape)
}

// widths are the length of the longest line, in characters, and how many lines have that length.
func widths(lines []string) (width, full int) {
	for _, line := range lines {
		switch n := utf8.RuneCountInString(line); {
		case n > width:
			width, full = n, 1
		case n == width:
			full++
		}
	}
	return width, full
}

// uncut joins lines that a terminal broke at its last column, in the middle of a word. The terminal had at most so many columns.
func uncut(lines []string, most int) []string {
	width, full := widths(lines)
	if width != terminal && (full == 1 || width < terminal || width > most) {
		return lines
	}
	var all []string
	var whole strings.Builder
	for i, line := range lines {
		whole.WriteString(line)
		if utf8.RuneCountInString(line) == width && i+1 < len(lines) && goesOn(lines[i+1]) {
			continue
		}
		all = append(all, whole.String())
		whole.Reset()
	}
	return all
}

// goesOn tells whether a line can continue the line before it.
func goesOn(line string) bool {
	rest := strings.TrimLeft(line, " \t")
	return rest != "" && !listed(rest) && bared(line) == line
}

// joined joins lines that were wrapped between words.
func joined(lines []string) string {
	width, _ := widths(lines)
	var b strings.Builder
	for i, line := range lines {
		b.WriteString(line)
		if i+1 < len(lines) && wraps(line, lines[i+1], max(width, terminal-2)) {
			b.WriteByte(' ')
			lines[i+1] = strings.TrimLeft(lines[i+1], " \t")
		} else if i+1 < len(lines) {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// wraps tells whether a line was wrapped: the first word of the next line doesn't fit into it.
func wraps(line, next string, width int) bool {
	rest := strings.TrimLeft(next, " \t")
	n := utf8.RuneCountInString(line)
	if rest == "" || listed(rest) || width > widest || n < width/2 {
		return false
	}
	if indent := n - utf8.RuneCountInString(strings.TrimLeft(line, " \t")); width > page && len(next)-len(rest) > indent {
		return false
	}
	word, _, _ := strings.Cut(rest, " ")
	return n+1+utf8.RuneCountInString(word) > width && !begins(rest)
}

// listed tells that a line is an item of a list, as servers and kubectl write them.
func listed(line string) bool {
	return strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ")
}

// beginnings are the first words of lines that don't continue the line before.
var beginnings = []string{
	"Error", "error", "The ", "Apply failed", "Warning", "Operation cannot", "Please review", "See http", "conflicts with", "Unable to", "Upgrade ",
	"Deployment/", "Retry", "I0", "I1", "E0", "E1", "W0", "W1", "{\"",
}

// results are the ends of kubectl's lines about requests that succeeded.
var results = []string{" created", " configured", " unchanged", " serverside-applied", " deleted", " patched", " replaced", "(server dry run)"}

// begins tells whether a line begins something new.
func begins(line string) bool {
	for _, word := range beginnings {
		if strings.HasPrefix(line, word) {
			return true
		}
	}
	for _, word := range results {
		if strings.HasSuffix(strings.TrimRight(line, " "), word) {
			return true
		}
	}
	subject, rest, ok := strings.Cut(line, " ")
	return ok && strings.Contains(subject, "/") && strings.HasPrefix(rest, "dry-run failed")
}
